/** A file on its way in; its type and name are what the sender claims. */
export interface IncomingFile {
  readonly type: string;
  readonly name: string | undefined;
  /**
   * Its bytes as they come, once. It throws when they are too many or break off, so whoever stores them as all or
   * nothing keeps nothing of a file that did not arrive whole.
   */
  readonly content: AsyncIterable<Buffer>;
  /** The same, instead, for those who do not ask for its sum: that costs as much as all the rest. */
  readonly unsummed: AsyncIterable<Buffer>;
  /** Nobody else has any part of these bytes: whoever has used them may free them. */
  readonly isOwned?: boolean;
  /** How many bytes have come so far. */
  readonly received: number;
  /** Of what has come so far, in hexadecimal: of the file, once its content has ended. */
  sha256(): string;
}

/** For files that are small. */
export async function readBytes({ content }: IncomingFile): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}
