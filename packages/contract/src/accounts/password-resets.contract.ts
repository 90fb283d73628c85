import { empty, endpoint, json } from '../endpoint/index.ts';
import { Email, Password, Time, Uuid } from '../fields.ts';
import { Type } from '../type.ts';
import { RevokeTokens } from './users.contract.ts';

export const passwordResets_create = endpoint({
  id: 'passwordResets_create',
  method: 'POST',
  path: '/v0.1/password_resets',
  tag: 'account',
  summary: 'Asks for a link that sets a new password, by e-mail',
  description:
    'The answer is the same whether an account has this e-mail or not. The link works once, for an hour; asking often is slowed down with 429.',
  access: 'public',
  effect: 'change',
  request: json(Type.Object({ email: Email })),
  response: empty({ description: 'If an account has this e-mail, a mail is on its way.' }),
});

export const passwordResets_use = endpoint({
  id: 'passwordResets_use',
  method: 'POST',
  path: '/v0.1/password_resets/{reset_token}',
  tag: 'account',
  summary: 'Sets a new password with the token of a link',
  description:
    'Ends every session of the user. API tokens stay valid, unless revoke_tokens is true, or the link is the first thing that shows that the e-mail is theirs. A link that was used, replaced or too old gets 404.',
  access: 'public',
  effect: 'change',
  params: Type.Object({ reset_token: Type.String({ minLength: 1, maxLength: 100 }) }),
  request: json(Type.Object({ new_password: Password, revoke_tokens: Type.Optional(RevokeTokens) })),
  response: empty({ description: 'The password is changed, and the link is used up.' }),
  errors: [404],
});

export const adminUsers_resetPassword = endpoint({
  id: 'adminUsers_resetPassword',
  method: 'POST',
  path: '/v0.1/admin/users/{user_id}/password_reset',
  tag: 'administration',
  summary: 'Makes a link with which a user sets a new password, and shows it once',
  description:
    'To be passed on by hand; it works once, for an hour, and takes the place of any before it. Refused with 409 for service accounts and disabled users.',
  access: 'admin',
  effect: 'change',
  params: Type.Object({ user_id: Uuid }),
  request: json(Type.Object({})),
  response: json(Type.Object({ link: Type.String(), expires_at: Time }), { status: 201, description: 'The link.' }),
  errors: [404, 409],
});
