import type { EndpointExamples } from '../endpoint/example.ts';
import { COMMAND_LINE_CLIENT } from './device-sign-ins.contract.ts';

const user_code = 'WDJB-MJHT';
const page = 'https://mooring.example.com/cli-login';

export const deviceSignInsExamples = {
  oauth_deviceCode: {
    body: { client_id: COMMAND_LINE_CLIENT, device_name: 'workstation' },
    response: {
      device_code: 'Qm8s1VxN3kZt0yHc7LpRw2JfUe9aBgDi4TnXo6SvKqE',
      user_code,
      verification_uri: page,
      verification_uri_complete: `${page}?code=${user_code}`,
      expires_in: 600,
      interval: 5,
    },
  },
  deviceSignIns_get: {
    query: { user_code },
    response: {
      client_name: 'Mooring command line',
      device_name: 'workstation',
      address: '203.0.113.7',
      requested_at: '2026-11-01T09:00:00.000Z',
      expires_at: '2026-11-01T09:10:00.000Z',
    },
  },
  deviceSignIns_answer: { body: { user_code, is_allowed: true } },
} satisfies EndpointExamples<typeof import('./device-sign-ins.contract.ts')>;
