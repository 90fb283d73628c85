import { endpoint, json } from '../endpoint/index.ts';
import { DisplayName, Email, OwnerName, Password } from '../fields.ts';
import { Type } from '../type.ts';
import { User } from './users.contract.ts';

export const ServerInfo = Type.Object(
  {
    version: Type.String(),
    setup_required: Type.Boolean({ description: 'No administrator exists yet; use the set-up link.' }),
    open_sign_up: Type.Boolean({ description: 'Visitors may create an account for themselves.' }),
    sends_mail: Type.Boolean({ description: 'Without a mail server, mails wait in the outbox for an administrator.' }),
    retirement_date: Type.Optional(Type.String({ format: 'date' })),
    limits: Type.Object({
      requests_per_minute: Type.Integer({ description: 'For one credential or address; 0 means no limit.' }),
      body_bytes: Type.Integer(),
      header_bytes: Type.Integer(),
      request_seconds: Type.Integer({ description: 'How long a request may take to arrive.' }),
      api_tokens_per_account: Type.Integer(),
    }),
  },
  { $id: 'ServerInfo' },
);

export const server_get = endpoint({
  id: 'server_get',
  method: 'GET',
  path: '/v0.1/server',
  tag: 'server',
  summary: 'Tells the version and the limits of this server',
  access: 'public',
  effect: 'read',
  response: json(ServerInfo, { description: 'Facts about this server.' }),
});

export const server_setUp = endpoint({
  id: 'server_setUp',
  method: 'POST',
  path: '/v0.1/setup',
  tag: 'server',
  summary: 'Creates the first administrator',
  description: 'Works once, with the token of the set-up link that the server prints while it has no administrator.',
  access: 'public',
  effect: 'change',
  request: json(
    Type.Object({
      setup_token: Type.String({ minLength: 1, maxLength: 200 }),
      email: Email,
      name: Type.Optional(OwnerName),
      display_name: Type.Optional(DisplayName),
      password: Password,
    }),
  ),
  response: json(User, { status: 201, description: 'The administrator, signed in.' }),
  errors: [403, 409],
});
