import type { EndpointExamples } from '../endpoint/example.ts';

const job_id = '0198c7a4-0a80-7d10-8d7e-0c1b7a6f5e46';

export const administrationExamples = {
  adminJobs_list: {
    query: { state: 'dead', limit: 50 },
    response: {
      values: [
        {
          id: job_id,
          name: 'mail.deliver',
          payload: { mailId: '0198c7a4-0a80-7d10-8d7e-0c1b7a6f5e45' },
          attempts: 15,
          created_at: '2026-11-01T09:00:00.000Z',
          last_error: 'connect ECONNREFUSED',
          failed_at: '2026-11-01T16:12:00.000Z',
        },
      ],
    },
  },
  adminJobs_replay: { params: { job_id }, body: {} },
  adminJobs_delete: { params: { job_id } },
  adminLive_watch: { query: { seconds: 0 } },
  adminServer_get: {
    response: {
      version: '0.1.0',
      node: '26.10.0',
      started_at: '2026-11-01T09:00:00.000Z',
      public_url: 'https://mooring.example.com',
      database: 'sqlite',
      jobs: { waiting: 0, running: 0, dead: 1 },
      settings: [
        {
          name: 'MOORING_HTTPS_PORT',
          value: '8443',
          is_secret: false,
          description: 'Port for HTTPS; 0 for any free port.',
        },
      ],
    },
  },
} satisfies EndpointExamples<typeof import('./administration.contract.ts')>;
