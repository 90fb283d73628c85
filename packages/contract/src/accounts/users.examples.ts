import type { EndpointExamples } from '../endpoint/example.ts';

const ada = {
  id: '0198c7a2-5f10-7c1e-9a53-2f4be3a0b2d7',
  name: 'ada',
  display_name: 'Ada Lovelace',
  email: 'ada@example.com',
  can_change_password: true,
  origin: 'appcenter',
  is_admin: true,
} as const;
const standing = { is_disabled: false, is_email_verified: true, is_service_account: false };
const adaForAdmins = { ...ada, ...standing, created_at: '2026-11-01T09:00:00.000Z' };
const newUserExample = { email: 'hedy@example.com', name: 'hedy', password: 'correct horse battery' };
const hedy = {
  ...ada,
  id: '0198c7a2-77c0-7e11-8b2a-5c0d9e7f1a34',
  name: 'hedy',
  display_name: 'hedy',
  email: 'hedy@example.com',
  is_admin: false,
};

export const usersExamples = {
  users_get: { response: ada },
  users_update: { body: { display_name: 'Ada Lovelace' }, response: ada },
  users_changePassword: {
    body: { current_password: 'correct horse battery', new_password: 'staple the battery twice' },
  },
  users_register: { body: newUserExample, response: hedy },
  adminUsers_list: { query: { limit: 50 }, response: { values: [adaForAdmins] } },
  adminUsers_create: {
    body: newUserExample,
    response: { ...hedy, ...standing, created_at: '2026-11-02T09:00:00.000Z' },
  },
  adminUsers_update: { params: { user_id: ada.id }, body: { display_name: 'Ada Lovelace' }, response: adaForAdmins },
  adminUsers_delete: { params: { user_id: '0198c7a2-7d10-7a44-9c3b-6d1e8f2a4b56' } },
} satisfies EndpointExamples<typeof import('./users.contract.ts')>;
