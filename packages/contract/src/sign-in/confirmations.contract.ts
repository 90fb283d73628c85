import { empty, endpoint, json } from '../endpoint/index.ts';
import { Type } from '../type.ts';

/**
 * Header of a 403 response: `required` means that the person must confirm who they are, and the request can then be repeated.
 */
export const CONFIRMATION_HEADER = 'x-confirmation';

export const confirmations_create = endpoint({
  id: 'confirmations_create',
  method: 'POST',
  path: '/v0.1/user/confirmation',
  tag: 'account',
  summary: 'Confirm who you are, before a sensitive operation',
  description:
    'In a session of the console, operations such as creating API tokens need a sign-in or a confirmation in the last 5 minutes; otherwise they respond with 403 and `X-Confirmation: required`. Send your password, with a code if you have a second factor, or a passkey with the options of `/v0.1/sign_in/passkey/options`.',
  access: 'user',
  effect: 'change',
  request: json(
    Type.Object({
      password: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
      code: Type.Optional(Type.String({ minLength: 1, maxLength: 40, description: 'A code of your second factor.' })),
      credential: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), { description: 'The credential of a passkey.' }),
      ),
    }),
  ),
  response: empty({ description: 'Confirmed for 5 minutes.' }),
  errors: [401],
});
