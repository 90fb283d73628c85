import { integer, must, text } from '../../setting-kinds.ts';

const httpsUrl = (value: string): string => {
  must(URL.canParse(value) && /^https?:/.test(value) && !value.endsWith('/'), 'an address that does not end with /');
  return value;
};

export const releasesSettings = {
  googlePlayUrl: text(
    { variable: 'MOORING_GOOGLE_PLAY_URL', description: 'Where releases are published on Google Play.' },
    'https://androidpublisher.googleapis.com',
    httpsUrl,
  ),
  googleTokenUrl: text(
    { variable: 'MOORING_GOOGLE_TOKEN_URL', description: 'Where service accounts of Google sign in.' },
    'https://oauth2.googleapis.com/token',
    httpsUrl,
  ),
  packageSeconds: integer(
    { variable: 'MOORING_PACKAGE_SECONDS', description: 'How long reading one uploaded package may take, in seconds.' },
    120,
    5,
    3600,
  ),
  packageMemoryMb: integer(
    {
      variable: 'MOORING_PACKAGE_MEMORY_MB',
      description: 'How much memory reading one uploaded package may take, in MiB.',
    },
    512,
    64,
    65_536,
  ),
};
