import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type BlobStore, limited } from '../blobs/blobs.ts';
import type { Db } from '../db/open.ts';
import { tx } from '../db/tx.ts';
import { deletePackedFile, findPackedFile, savePackedFile } from './packed-files.store.ts';

const PREFIX = 'packed/';

/** Smaller files are stored in the database: on disk, each would need a block and a directory entry. */
const MAX_PACKED_BYTES = 16 * 1024;

/** Key of a file that will never change its size; marks small ones. */
export const keyForSize = (key: string, size: number): string => (size <= MAX_PACKED_BYTES ? `${PREFIX}${key}` : key);

const isPacked = (key: string): boolean => key.startsWith(PREFIX);

/** A blob store that keeps small files, whose keys `keyForSize` marks, in the database. */
export function withPackedFiles(store: BlobStore, db: Db): BlobStore {
  const find = (key: string) => findPackedFile.first(db, { key });
  return {
    ...store,
    async put(key, content, options) {
      if (!isPacked(key)) return store.put(key, content, options);
      const body = await buffer(Readable.from(limited(content, options.maxBytes)));
      await tx({ db }, ({ db }) => savePackedFile.run(db, { key, type: options.type, body }));
      return { size: body.length, type: options.type };
    },
    async get(key, range) {
      if (!isPacked(key)) return store.get(key, range);
      const match = await find(key);
      if (!match) return undefined;
      const part = range ? match.body.subarray(range.start, range.end + 1) : match.body;
      return { size: match.body.length, type: match.type, stream: Readable.from([Buffer.from(part)]) };
    },
    async stat(key) {
      if (!isPacked(key)) return store.stat(key);
      const match = await find(key);
      return match && { size: match.body.length, type: match.type };
    },
    async delete(key) {
      if (!isPacked(key)) return store.delete(key);
      await tx({ db }, ({ db }) => deletePackedFile.run(db, { key }));
    },
    signedUrl: async (key, options) => (isPacked(key) ? undefined : store.signedUrl(key, options)),
  };
}
