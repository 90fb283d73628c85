import { empty, endpoint, json } from '../endpoint/index.ts';
import { Time } from '../fields.ts';
import { Type } from '../type.ts';
import { User } from './users.contract.ts';

export const Session = Type.Object(
  {
    id: Type.String(),
    created_at: Time,
    last_seen_at: Time,
    expires_at: Time,
    address: Type.String({ description: 'The IP address that the session was opened from.' }),
    user_agent: Type.Optional(Type.String()),
    is_current: Type.Boolean(),
  },
  { $id: 'Session' },
);

export const sessions_create = endpoint({
  id: 'sessions_create',
  method: 'POST',
  path: '/v0.1/sessions',
  tag: 'sessions',
  summary: 'Sign in to the console',
  description:
    'Sets the session cookie (HttpOnly, SameSite=Lax, Secure on https). An unknown name and a wrong password get the same response in the same time. Repeated failures are rate-limited with 429.',
  access: 'public',
  effect: 'change',
  request: json(
    Type.Object({
      login: Type.String({ minLength: 1, maxLength: 254, description: 'The name or email of the user.' }),
      password: Type.String({ minLength: 1, maxLength: 256 }),
      code: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 40,
          description:
            'A code of the second factor, or a recovery code. If it is needed, the response without it is 401 with the header `X-Second-Factor: required`.',
        }),
      ),
    }),
  ),
  response: json(User, { status: 201, description: 'The user is signed in.' }),
  errors: [401],
});

export const sessions_list = endpoint({
  id: 'sessions_list',
  method: 'GET',
  path: '/v0.1/sessions',
  tag: 'sessions',
  summary: 'List the console sessions of the authenticated user',
  access: 'user',
  effect: 'read',
  response: json(Type.Array(Session), { description: 'The open sessions, newest first.' }),
});

export const sessions_delete = endpoint({
  id: 'sessions_delete',
  method: 'DELETE',
  path: '/v0.1/sessions/{session_id}',
  tag: 'sessions',
  summary: 'End a console session; "current" signs out',
  access: 'user',
  effect: 'change',
  params: Type.Object({ session_id: Type.String({ minLength: 1, maxLength: 64 }) }),
  response: empty({ description: 'The session has ended on all server processes.' }),
  errors: [404],
});
