import { flag, integer } from '../setting-kinds.ts';

const GIB = 1024;

export const uploadsSettings = {
  uploadLimitMb: integer(
    {
      variable: 'MOORING_UPLOAD_LIMIT_MB',
      description: 'Maximum size of an uploaded file, in MiB. Some kinds of files have lower limits.',
    },
    4 * GIB,
    1,
    64 * GIB,
  ),
  uploadHours: integer(
    {
      variable: 'MOORING_UPLOAD_HOURS',
      description: 'Hours until an unfinished upload is removed and its token expires.',
    },
    24,
    1,
    720,
  ),
  uploadsInFlight: integer(
    {
      variable: 'MOORING_UPLOADS_IN_FLIGHT',
      description: 'Maximum number of unfinished uploads of one kind per app.',
    },
    50,
    1,
    10_000,
  ),
  diskReserveMb: integer(
    {
      variable: 'MOORING_DISK_RESERVE_MB',
      description:
        'Reserved disk space, in MiB. While less is free, the server rejects logs and uploads with 503, and `/readyz` and `mooring doctor` report it. Users can still sign in and delete data.',
    },
    512,
    0,
    1024 * GIB,
  ),
  downloadMinutes: integer(
    { variable: 'MOORING_DOWNLOAD_MINUTES', description: 'Lifetime of a download link, in minutes.' },
    24 * 60,
    1,
    30 * 24 * 60,
  ),
  downloadRedirect: flag(
    {
      variable: 'MOORING_DOWNLOAD_REDIRECT',
      description: 'If true, downloads redirect to a signed URL of the bucket instead of passing through this server.',
    },
    false,
  ),
};
