import path from 'node:path';
import type { BlobStore } from './blobs.ts';
import { createDiskStore } from './disk.ts';
import type { BlobLocation } from './location.ts';
import { createS3Store, type S3Options } from './s3.ts';
import { reportingUnavailable } from './unavailable.ts';

export { type Blob, type BlobInfo, type BlobStore, BlobTooLarge } from './blobs.ts';
export { copyBlob, withFolder } from './local-copy.ts';

export interface BlobSettings {
  blobStore: BlobLocation;
  dataDir: string;
  s3AccessKeyId: string | undefined;
  s3SecretAccessKey: string | undefined;
}

/** Creates the store that the settings select. */
export function createBlobStore({ blobStore, dataDir, s3AccessKeyId, s3SecretAccessKey }: BlobSettings): BlobStore {
  if (blobStore.kind === 'disk') return reportingUnavailable(createDiskStore(path.join(dataDir, 'blobs')));
  const credentials: S3Options['credentials'] =
    s3AccessKeyId && s3SecretAccessKey ? { accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey } : undefined;
  return reportingUnavailable(createS3Store({ ...blobStore, credentials }));
}
