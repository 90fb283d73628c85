import { endpoint, events, json, text } from '../endpoint/index.ts';
import { AppPath, Time } from '../fields.ts';
import { LiveQuery } from '../live.ts';
import { Page, PageQuery } from '../paging.ts';
import { Type } from '../type.ts';
import { EnvironmentVariable } from './toolsets.ts';

export const buildStatuses = ['notStarted', 'inProgress', 'cancelling', 'completed'] as const;
export const buildResults = ['none', 'succeeded', 'failed', 'canceled'] as const;
/** Of those that wait, of the same owner: which a runner takes first. */
export const buildPriorities = ['low', 'normal', 'high'] as const;
export const downloadTypes = ['build', 'symbols', 'logs', 'mapping', 'bundle'] as const;

export const BranchName = Type.String({ minLength: 1, maxLength: 250 });
export const BranchPath = { ...AppPath, branch: BranchName };
const BuildPath = { ...AppPath, build_id: Type.String({ pattern: '^[0-9]{1,9}$' }) };

export const Build = Type.Object(
  {
    id: Type.Integer({ minimum: 0, description: 'Counts the builds of the app; never used again.' }),
    buildNumber: Type.String({ description: 'The same as a text.' }),
    queueTime: Time,
    startTime: Type.Optional(Time),
    finishTime: Type.Optional(Time),
    lastChangedDate: Type.Optional(Time),
    status: Type.Enum([...buildStatuses]),
    result: Type.Enum([...buildResults]),
    reason: Type.Optional(Type.String({ description: 'What began it: manual or push.' })),
    sourceBranch: Type.String(),
    sourceVersion: Type.String({ description: 'The commit.' }),
    priority: Type.Optional(Type.Enum([...buildPriorities], { description: 'Ours: who is taken first of the queue.' })),
    retryOf: Type.Optional(Type.Integer({ description: 'Ours: the build that this one repeats.' })),
    failure: Type.Optional(Type.String({ description: 'Ours: why it failed, in a sentence.' })),
    waiting: Type.Optional(Type.String({ description: 'Ours: why no runner has taken it yet, while it waits.' })),
    downloads: Type.Optional(
      Type.Array(Type.Enum([...downloadTypes]), { description: 'Ours: which downloads there are.' }),
    ),
  },
  { $id: 'Build' },
);

const common = { tag: 'builds', errorShape: 'identified', errors: [400, 403, 404] } as const;
const reading = { ...common, method: 'GET', effect: 'read', access: 'app:viewer' } as const;
const changing = { ...common, effect: 'change', access: 'app:developer', errors: [400, 403, 404, 409] } as const;
const at = '/v0.1/apps/{owner_name}/{app_name}';
const params = Type.Object(AppPath);
const ofBuild = { params: Type.Object(BuildPath) };
const priority = Type.Optional(
  Type.Enum([...buildPriorities], { description: 'Ours: before or after others of the same owner that wait.' }),
);
const found = json(Build, { description: 'The build.' });

export const builds_listBranches = endpoint({
  ...reading,
  id: 'builds_listBranches',
  path: `${at}/branches`,
  summary: 'Lists the branches of an app, whether each is configured, and its last build',
  description: 'As the repository says; while it cannot be reached, those that are configured or were built.',
  params,
  response: json(
    Type.Array(
      Type.Object({
        branch: Type.Object({
          name: Type.String(),
          commit: Type.Object({ sha: Type.String(), url: Type.String() }),
        }),
        configured: Type.Boolean(),
        enabled: Type.Optional(
          Type.Boolean({ description: 'Same as configured: a configured branch cannot be switched off.' }),
        ),
        lastBuild: Type.Optional(Build),
      }),
    ),
    { description: 'All of them, by name.' },
  ),
});

export const builds_listByBranch = endpoint({
  ...reading,
  id: 'builds_listByBranch',
  path: `${at}/branches/{branch}/builds`,
  summary: 'Lists the builds of a branch, newest first',
  params: Type.Object(BranchPath),
  response: json(Type.Array(Build), { description: 'The last thousand.' }),
});

export const builds_create = endpoint({
  ...changing,
  id: 'builds_create',
  method: 'POST',
  path: `${at}/branches/{branch}/builds`,
  summary: 'Queues a build of a branch: of its newest commit, or of one that is named',
  params: Type.Object(BranchPath),
  request: json(
    Type.Object({
      sourceVersion: Type.Optional(Type.String({ pattern: '^[0-9a-fA-F]{40}$', description: 'A commit, in full.' })),
      debug: Type.Optional(Type.Boolean({ description: 'Its log tells more.' })),
      priority,
      environmentVariables: Type.Optional(
        Type.Array(EnvironmentVariable, {
          maxItems: 100,
          description: 'Ours: for this build alone; they win over those of the app and of the branch.',
        }),
      ),
    }),
  ),
  response: json(Build, { description: 'It is in the queue.' }),
  errors: [400, 403, 404, 409, 429, 503],
});

export const builds_list = endpoint({
  ...reading,
  id: 'builds_list',
  path: `${at}/builds`,
  summary: 'Lists the builds of an app, newest first',
  description: 'Ours: of all branches, page by page.',
  params,
  query: Type.Object({
    ...PageQuery,
    branch: Type.Optional(BranchName),
    status: Type.Optional(Type.Enum([...buildStatuses])),
    result: Type.Optional(Type.Enum([...buildResults])),
  }),
  response: json(Page(Build), { description: 'One page of them.' }),
});

export const builds_get = endpoint({
  ...reading,
  ...ofBuild,
  id: 'builds_get',
  path: `${at}/builds/{build_id}`,
  summary: 'Returns a build',
  response: found,
});

export const builds_update = endpoint({
  ...changing,
  ...ofBuild,
  id: 'builds_update',
  method: 'PATCH',
  path: `${at}/builds/{build_id}`,
  summary: 'Cancels a build, or says how urgent one is that waits',
  request: json(Type.Object({ status: Type.Optional(Type.Enum(['cancelling'])), priority })),
  response: found,
});

export const builds_retry = endpoint({
  ...changing,
  ...ofBuild,
  id: 'builds_retry',
  method: 'POST',
  path: `${at}/builds/{build_id}/retry`,
  summary: 'Builds the commit of a build that has ended once more',
  description:
    'Ours. A build of its own, with the next number, by the configuration as it is now and with the variables that were given to the first.',
  request: json(Type.Object({})),
  response: json(Build, { description: 'It is in the queue.' }),
  errors: [400, 403, 404, 409, 429],
});

export const builds_distribute = endpoint({
  ...changing,
  ...ofBuild,
  id: 'builds_distribute',
  method: 'POST',
  path: `${at}/builds/{build_id}/distribute`,
  summary: 'Makes a release of a build, and gives it to groups, testers and stores',
  request: json(
    Type.Object({
      destinations: Type.Optional(
        Type.Array(
          Type.Object({
            id: Type.String({
              minLength: 1,
              maxLength: 254,
              description: 'Of the group or store; of a tester the e-mail.',
            }),
            type: Type.Enum(['store', 'group', 'tester']),
          }),
          { maxItems: 100 },
        ),
      ),
      releaseNotes: Type.Optional(Type.String({ maxLength: 5000 })),
      mandatoryUpdate: Type.Optional(Type.Boolean()),
      notifyTesters: Type.Optional(Type.Boolean({ default: true })),
    }),
  ),
  response: json(
    Type.Object({
      status: Type.Optional(Type.String()),
      upload_id: Type.Optional(Type.String({ description: 'Of the upload that becomes the release.' })),
    }),
    { description: 'It is on its way.' },
  ),
});

export const builds_getDownloadUri = endpoint({
  ...reading,
  id: 'builds_getDownloadUri',
  path: `${at}/builds/{build_id}/downloads/{download_type}`,
  summary: 'Tells where something that a build made can be downloaded, without a token',
  description: '`build` and `logs` come as a zip.',
  params: Type.Object({ ...BuildPath, download_type: Type.Enum([...downloadTypes]) }),
  response: json(Type.Object({ uri: Type.String() }), { description: 'The address; it expires.' }),
});

export const builds_getBadge = endpoint({
  ...common,
  id: 'builds_getBadge',
  method: 'GET',
  path: '/v0.1/apps/{app_id}/branches/{branch}/badge',
  summary: 'Shows how the last build of a branch ended, as a picture for a page',
  description:
    'By the id of the app, as it always was. Open to everybody, for a branch whose configuration has `badgeIsEnabled`; any other is not found.',
  access: 'public',
  effect: 'read',
  params: Type.Object({ app_id: Type.String({ minLength: 1, maxLength: 100 }), branch: BranchName }),
  response: text({ type: 'image/svg+xml', description: 'The picture.', cache: 'no-cache' }),
  errors: [404],
});

export const builds_getLog = endpoint({
  ...reading,
  ...ofBuild,
  id: 'builds_getLog',
  path: `${at}/builds/{build_id}/logs`,
  summary: 'Returns the log of a build, line by line',
  response: json(Type.Object({ value: Type.Optional(Type.Array(Type.String())) }), {
    description: 'All of it so far.',
  }),
});

export const builds_watchLog = endpoint({
  ...reading,
  ...ofBuild,
  id: 'builds_watchLog',
  path: `${at}/builds/{build_id}/logs/live`,
  summary: 'Tells the log of a build while it is written',
  description: 'Ours. The id of an event is an offset: sent back in Last-Event-ID, the log goes on from there.',
  query: Type.Object(LiveQuery),
  response: events(
    {
      log: Type.Object({ text: Type.String() }),
      build: Build,
    },
    { description: 'What is added to the log, and the build whenever it changes.' },
  ),
});

export const commits_listByShaList = endpoint({
  ...reading,
  id: 'commits_listByShaList',
  path: `${at}/commits/batch`,
  summary: 'Returns commits, in the order in which they are asked for',
  params,
  query: Type.Object({
    hashes: Type.String({ minLength: 1, maxLength: 8192, description: 'Commits in full, with commas.' }),
  }),
  response: json(
    Type.Array(
      Type.Object({
        sha: Type.Optional(Type.String()),
        url: Type.Optional(Type.String()),
        commit: Type.Optional(
          Type.Object({
            message: Type.Optional(Type.String()),
            author: Type.Optional(
              Type.Object({
                date: Type.Optional(Type.String()),
                name: Type.Optional(Type.String()),
                email: Type.Optional(Type.String()),
              }),
            ),
          }),
        ),
      }),
    ),
    { description: 'One for each; of one that is not known only what was asked for.' },
  ),
});

const Tool = Type.Object({ name: Type.Optional(Type.String()), current: Type.Optional(Type.Boolean()) });
const XamarinBundle = Type.Object({
  monoVersion: Type.Optional(Type.String()),
  sdkBundle: Type.Optional(Type.String()),
  current: Type.Optional(Type.Boolean()),
  stable: Type.Optional(Type.Boolean({ description: 'False for pre-release versions, such as 11.0.100-preview.3.' })),
  xcodeVersions: Type.Optional(Type.Array(Type.String())),
});
const declared = 'As the runners that take jobs of this app declare it.';

export const builds_listToolsets = endpoint({
  ...reading,
  id: 'builds_listToolsets',
  path: `${at}/toolsets`,
  summary: 'Lists the tools that builds of an app can use',
  description: declared,
  params,
  query: Type.Object({ tools: Type.Optional(Type.Enum(['xamarin', 'xcode', 'node'])) }),
  response: json(
    Type.Object({
      xamarin: Type.Optional(Type.Array(XamarinBundle)),
      xcode: Type.Optional(Type.Array(Tool)),
      node: Type.Optional(Type.Array(Tool)),
    }),
    { description: 'By kind, newest first; the first is taken where a branch names none.' },
  ),
});

export const builds_listXamarinSDKBundles = endpoint({
  ...reading,
  id: 'builds_listXamarinSDKBundles',
  path: `${at}/xamarin_sdk_bundles`,
  summary: 'Lists the Xamarin SDKs that builds of an app can use',
  description: declared,
  params,
  response: json(Type.Array(XamarinBundle), { description: 'Newest first.' }),
});

export const builds_listXcodeVersions = endpoint({
  ...reading,
  id: 'builds_listXcodeVersions',
  path: `${at}/xcode_versions`,
  summary: 'Lists the versions of Xcode that builds of an app can use',
  description: declared,
  params,
  response: json(Type.Array(Tool), { description: 'Newest first.' }),
});

export const builds_getStatusByAppId = endpoint({
  ...reading,
  id: 'builds_getStatusByAppId',
  path: `${at}/build_service_status`,
  summary: 'Tells whether builds of an app find a runner',
  params,
  response: json(
    Type.Object({
      status: Type.Optional(Type.String({ description: 'available, or unavailable while no runner is online.' })),
      service: Type.Optional(Type.String()),
      message: Type.Optional(Type.String()),
      url: Type.Optional(Type.String()),
      valid_until: Type.Optional(Type.Integer()),
      os: Type.Optional(Type.String()),
    }),
    { description: 'The status.' },
  ),
});
