import type { EndpointExamples } from '../endpoint/example.ts';

const params = { owner_name: 'ada', app_name: 'compass' };
const record = {
  InstallId: '0d1f7c1e-3a53-4d0c-9a61-0b4e9a0f2d11',
  MessageType: 'EventLog',
  Timestamp: '2026-03-01T08:59:59.000Z',
  EventId: '7b1f7c1e-3a53-4d0c-9a61-0b4e9a0f2d13',
  EventName: 'checkout',
  SessionId: '5b7c1f0e-3a53-4d0c-9a61-0b4e9a0f2d11',
  AppVersion: '1.2.0',
  AppBuild: '120',
  OsName: 'Android',
  OsVersion: '14',
  Model: 'Pixel 7',
  Properties: '{"plan":"pro"}',
};

export const historyExamples = {
  history_import: {
    params,
    body: [record],
    response: { accepted: 1, invalid: 0, dropped: 0, is_repeated: false },
  },
  history_read: { params, query: { entity: 'logs', day: '2026-11-01' }, response: { records: [record] } },
} satisfies EndpointExamples<typeof import('./history.contract.ts')>;
