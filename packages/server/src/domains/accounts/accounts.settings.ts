import { flag, integer, must, optional, type SettingValues } from '../../setting-kinds.ts';

export const accountsSettings = {
  adminEmail: optional(
    {
      variable: 'MOORING_ADMIN_EMAIL',
      togetherWith: 'MOORING_ADMIN_PASSWORD',
      description:
        'Email of the first administrator, whom the server creates at start if there is none yet. Requires MOORING_ADMIN_PASSWORD.',
    },
    (value) => {
      must(/^[^@\s]+@[^@\s]+$/.test(value) && value.length <= 254, 'an email address');
      return value;
    },
  ),
  adminPassword: optional(
    {
      variable: 'MOORING_ADMIN_PASSWORD',
      description: 'Password of that administrator, 10 to 256 characters.',
      secret: true,
    },
    (value) => {
      must(value.length >= 10 && value.length <= 256, '10 to 256 characters long');
      return value;
    },
  ),
  openSignUp: flag({ variable: 'MOORING_OPEN_SIGN_UP', description: 'Whether visitors may create accounts.' }, false),
  sessionDays: integer({ variable: 'MOORING_SESSION_DAYS', description: 'Days until a sign-in expires.' }, 30, 1, 365),
};

declare module '../../config.ts' {
  interface Config extends SettingValues<typeof accountsSettings> {}
}
