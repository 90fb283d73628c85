import { flag, integer } from '../setting-kinds.ts';

const GIB = 1024;

export const uploadsSettings = {
  uploadLimitMb: integer(
    {
      variable: 'MOORING_UPLOAD_LIMIT_MB',
      description: 'Largest file that can be uploaded, in MiB; some kinds of files have a lower limit of their own.',
    },
    4 * GIB,
    1,
    64 * GIB,
  ),
  uploadHours: integer(
    {
      variable: 'MOORING_UPLOAD_HOURS',
      description: 'Hours after which an upload that was not finished is removed; its token ends then, too.',
    },
    24,
    1,
    720,
  ),
  uploadsInFlight: integer(
    {
      variable: 'MOORING_UPLOADS_IN_FLIGHT',
      description: 'How many uploads of one kind an app may have begun and not finished.',
    },
    50,
    1,
    10_000,
  ),
  diskReserveMb: integer(
    {
      variable: 'MOORING_DISK_RESERVE_MB',
      description:
        'Free disk space that is reserved for people, in MiB. While less is free, logs and uploads are refused with 503, `/readyz` and `mooring doctor` report it, and people can still sign in and delete.',
    },
    512,
    0,
    1024 * GIB,
  ),
  downloadMinutes: integer(
    { variable: 'MOORING_DOWNLOAD_MINUTES', description: 'How long a download link works, in minutes.' },
    24 * 60,
    1,
    30 * 24 * 60,
  ),
  downloadRedirect: flag(
    {
      variable: 'MOORING_DOWNLOAD_REDIRECT',
      description:
        'Whether downloads from a bucket are redirected to it by a link that it signs, instead of passing through this server.',
    },
    false,
  ),
};
