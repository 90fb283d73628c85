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
  [{ code: 'ENOSPC' }, /the server's disk is full/],
  [{ code: 'EIO' }, /file storage is unavailable/],
  [{ $metadata: { httpStatusCode: 503 } }, /file storage is unavailable/],
  [new Error('a fault of ours'), /a fault of ours/],
])('%o is reported with a message about files', async (error, message) => {
  const store = failing(error);
  await expect(store.put('a', [], options)).rejects.toThrow(message);
  await expect(store.putPart?.('a', [], options)).rejects.toThrow(message);
});
