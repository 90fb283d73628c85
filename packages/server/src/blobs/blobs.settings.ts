import { Invalid, optional, text } from '../setting-kinds.ts';
import { type BlobLocation, formatBlobLocation, readBlobLocation } from './location.ts';

export const blobsSettings = {
  blobStore: {
    ...text<BlobLocation>(
      {
        variable: 'MOORING_BLOB_STORE',
        description:
          "Where files such as avatars are kept: `disk` for the data folder, or a bucket, `s3://bucket/prefix?region=eu-central-1`; for a store other than Amazon's also `endpoint=https://…`, with `path_style=false` if it has a host name for each bucket.",
      },
      'disk',
      (value) => {
        const location = readBlobLocation(value);
        if (location) return location;
        throw new Invalid(
          'disk, or an address such as s3://bucket?endpoint=https://s3.example.com&region=eu-central-1',
        );
      },
    ),
    show: formatBlobLocation,
  },
  s3AccessKeyId: optional(
    {
      variable: 'MOORING_S3_ACCESS_KEY_ID',
      description: 'Key for that bucket. Unset: what the AWS SDK finds, such as the role of the machine.',
      secret: true,
    },
    (value) => value,
  ),
  s3SecretAccessKey: optional(
    { variable: 'MOORING_S3_SECRET_ACCESS_KEY', description: 'Secret of that key.', secret: true },
    (value) => value,
  ),
};
