import type { EndpointExamples } from '../endpoint/example.ts';

const params = { owner_name: 'ada', app_name: 'compass' };
const body = {
  type: 'github',
  project: 'ada/compass',
  base_url: 'https://github.example.com/api/v3',
  token: 'ghp_0e1d2c3b4a5968778695',
  event_types: [],
  label: 'crash',
} as const;
const tracker = {
  type: 'github',
  state: 'enabled',
  token_id: '0198c7a4-0a80-7d10-8d7e-0c1b7a6f5ea1',
  event_types: [],
  settings: {
    type: 'github',
    owner_name: 'ada',
    github_repo_id: 1296269,
    github_repo_name: 'ada/compass',
    github_label: 'crash',
  },
  base_url: body.base_url,
  project: body.project,
  label: body.label,
  follows_state: true,
  closes_tickets: false,
  checked_at: '2026-11-01T09:00:00.000Z',
  waiting_tickets: 0,
} as const;

export const bugTrackersExamples = {
  bugtracker_getSettings: { params, response: tracker },
  bugtracker_connect: { params, body, response: tracker },
  bugtracker_check: { params, body: {}, response: tracker },
  bugtracker_disconnect: { params },
} satisfies EndpointExamples<typeof import('./bug-trackers.contract.ts')>;
