import { endpoint, json } from '../endpoint/index.ts';
import { DisplayName, Email, OwnerName, Password } from '../fields.ts';
import { Type } from '../type.ts';
import { User } from './users.contract.ts';

export const ServerInfo = Type.Object(
  {
    version: Type.String(),
    setup_required: Type.Boolean({
      description: 'True while no administrator exists: open the setup link to create one.',
    }),
    open_sign_up: Type.Boolean({ description: 'True if visitors may create accounts.' }),
    sends_mail: Type.Boolean({
      description:
        'False if the server has no mail server; its emails then stay in the outbox, where administrators can read them.',
    }),
    retirement_date: Type.Optional(Type.String({ format: 'date' })),
    limits: Type.Object({
      requests_per_minute: Type.Integer({ description: 'Per credential or address. 0 means no limit.' }),
      body_bytes: Type.Integer(),
      header_bytes: Type.Integer(),
      request_seconds: Type.Integer({
        description: 'The maximum number of seconds that a request may take to arrive.',
      }),
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
  summary: 'Get the version and limits of this server',
  access: 'public',
  effect: 'read',
  response: json(ServerInfo, { description: 'Version, sign-up mode and limits of this server.' }),
});

export const server_setUp = endpoint({
  id: 'server_setUp',
  method: 'POST',
  path: '/v0.1/setup',
  tag: 'server',
  summary: 'Create the first administrator',
  description: 'Works once, with the token of the setup link that the server prints while it has no administrator.',
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
  response: json(User, { status: 201, description: 'The administrator, now signed in.' }),
  errors: [403, 409],
});
