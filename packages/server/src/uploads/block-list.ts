import type { IncomingFile } from '../http/kinds/incoming-file.ts';
import { badRequest } from '../kernel/errors.ts';

/** Enough for the IDs of the maximum number of blocks. */
const MAX_BYTES = 8 * 1024 * 1024;

/** The IDs in `<BlockList><Latest>…</Latest>…</BlockList>`, in order. */
export const blockIdsIn = (xml: string): string[] =>
  [...xml.matchAll(/<(?:Latest|Committed|Uncommitted)>([^<]{1,1000})<\//g)].map(([, id = '']) => id.trim());

export async function readBlockList({ content }: Pick<IncomingFile, 'content'>): Promise<string[]> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of content) {
    length += chunk.length;
    if (length > MAX_BYTES) throw badRequest(`The block list exceeds ${MAX_BYTES} bytes. Use larger blocks.`);
    chunks.push(chunk);
  }
  return blockIdsIn(Buffer.concat(chunks).toString());
}
