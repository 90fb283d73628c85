import { Invalid, optional, text } from '../setting-kinds.ts';
import { type BlobLocation, formatBlobLocation, readBlobLocation } from './location.ts';

export const blobsSettings = {
  blobStore: {
    ...text<BlobLocation>(
      {
        variable: 'MOORING_BLOB_STORE',
        description:
          "Storage for files such as releases and avatars: `disk` for the data folder, or an S3 bucket, `s3://bucket/prefix?region=eu-central-1`. For a store other than Amazon's add `endpoint=https://…`, and `path_style=false` if each bucket has its own host name.",
      },
      'disk',
      (value) => {
        const location = readBlobLocation(value);
        if (location) return location;
        throw new Invalid('disk, or a URL such as s3://bucket?endpoint=https://s3.example.com&region=eu-central-1');
      },
    ),
    show: formatBlobLocation,
  },
  s3AccessKeyId: optional(
    {
      variable: 'MOORING_S3_ACCESS_KEY_ID',
      togetherWith: 'MOORING_S3_SECRET_ACCESS_KEY',
      description:
        'Access key ID for that bucket. Unset: the credentials that the AWS SDK finds, such as the role of the machine.',
      secret: true,
    },
    (value) => value,
  ),
  s3SecretAccessKey: optional(
    { variable: 'MOORING_S3_SECRET_ACCESS_KEY', description: 'Secret access key for that bucket.', secret: true },
    (value) => value,
  ),
};
