import { unavailable } from '../kernel/errors.ts';
import { isAway, isFull } from '../kernel/os-errors.ts';
import type { BlobStore } from './blobs.ts';

/** What an S3 store says of itself, or of the way to it. */
interface StoreError {
  name?: string;
  $metadata?: { httpStatusCode?: number };
}

function isUnavailable(error: unknown): boolean {
  const { name, $metadata } = (error ?? {}) as StoreError;
  return isAway(error) || name === 'TimeoutError' || ($metadata?.httpStatusCode ?? 0) >= 500;
}

/** Turns what is wrong with the place of the files into an answer for whoever asked; `check` says it to the operator. */
export function reportingUnavailable(store: BlobStore): BlobStore {
  const tell = (error: unknown): never => {
    // Room on a disk is told of by whoever tells of errors, for the database too.
    if (isFull(error) || !isUnavailable(error)) throw error;
    const failure = unavailable('The store of files cannot be reached just now; try again.');
    failure.cause = error;
    throw failure;
  };
  return {
    ...store,
    put: (key, content, options) => store.put(key, content, options).catch(tell),
    get: (key, range) => store.get(key, range).catch(tell),
    stat: (key) => store.stat(key).catch(tell),
    delete: (key) => store.delete(key).catch(tell),
  };
}
