import Type from 'typebox';
import { endpoint } from '../endpoint/endpoint.ts';
import { DisplayName, Email, OwnerName, Password } from '../fields.ts';
import { User } from './users.contract.ts';

export const ServerFacts = Type.Object(
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
  { $id: 'ServerFacts' },
);

export const server_get = endpoint({
  id: 'server_get',
  method: 'GET',
  path: '/v0.1/server',
  tag: 'server',
  summary: 'Tells the version and the limits of this server',
  access: 'public',
  success: { status: 200, description: 'Facts about this server.', body: ServerFacts },
  example: {
    response: {
      version: '0.1.0',
      setup_required: false,
      open_sign_up: false,
      sends_mail: true,
      limits: {
        requests_per_minute: 3000,
        body_bytes: 1048576,
        header_bytes: 16384,
        request_seconds: 30,
        api_tokens_per_account: 5000,
      },
    },
  },
});

export const server_setUp = endpoint({
  id: 'server_setUp',
  method: 'POST',
  path: '/v0.1/setup',
  tag: 'server',
  summary: 'Creates the first administrator',
  description: 'Works once, with the token of the set-up link that the server prints while it has no administrator.',
  access: 'public',
  body: Type.Object({
    setup_token: Type.String({ minLength: 1, maxLength: 200 }),
    email: Email,
    name: Type.Optional(OwnerName),
    display_name: Type.Optional(DisplayName),
    password: Password,
  }),
  success: { status: 201, description: 'The administrator, signed in.', body: User },
  errors: [403, 409],
  example: {
    body: {
      setup_token: 'f3TqR8vLx2Wm6YbK0nZdHs4Jc9PgAu7EoBi1QtNxVyC',
      email: 'ada@example.com',
      name: 'ada',
      password: 'correct horse battery',
    },
    response: {
      id: '0198c7a2-5f10-7c1e-9a53-2f4be3a0b2d7',
      name: 'ada',
      display_name: 'ada',
      email: 'ada@example.com',
      origin: 'appcenter',
      is_admin: true,
    },
  },
});
