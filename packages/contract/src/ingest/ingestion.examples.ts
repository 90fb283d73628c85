import type { EndpointExamples } from '../endpoint/example.ts';
import { installExample } from './logs.examples.ts';

const counts = { batches: 1, logs: 2, bytes: 1180, invalid: 1, dropped: 0, blocked: 0, refused: 0, limited: 0 };
const at = '2026-11-01T09:00:00.000Z';

export const ingestionExamples = {
  ingestion_get: {
    params: { owner_name: 'ada', app_name: 'compass' },
    response: {
      address: 'https://mooring.example.com',
      is_blocked: false,
      last_received_at: at,
      first_device: { model: 'Pixel 9', os: 'Android 15', received_at: at },
      hour: counts,
      day: counts,
      minutes: [{ at, ...counts }],
      senders: [{ sdk: 'appcenter.android', sdk_version: '5.0.6', app_version: '1.4.0', logs: 2, last_at: at }],
      consumers: [{ name: 'analytics', waiting: 1, waiting_since: at }],
      items: [
        { item: 'event', outcome: 'stored', reason: '', count: 2 },
        { item: 'transaction', outcome: 'dropped', reason: 'not_supported', count: 7 },
      ],
      invalid_logs: [
        {
          received_at: at,
          install_id: installExample,
          reason: 'unknown_type',
          log: '{"type":"evnt","name":"checkout"}',
        },
      ],
    },
  },
  ingestion_watch: { params: { owner_name: 'ada', app_name: 'compass' }, query: { seconds: 0 } },
} satisfies EndpointExamples<typeof import('./ingestion.contract.ts')>;
