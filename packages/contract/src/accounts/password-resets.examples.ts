import type { ExamplesOf } from '../endpoint/example.ts';

const link = 'https://mooring.example.com/reset-password#token=Zk3v9x1fq7Lr2mT8bYcW5nH0sJdG4aPeUo6iKxVtQyR';

export const passwordResetsExamples = {
  passwordResets_create: { body: { email: 'ada@example.com' } },
  passwordResets_use: {
    params: { reset_token: 'Zk3v9x1fq7Lr2mT8bYcW5nH0sJdG4aPeUo6iKxVtQyR' },
    body: { new_password: 'staple the battery twice' },
  },
  adminUsers_resetPassword: {
    params: { user_id: '0198c7a2-6b00-7d52-8c1d-91d0a3f5c6e8' },
    body: {},
    response: { link, expires_at: '2026-11-01T10:00:00.000Z' },
  },
} satisfies ExamplesOf<typeof import('./password-resets.contract.ts')>;
