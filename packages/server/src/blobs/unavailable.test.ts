import { expect, test } from 'vitest';
import type { BlobStore } from './blobs.ts';
import { reportingUnavailable } from './unavailable.ts';

const failing = (error: object) =>
  reportingUnavailable({
    put: () => Promise.reject(error),
    putPart: () => Promise.reject(error),
  } as unknown as BlobStore);
const options = { type: 'text/plain', maxBytes: 1, start: 0 };

test.each([
  [{ code: 'ENOSPC' }, /disk that this server keeps files on has no room left/],
  [{ code: 'EIO' }, /store of files cannot be reached/],
  [{ $metadata: { httpStatusCode: 503 } }, /store of files cannot be reached/],
  [new Error('a fault of ours'), /a fault of ours/],
])('%o is told in words that fit files', async (error, words) => {
  const store = failing(error);
  await expect(store.put('a', [], options)).rejects.toThrow(words);
  await expect(store.putPart?.('a', [], options)).rejects.toThrow(words);
});
