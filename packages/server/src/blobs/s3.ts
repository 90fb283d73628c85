import type { Readable } from 'node:stream';
import type { CompletedPart, S3Client } from '@aws-sdk/client-s3';
import { SECOND } from '../kernel/clock.ts';
import { type BlobStore, checkKey, checkType, inParts, limited, tryStore } from './blobs.ts';
import type { S3Location } from './location.ts';

/** S3 accepts at most 10,000 parts, so this allows 80 GB, at 8 MB of memory for each upload. */
const PART_BYTES = 8 * 1024 * 1024;

export interface S3Options extends Omit<S3Location, 'kind'> {
  /** Unset: the credentials that the SDK finds, such as the role of the machine. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
}

/** Loaded on first use, so that servers that keep blobs on disk use less memory. */
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
        // Stores other than Amazon's often do not support the newer checksums.
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
        requestHandler: { connectionTimeout: 5 * SECOND, socketTimeout: 30 * SECOND },
      }),
    }));
    return opening;
  };
  const toObjectParams = (key: string) => {
    checkKey(key);
    return { Bucket: bucket, Key: prefix + key };
  };

  const store: BlobStore = {
    async put(key, content, { type, maxBytes }) {
      checkType(type);
      const object = toObjectParams(key);
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
        // Sends a part once another follows it, so that content that fits into one part needs a single request.
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
        // Parts of an unfinished upload are billed although they are no object.
        const abort = UploadId && client.send(new sdk.AbortMultipartUploadCommand({ ...object, UploadId }));
        await Promise.resolve(abort).catch(() => undefined);
        throw error;
      }
      return { size: counted.size, type };
    },

    async get(key, range) {
      const { sdk, client } = await open();
      const request = { ...toObjectParams(key), ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}) };
      const match = await client.send(new sdk.GetObjectCommand(request)).catch(missingAsUndefined('NoSuchKey'));
      if (!match) return undefined;
      const { ContentLength = 0, ContentRange, ContentType = 'application/octet-stream', Body } = match;
      const size = ContentRange === undefined ? ContentLength : Number(ContentRange.split('/')[1]);
      return { size, type: ContentType, stream: Body as Readable };
    },

    async stat(key) {
      const { sdk, client } = await open();
      const match = await client
        .send(new sdk.HeadObjectCommand(toObjectParams(key)))
        .catch(missingAsUndefined('NotFound'));
      return match && { size: match.ContentLength ?? 0, type: match.ContentType ?? 'application/octet-stream' };
    },

    async delete(key) {
      const { sdk, client } = await open();
      await client.send(new sdk.DeleteObjectCommand(toObjectParams(key)));
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
      return getSignedUrl(client, new sdk.GetObjectCommand({ ...toObjectParams(key), ...saved }), {
        expiresIn: seconds,
      });
    },

    free: async () => undefined,

    check: () => tryStore(store),
  };
  return store;
}
