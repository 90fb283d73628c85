import type { Readable } from 'node:stream';
import type { CompletedPart, S3Client } from '@aws-sdk/client-s3';
import { SECOND } from '../kernel/clock.ts';
import { type BlobStore, checkKey, checkType, inParts, limited, tryStore } from './blobs.ts';
import type { S3Location } from './location.ts';

/** S3 takes at most 10,000 parts, so this is room for 80 GB, at 8 MB of memory for each upload. */
const PART_BYTES = 8 * 1024 * 1024;

export interface S3Options extends Omit<S3Location, 'kind'> {
  /** Unset: where the SDK looks by itself, such as the role of the machine. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
}

/** Loaded with the first use: servers that keep blobs on disk stay smaller for it. */
const loadSdk = () => import('@aws-sdk/client-s3');

const hasName = (error: unknown, name: string): boolean => (error as { name?: string }).name === name;

const missingAsUndefined =
  (name: string) =>
  (error: unknown): undefined => {
    if (!hasName(error, name)) throw error;
  };

/** Blobs as objects in a bucket of an S3-compatible store. */
export function createS3Store({ bucket, prefix, endpoint, region, pathStyle, credentials }: S3Options): BlobStore {
  let opening: Promise<{ sdk: Awaited<ReturnType<typeof loadSdk>>; client: S3Client }> | undefined;
  const open = () => {
    opening ??= loadSdk().then((sdk) => ({
      sdk,
      client: new sdk.S3Client({
        region,
        forcePathStyle: pathStyle,
        ...(endpoint ? { endpoint } : {}),
        ...(credentials ? { credentials } : {}),
        // Stores other than Amazon's often do not know the newer checksums.
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
        requestHandler: { connectionTimeout: 5 * SECOND, socketTimeout: 30 * SECOND },
      }),
    }));
    return opening;
  };
  const objectOf = (key: string) => {
    checkKey(key);
    return { Bucket: bucket, Key: prefix + key };
  };

  const store: BlobStore = {
    async put(key, content, { type, maxBytes }) {
      checkType(type);
      const object = objectOf(key);
      const { sdk, client } = await open();
      const counted = limited(content, maxBytes);
      const parts: CompletedPart[] = [];
      let UploadId: string | undefined;
      let held: Buffer | undefined;
      const sendPart = async (Body: Buffer) => {
        UploadId ??= (await client.send(new sdk.CreateMultipartUploadCommand({ ...object, ContentType: type })))
          .UploadId;
        const PartNumber = parts.length + 1;
        const { ETag } = await client.send(new sdk.UploadPartCommand({ ...object, UploadId, PartNumber, Body }));
        parts.push({ PartNumber, ETag });
      };
      try {
        // A part is sent once another follows it: what fits into one needs a single request.
        for await (const part of inParts(counted, PART_BYTES)) {
          if (held) await sendPart(held);
          held = part;
        }
        if (UploadId === undefined) {
          await client.send(new sdk.PutObjectCommand({ ...object, Body: held, ContentType: type }));
        } else {
          if (held) await sendPart(held);
          const MultipartUpload = { Parts: parts };
          await client.send(new sdk.CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload }));
        }
      } catch (error) {
        // The parts are no object yet, but they are paid for.
        const abort = UploadId && client.send(new sdk.AbortMultipartUploadCommand({ ...object, UploadId }));
        await Promise.resolve(abort).catch(() => undefined);
        throw error;
      }
      return { size: counted.size, type };
    },

    async get(key, range) {
      const { sdk, client } = await open();
      const asked = { ...objectOf(key), ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}) };
      const found = await client.send(new sdk.GetObjectCommand(asked)).catch(missingAsUndefined('NoSuchKey'));
      if (!found) return undefined;
      const { ContentLength = 0, ContentRange, ContentType = 'application/octet-stream', Body } = found;
      const size = ContentRange === undefined ? ContentLength : Number(ContentRange.split('/')[1]);
      return { size, type: ContentType, stream: Body as Readable };
    },

    async stat(key) {
      const { sdk, client } = await open();
      const found = await client.send(new sdk.HeadObjectCommand(objectOf(key))).catch(missingAsUndefined('NotFound'));
      return found && { size: found.ContentLength ?? 0, type: found.ContentType ?? 'application/octet-stream' };
    },

    async delete(key) {
      const { sdk, client } = await open();
      await client.send(new sdk.DeleteObjectCommand(objectOf(key)));
    },

    async *list() {
      const { sdk, client } = await open();
      let ContinuationToken: string | undefined;
      do {
        const page = await client.send(
          new sdk.ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken }),
        );
        for (const { Key } of page.Contents ?? []) if (Key) yield Key.slice(prefix.length);
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken);
    },

    async signedUrl(key, { seconds, name }) {
      const { sdk, client } = await open();
      const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
      const saved = name && { ResponseContentDisposition: `attachment; filename*=UTF-8''${encodeURIComponent(name)}` };
      return getSignedUrl(client, new sdk.GetObjectCommand({ ...objectOf(key), ...saved }), { expiresIn: seconds });
    },

    free: async () => undefined,

    check: () => tryStore(store),
  };
  return store;
}
