import type { EndpointExamples } from '../endpoint/example.ts';

const params = { owner_name: 'ada', app_name: 'compass' };
const token = '0192f3d0-0000-7000-8000-000000000031.a-signature-of-notifications';
const settings = [
  { event_type: 'crash_newCrashGroupCreated', value: 'Daily', default_value: 'Disabled' },
  { event_type: 'export_exportFailed', value: 'Default', default_value: 'Individual' },
] as const;
const user = {
  request_id: '0192f3d0-0000-7000-8000-000000000032',
  enabled: true,
  userId: '0192f3d0-0000-7000-8000-000000000031',
  settings,
};
const app = { ...user, appId: '0192f3d0-0000-7000-8000-000000000001', user_enabled: true };
const body = { enabled: true, settings: [{ event_type: 'crash_newCrashGroupCreated', value: 'Daily' }] } as const;

export const emailSettingsExamples = {
  notifications_getUserEmailSettings: { response: user },
  notifications_updateUserEmailSettings: {
    body,
    response: {
      ...user,
      unsubscribe_url: `https://mooring.example.com/v0.1/public/notifications/unsubscribe?token=${token}`,
    },
  },
  notifications_testUserEmail: { body: {}, response: { email: 'ada@example.com', is_sent: true } },
  notifications_getAppEmailSettings: { params, response: app },
  notifications_updateAppEmailSettings: { params, body, response: app },
  notifications_unsubscribe: { query: { token }, body: { 'List-Unsubscribe': 'One-Click' } },
} satisfies EndpointExamples<typeof import('./email-settings.contract.ts')>;
