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
    address: Type.String({ description: 'Where it was opened from.' }),
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
  summary: 'Signs in to the console',
  description:
    'Sets the session cookie (HttpOnly, SameSite=Lax, Secure on https). An unknown name and a wrong password get the same answer in the same time; repeated failures are slowed down with 429.',
  access: 'public',
  effect: 'change',
  request: json(
    Type.Object({
      login: Type.String({ minLength: 1, maxLength: 254, description: 'Name or e-mail.' }),
      password: Type.String({ minLength: 1, maxLength: 256 }),
    }),
  ),
  response: json(User, { status: 201, description: 'Signed in.' }),
  errors: [401],
});

export const sessions_list = endpoint({
  id: 'sessions_list',
  method: 'GET',
  path: '/v0.1/sessions',
  tag: 'sessions',
  summary: 'Lists the console sessions of the authenticated user',
  access: 'user',
  effect: 'read',
  response: json(Type.Array(Session), { description: 'The open sessions, newest first.' }),
});

export const sessions_delete = endpoint({
  id: 'sessions_delete',
  method: 'DELETE',
  path: '/v0.1/sessions/{session_id}',
  tag: 'sessions',
  summary: 'Ends a console session; "current" signs out',
  access: 'user',
  effect: 'change',
  params: Type.Object({ session_id: Type.String({ minLength: 1, maxLength: 64 }) }),
  response: empty({ description: 'The session has ended, at once and everywhere.' }),
  errors: [404],
});
