import type { EndpointExamples } from '../endpoint/example.ts';

const params = { owner_name: 'ada', app_name: 'compass' };
const public_key = '4a0c5d2e9b114d2f8a576f0c5d2e9b44';
export const projectExample = '481516234201';
const dsn = `https://${public_key}@mooring.example.com/${projectExample}`;
const key = { public_key, name: 'Default', is_enabled: true, dsn, created_at: '2026-11-01T09:00:00.000Z' };
const old = '7c0c5d2e9b114d2f8a576f0c5d2e9b77';

export const sdkKeysExamples = {
  sentry_get: { params, response: { dsn, project_id: Number(projectExample), public_key } },
  sentryKeys_list: { params, response: { values: [key] } },
  sentryKeys_create: { params, body: { name: 'Version 2' }, response: { ...key, name: 'Version 2' } },
  sentryKeys_update: {
    params: { ...params, public_key },
    body: { name: 'Version 1' },
    response: { ...key, name: 'Version 1' },
  },
  sentryKeys_delete: { params: { ...params, public_key: old }, query: { overlap_hours: 2160 } },
} satisfies EndpointExamples<typeof import('./sdk-keys.contract.ts')>;
