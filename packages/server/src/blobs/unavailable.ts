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

const full =
  'The disk that this server keeps files on has no room left, so this file was not kept. Whoever runs it has to make some; then send it again.';

/** Turns what is wrong with the place of the files into an answer for whoever asked; `check` says it to the operator. */
export function reportingUnavailable(store: BlobStore): BlobStore {
  const tell = (error: unknown): never => {
    if (!isFull(error) && !isUnavailable(error)) throw error;
    const failure = unavailable(isFull(error) ? full : 'The store of files cannot be reached just now; try again.');
    failure.cause = error;
    throw failure;
  };
  const { putPart } = store;
  return {
    ...store,
    ...(putPart ? { putPart: (key, content, options) => putPart(key, content, options).catch(tell) } : {}),
    put: (key, content, options) => store.put(key, content, options).catch(tell),
    get: (key, range) => store.get(key, range).catch(tell),
    stat: (key) => store.stat(key).catch(tell),
    delete: (key) => store.delete(key).catch(tell),
  };
}
