import { flag, integer, must, optional } from '../../setting-kinds.ts';

export const accountsSettings = {
  adminEmail: optional(
    {
      variable: 'MOORING_ADMIN_EMAIL',
      description: 'With the next one: makes the first administrator at start, if there is none yet.',
    },
    (value) => {
      must(/^[^@\s]+@[^@\s]+$/.test(value) && value.length <= 254, 'an e-mail address');
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
  openSignUp: flag({ variable: 'MOORING_OPEN_SIGN_UP', description: 'Lets visitors create their own account.' }, false),
  sessionDays: integer({ variable: 'MOORING_SESSION_DAYS', description: 'How long a sign-in lasts.' }, 30, 1, 365),
};
