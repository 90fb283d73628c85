import type { EndpointExamples } from '../endpoint/example.ts';

export const serverExamples = {
  server_get: {
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
  server_setUp: {
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
} satisfies EndpointExamples<typeof import('./server.contract.ts')>;
