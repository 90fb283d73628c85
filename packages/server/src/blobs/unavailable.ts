import { unavailable } from '../kernel/errors.ts';
import { isAway, isFull } from '../kernel/files/os-errors.ts';
import type { BlobStore } from './blobs.ts';

/** An error of the S3 SDK: a response of the store, or a network failure. */
interface StoreError {
  name?: string;
  $metadata?: { httpStatusCode?: number };
}

function isUnavailable(error: unknown): boolean {
  const { name, $metadata } = (error ?? {}) as StoreError;
  return isAway(error) || name === 'TimeoutError' || ($metadata?.httpStatusCode ?? 0) >= 500;
}

const full = "File not saved: the server's disk is full. Ask an administrator to free space, then retry.";

/** Turns storage failures into responses with a remedy. `check` throws the original error, for the operator. */
export function reportingUnavailable(store: BlobStore): BlobStore {
  const throwUnavailable = (error: unknown): never => {
    if (!isFull(error) && !isUnavailable(error)) throw error;
    const failure = unavailable(isFull(error) ? full : 'The file storage is unavailable. Retry in a moment.');
    failure.cause = error;
    throw failure;
  };
  const { putPart } = store;
  return {
    ...store,
    ...(putPart ? { putPart: (key, content, options) => putPart(key, content, options).catch(throwUnavailable) } : {}),
    put: (key, content, options) => store.put(key, content, options).catch(throwUnavailable),
    get: (key, range) => store.get(key, range).catch(throwUnavailable),
    stat: (key) => store.stat(key).catch(throwUnavailable),
    delete: (key) => store.delete(key).catch(throwUnavailable),
  };
}
