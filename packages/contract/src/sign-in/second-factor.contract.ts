import { empty, endpoint, json } from '../endpoint/index.ts';
import { Time, Uuid } from '../fields.ts';
import { Type } from '../type.ts';

/**
 * Header with the code for a request with HTTP Basic. In a 401 response, `required` means that the password is right, but
 * the code is missing or wrong; `setup`, that the account needs a second factor and has none; `passkey`, that it has only
 * passkeys.
 */
export const SECOND_FACTOR_HEADER = 'x-second-factor';

const Password = Type.String({ minLength: 1, maxLength: 256, description: 'Your current password.' });
const Code = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'A code of your authenticator app, or a recovery code. Each works once.',
});
const RecoveryCodes = Type.Object(
  { recovery_codes: Type.Array(Type.String()) },
  { $id: 'RecoveryCodes', description: 'Shown only here. Each works once instead of a code.' },
);

export const secondFactor_get = endpoint({
  id: 'secondFactor_get',
  method: 'GET',
  path: '/v0.1/user/second_factor',
  tag: 'account',
  summary: 'Get whether sign-in with your password needs a second factor',
  access: 'user',
  effect: 'read',
  response: json(
    Type.Object({
      is_enabled: Type.Boolean(),
      enabled_at: Type.Optional(Time),
      recovery_codes_left: Type.Integer({ description: 'The number of unused recovery codes.' }),
      required_from: Type.Optional(Time),
    }),
    { description: 'The state of your second factor.' },
  ),
});

export const secondFactor_start = endpoint({
  id: 'secondFactor_start',
  method: 'POST',
  path: '/v0.1/user/second_factor',
  tag: 'account',
  summary: 'Start to set up an authenticator app as second factor',
  description: 'Returns a new secret for the app. Nothing changes until you confirm a code of the app.',
  access: 'user',
  effect: 'change',
  request: json(Type.Object({ password: Password })),
  response: json(
    Type.Object({
      secret: Type.String({ description: 'The secret, in Base32.' }),
      url: Type.String({ description: 'The same as a URL for a QR code.' }),
    }),
    { status: 201, description: 'The secret. Shown only here.' },
  ),
  errors: [409],
});

export const secondFactor_confirm = endpoint({
  id: 'secondFactor_confirm',
  method: 'POST',
  path: '/v0.1/user/second_factor/confirm',
  tag: 'account',
  summary: 'Turn on the second factor with a code of the app',
  description: 'From then on, sign-in with your password and HTTP Basic need a code. Your other sessions end.',
  access: 'user',
  effect: 'change',
  request: json(Type.Object({ code: Code })),
  response: json(RecoveryCodes, { description: 'Ten recovery codes.' }),
  errors: [409],
});

export const secondFactor_renewCodes = endpoint({
  id: 'secondFactor_renewCodes',
  method: 'POST',
  path: '/v0.1/user/second_factor/recovery_codes',
  tag: 'account',
  summary: 'Replace your recovery codes',
  access: 'user',
  effect: 'change',
  request: json(Type.Object({ password: Password, code: Code })),
  response: json(RecoveryCodes, { description: 'Ten new recovery codes; the previous ones no longer work.' }),
  errors: [409],
});

export const secondFactor_disable = endpoint({
  id: 'secondFactor_disable',
  method: 'POST',
  path: '/v0.1/user/second_factor/disable',
  tag: 'account',
  summary: 'Turn off the second factor',
  access: 'user',
  effect: 'change',
  request: json(Type.Object({ password: Password, code: Code })),
  response: empty({ description: 'Sign-in needs only the password.' }),
  errors: [409],
});

export const adminSecondFactor_delete = endpoint({
  id: 'adminSecondFactor_delete',
  needsUnlimited: true,
  method: 'DELETE',
  path: '/v0.1/admin/users/{user_id}/second_factor',
  tag: 'account',
  summary: 'Turn off the second factor of a user who has lost it',
  description: 'Make sure first that the request is from the user. Their sessions end.',
  access: 'admin',
  effect: 'change',
  params: Type.Object({ user_id: Uuid }),
  response: empty({ description: 'The user signs in with the password alone.' }),
  errors: [404],
});
