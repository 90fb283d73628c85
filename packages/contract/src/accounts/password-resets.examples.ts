import type { EndpointExamples } from '../endpoint/example.ts';

const reset_token = 'D8sYc2RkWn6TzLb0XfVj4Qg9PhMu7EoAi1CtNxHy5Ke';
const link = `https://mooring.example.com/reset-password#token=${reset_token}`;

export const passwordResetsExamples = {
  passwordResets_create: { body: { email: 'ada@example.com' } },
  passwordResets_use: {
    params: { reset_token },
    body: { new_password: 'staple the battery twice' },
  },
  adminUsers_resetPassword: {
    params: { user_id: '0198c7a2-6b00-7d52-8c1d-91d0a3f5c6e8' },
    body: {},
    response: { link, expires_at: '2026-11-01T10:00:00.000Z' },
  },
} satisfies EndpointExamples<typeof import('./password-resets.contract.ts')>;
