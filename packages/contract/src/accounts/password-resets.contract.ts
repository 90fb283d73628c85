import { empty, endpoint, json } from '../endpoint/index.ts';
import { Email, Password, Time, Uuid } from '../fields.ts';
import { Type } from '../type.ts';
import { RevokeTokens } from './users.contract.ts';

export const passwordResets_create = endpoint({
  id: 'passwordResets_create',
  method: 'POST',
  path: '/v0.1/password_resets',
  tag: 'account',
  summary: 'Request an email with a password reset link',
  description:
    'The response is the same whether or not an account has this email. The link works once, for an hour. Frequent requests are rate-limited with 429.',
  access: 'public',
  effect: 'change',
  request: json(Type.Object({ email: Email })),
  response: empty({ description: 'Accepted. If an account has this email, the server sends a link to it.' }),
});

export const passwordResets_use = endpoint({
  id: 'passwordResets_use',
  method: 'POST',
  path: '/v0.1/password_resets/{reset_token}',
  tag: 'account',
  summary: 'Set a new password with the token of a password reset link',
  description:
    'Ends all sessions of the user. API tokens stay valid unless revoke_tokens is true or this link verifies the email for the first time. A link that was used or replaced, or has expired, fails with 404.',
  access: 'public',
  effect: 'change',
  params: Type.Object({ reset_token: Type.String({ minLength: 1, maxLength: 100 }) }),
  request: json(Type.Object({ new_password: Password, revoke_tokens: Type.Optional(RevokeTokens) })),
  response: empty({ description: 'The password is changed. The link no longer works.' }),
  errors: [404],
});

export const adminUsers_resetPassword = endpoint({
  id: 'adminUsers_resetPassword',
  needsUnlimited: true,
  method: 'POST',
  path: '/v0.1/admin/users/{user_id}/password_reset',
  tag: 'administration',
  summary: 'Create a password reset link for a user, shown once',
  description:
    'Pass the link on to the user. It works once, for an hour, and replaces any previous link. Fails with 409 for service accounts and disabled users.',
  access: 'admin',
  effect: 'change',
  params: Type.Object({ user_id: Uuid }),
  request: json(Type.Object({})),
  response: json(Type.Object({ link: Type.String(), expires_at: Time }), { status: 201, description: 'The link.' }),
  errors: [404, 409],
});
