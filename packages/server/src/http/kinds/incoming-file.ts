/** A file that is being received. Its type and name are claims of the sender. */
export interface IncomingFile {
  readonly type: string;
  readonly name: string | undefined;
  /**
   * Its bytes as they arrive, readable once. Throws if they are too many or break off, so storing all or nothing keeps
   * no incomplete file.
   */
  readonly content: AsyncIterable<Buffer>;
  /** The same without a digest, which costs as much as everything else. */
  readonly unsummed: AsyncIterable<Buffer>;
  /** No other code uses these bytes, so they may be freed after use. */
  readonly isOwned?: boolean;
  /** Bytes received so far. */
  readonly received: number;
  /** Digest of the bytes so far, in hexadecimal; of the whole file once the content has ended. */
  sha256(): string;
}

/** One of several files in a form. Read it to its end before the next one. */
export interface FormFile {
  field: string;
  /** As the sender named it. */
  name: string;
  content: AsyncIterable<Buffer>;
}

/** For small files. */
export async function readBytes({ content }: IncomingFile): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}
