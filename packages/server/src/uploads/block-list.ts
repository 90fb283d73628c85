import type { IncomingFile } from '../http/kinds/incoming-file.ts';
import { badRequest } from '../kernel/errors.ts';

/** Room for as many ids as there may be blocks. */
const MOST_BYTES = 8 * 1024 * 1024;

/** The ids in `<BlockList><Latest>…</Latest>…</BlockList>`, in order. */
export const blockIdsIn = (xml: string): string[] =>
  [...xml.matchAll(/<(?:Latest|Committed|Uncommitted)>([^<]{1,1000})<\//g)].map(([, id = '']) => id.trim());

export async function readBlockList({ content }: Pick<IncomingFile, 'content'>): Promise<string[]> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of content) {
    length += chunk.length;
    if (length > MOST_BYTES) throw badRequest(`A list of blocks may have ${MOST_BYTES} bytes at most.`);
    chunks.push(chunk);
  }
  return blockIdsIn(Buffer.concat(chunks).toString());
}
