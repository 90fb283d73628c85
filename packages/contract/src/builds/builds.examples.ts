import type { EndpointExamples } from '../endpoint/example.ts';
import type * as configurations from './branch-configurations.contract.ts';
import type * as buildSettings from './build-settings.contract.ts';
import type * as builds from './builds.contract.ts';
import type * as pushes from './pushes.contract.ts';
import type * as repositories from './repositories.contract.ts';

const app = { owner_name: 'ada', app_name: 'compass' };
const main = { ...app, branch: 'main' };
const done = { ...app, build_id: '1' };
const waiting = { ...app, build_id: '3' };
const sha = '5f2d1c8e0b7a4936d1e2f3a4b5c6d7e8f9a0b1c2';
const repo_url = 'https://git.example.com/ada/compass.git';
const pushSecret = 'mps_5YqWv3nXo8hQmR2TzLk9CdFgBjVsA1eUiPwE7xH4yNt';
const repository = { repo_url, username: 'mooring' };

const build = {
  id: 1,
  buildNumber: '1',
  queueTime: '2026-11-01T09:00:00.000Z',
  startTime: '2026-11-01T09:00:02.000Z',
  finishTime: '2026-11-01T09:01:13.000Z',
  lastChangedDate: '2026-11-01T09:01:13.000Z',
  status: 'completed',
  result: 'succeeded',
  reason: 'manual',
  sourceBranch: 'main',
  sourceVersion: sha,
  downloads: ['build', 'logs'],
} as const;
const queued = {
  id: 3,
  buildNumber: '3',
  queueTime: '2026-11-01T09:05:00.000Z',
  lastChangedDate: '2026-11-01T09:05:00.000Z',
  status: 'notStarted',
  result: 'none',
  reason: 'manual',
  sourceBranch: 'main',
  sourceVersion: sha,
  priority: 'normal',
} as const;

const settings = {
  trigger: 'manual',
  signed: false,
  toolsets: { android: { gradleWrapperPath: 'gradlew', module: 'app', buildVariant: 'release', runTests: true } },
  artifactVersioning: { buildNumberFormat: 'buildId' },
  environmentVariables: [{ name: 'STAGE', value: 'beta' }],
} as const;
const ofAll = { maxConcurrentBuilds: 9, environmentVariables: [{ name: 'REGION', value: 'north' }] } as const;
const configuration = { ...settings, id: 1 } as const;

export const buildsExamples = {
  builds_listBranches: {
    params: app,
    response: [
      {
        branch: { name: 'main', commit: { sha, url: '' } },
        configured: true,
        enabled: true,
        lastBuild: build,
      },
    ],
  },
  builds_listByBranch: { params: main, response: [build] },
  builds_list: { params: app, query: { limit: 50 }, response: { values: [queued, build] } },
  builds_create: { params: main, body: { sourceVersion: sha }, response: queued },
  builds_get: { params: done, response: build },
  builds_update: {
    params: waiting,
    body: { status: 'cancelling' },
    response: { ...queued, status: 'completed', result: 'canceled' },
  },
  builds_retry: { params: done, body: {}, response: { ...queued, id: 4, buildNumber: '4', retryOf: 1 } },
  buildSettings_get: { params: app, response: { ...ofAll, branchPatterns: ['release/*'] } },
  buildSettings_update: { params: app, body: ofAll, response: { ...ofAll, branchPatterns: [] } },
  builds_distribute: {
    params: done,
    body: { destinations: [], releaseNotes: 'The compass points north again.', notifyTesters: false },
    response: { status: 'queued', upload_id: '0192f3d0-0000-7000-8000-0000000000d1' },
  },
  builds_getDownloadUri: {
    params: { ...done, download_type: 'build' },
    response: { uri: 'https://mooring.example.com/files/YnVpbGQ/compass_1.zip' },
  },
  builds_getBadge: { params: { app_id: '0192f3d0-0000-7000-8000-000000000001', branch: 'badged' } },
  builds_getLog: { params: done, response: { value: ['== Sources', 'clone of main'] } },
  builds_watchLog: { params: done, query: { seconds: 0 } },
  commits_listByShaList: {
    params: app,
    query: { hashes: sha },
    response: [
      {
        sha,
        url: '',
        commit: {
          message: 'Fix the compass direction',
          author: { name: 'Ada Lovelace', email: 'ada@example.com', date: '2026-11-01T08:59:00Z' },
        },
      },
    ],
  },
  builds_listToolsets: {
    params: app,
    query: {},
    response: { xcode: [], xamarin: [], node: [{ name: '26.10.0', current: true }] },
  },
  builds_listXamarinSDKBundles: { params: app, response: [] },
  builds_listXcodeVersions: { params: app, response: [{ name: '16.2', current: true }] },
  builds_getStatusByAppId: { params: app, response: { status: 'available', service: 'build', os: 'Android' } },
  branchConfigurations_get: { params: main, response: configuration },
  branchConfigurations_create: {
    params: { ...app, branch: 'release/1.4' },
    body: settings,
    response: { ...configuration, id: 2 },
  },
  branchConfigurations_update: { params: main, body: settings, response: configuration },
  branchConfigurations_delete: {
    params: main,
    response: { message: 'Deleted the build configuration of the branch main.' },
  },
  builds_listToolsetProjects: {
    params: main,
    query: { os: 'Android', platform: 'Java' },
    response: {
      commit: sha,
      android: { androidModules: [{ name: 'app', buildVariants: ['debug', 'release'] }], gradleWrapperPath: 'gradlew' },
    },
  },
  fileAssets_create: {
    params: app,
    body: {},
    response: {
      id: '0192f3d0-0000-7000-8000-0000000000e1',
      uploadDomain: 'https://mooring.example.com',
      token: '1a2b.c3d4',
      urlEncodedToken: '1a2b.c3d4',
      location: 'mooring',
      uploadWindowLocation: 'https://mooring.example.com/upload',
    },
  },
  repositoryConfigurations_list: {
    params: app,
    query: {},
    response: [{ ...repository, id: '0192f3d0-0000-7000-8000-0000000000f1', type: 'git', state: 'active' }],
  },
  repositoryConfigurations_createOrUpdate: {
    params: app,
    body: { ...repository, password: 'a token of that host' },
    response: { message: 'Connected https://git.example.com/ada/compass.git.' },
  },
  repositoryConfigurations_delete: {
    params: app,
    response: { message: 'Disconnected the repository.' },
  },
  pushHooks_create: {
    params: app,
    body: {},
    response: {
      url: 'https://mooring.example.com/v0.1/public/pushes/0192f3d0-0000-7000-8000-0000000000a7',
      secret: pushSecret,
      git_hook:
        "curl -fsS -H 'Content-Type: text/plain' -H 'X-Mooring-Token: mps_…' --data-binary @- https://mooring.example.com/v0.1/public/pushes/0192f3d0-0000-7000-8000-0000000000a7",
    },
  },
  pushHooks_delete: { params: app },
  pushes_receive: {
    params: { hook_id: '0192f3d0-0000-7000-8000-0000000000a7' },
    headers: { 'x-mooring-token': pushSecret },
    body: `0000000000000000000000000000000000000000 ${sha} refs/heads/main`,
    response: {
      builds: [],
      skipped: [{ branch: 'main', reason: 'The branch is built on demand only, not on push.' }],
      waiting: [],
    },
  },
  repositories_list: {
    params: { ...app, source_host: 'gitlab' },
    query: {},
    response: [{ name: 'compass', clone_url: 'https://gitlab.com/ada/compass.git' }],
  },
} as const satisfies EndpointExamples<typeof builds> &
  EndpointExamples<typeof buildSettings> &
  EndpointExamples<typeof configurations> &
  EndpointExamples<typeof repositories> &
  EndpointExamples<typeof pushes>;
