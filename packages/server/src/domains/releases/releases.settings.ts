import { integer, must, type SettingValues, text } from '../../setting-kinds.ts';

const httpsUrl = (value: string): string => {
  must(URL.canParse(value) && /^https?:/.test(value) && !value.endsWith('/'), 'a URL that does not end with /');
  return value;
};

export const releasesSettings = {
  googlePlayUrl: text(
    { variable: 'MOORING_GOOGLE_PLAY_URL', description: 'URL of the Google Play API that publishes releases.' },
    'https://androidpublisher.googleapis.com',
    httpsUrl,
  ),
  googleTokenUrl: text(
    { variable: 'MOORING_GOOGLE_TOKEN_URL', description: 'URL where Google service accounts sign in.' },
    'https://oauth2.googleapis.com/token',
    httpsUrl,
  ),
  packageSeconds: integer(
    { variable: 'MOORING_PACKAGE_SECONDS', description: 'Maximum time for reading one uploaded package, in seconds.' },
    120,
    5,
    3600,
  ),
  packageMemoryMb: integer(
    {
      variable: 'MOORING_PACKAGE_MEMORY_MB',
      description: 'Maximum memory for reading one uploaded package, in MiB.',
    },
    512,
    64,
    65_536,
  ),
};

declare module '../../config.ts' {
  interface Config extends SettingValues<typeof releasesSettings> {}
}
