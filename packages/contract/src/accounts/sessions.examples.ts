import type { EndpointExamples } from '../endpoint/example.ts';

const example = {
  id: '0198c7a3-1c00-7f4b-b0e3-6a2d8c9f1e55',
  created_at: '2026-11-01T09:00:00.000Z',
  last_seen_at: '2026-11-01T09:30:00.000Z',
  expires_at: '2026-12-01T09:00:00.000Z',
  address: '127.0.0.1',
  user_agent: 'Mozilla/5.0',
  is_current: true,
};

export const sessionsExamples = {
  sessions_create: {
    body: { login: 'ada@example.com', password: 'correct horse battery' },
    response: {
      id: '0198c7a2-5f10-7c1e-9a53-2f4be3a0b2d7',
      name: 'ada',
      display_name: 'Ada Lovelace',
      email: 'ada@example.com',
      origin: 'appcenter',
      is_admin: true,
    },
  },
  sessions_list: { response: [example] },
  sessions_delete: { params: { session_id: 'current' } },
} satisfies EndpointExamples<typeof import('./sessions.contract.ts')>;
