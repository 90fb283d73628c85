import type { EndpointExamples } from '../endpoint/example.ts';

const app = { owner_name: 'ada', app_name: 'compass' };
const owner = { owner_name: 'ada' };
const version = 'com.example.compass@1.4.0+140';
const at = '2026-08-20T09:30:00.000Z';

const release = {
  version,
  dateCreated: at,
  dateReleased: null,
  url: null,
  newGroups: 0,
  lastEvent: null,
  projects: [{ slug: 'compass', name: 'compass' }],
} as const;
const body = { version, projects: ['compass'], dateStarted: at };
const change = { projects: ['compass'], dateReleased: at };
const finished = { ...release, dateReleased: at };

export const sentryReleasesExamples = {
  sentryReleases_createForApp: { params: app, body, response: release },
  sentryReleases_updateForApp: { params: { ...app, version }, body: change, response: finished },
  sentryReleases_create: { params: owner, body, response: release },
  sentryReleases_update: { params: { ...owner, version }, body: change, response: finished },
} satisfies EndpointExamples<typeof import('./sentry-releases.contract.ts')>;
