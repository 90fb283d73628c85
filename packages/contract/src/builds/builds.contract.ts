import { endpoint, events, json, text } from '../endpoint/index.ts';
import { AppPath, Time } from '../fields.ts';
import { LiveQuery } from '../live.ts';
import { Page, PageQuery } from '../paging.ts';
import { Type } from '../type.ts';
import { EnvironmentVariable } from './toolsets.ts';

export const buildStatuses = ['notStarted', 'inProgress', 'cancelling', 'completed'] as const;
export const buildResults = ['none', 'succeeded', 'failed', 'canceled'] as const;
/** Decides the order of queued builds of one owner. */
export const buildPriorities = ['low', 'normal', 'high'] as const;
export const downloadTypes = ['build', 'symbols', 'logs', 'mapping', 'bundle'] as const;

export const BranchName = Type.String({ minLength: 1, maxLength: 250 });
export const BranchPath = { ...AppPath, branch: BranchName };
const BuildPath = { ...AppPath, build_id: Type.String({ pattern: '^[0-9]{1,9}$' }) };

export const Build = Type.Object(
  {
    id: Type.Integer({ minimum: 0, description: 'The number of the build in its app. Never reused.' }),
    buildNumber: Type.String({ description: 'The `id` as a string.' }),
    queueTime: Time,
    startTime: Type.Optional(Time),
    finishTime: Type.Optional(Time),
    lastChangedDate: Type.Optional(Time),
    status: Type.Enum([...buildStatuses]),
    result: Type.Enum([...buildResults]),
    reason: Type.Optional(Type.String({ description: 'The trigger of the build: manual or push.' })),
    sourceBranch: Type.String(),
    sourceVersion: Type.String({ description: 'The commit that was built.' }),
    priority: Type.Optional(
      Type.Enum([...buildPriorities], { description: 'Mooring only: the priority of the build among queued builds.' }),
    ),
    retryOf: Type.Optional(Type.Integer({ description: 'Mooring only: the build that this one retries.' })),
    failure: Type.Optional(Type.String({ description: 'Mooring only: the reason of the failure.' })),
    waiting: Type.Optional(Type.String({ description: 'Mooring only: why the queued build has not started.' })),
    downloads: Type.Optional(
      Type.Array(Type.Enum([...downloadTypes]), { description: 'Mooring only: the available downloads.' }),
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
  Type.Enum([...buildPriorities], { description: 'Mooring only: the priority among queued builds of the same owner.' }),
);
const found = json(Build, { description: 'The build.' });

export const builds_listBranches = endpoint({
  ...reading,
  id: 'builds_listBranches',
  path: `${at}/branches`,
  summary: 'List the branches of an app, with their last build and whether they are configured',
  description: 'Reads the repository. If it is unreachable, returns branches that are configured or were built.',
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
          Type.Boolean({ description: "Same as `configured`: a configured branch can't be turned off." }),
        ),
        lastBuild: Type.Optional(Build),
      }),
    ),
    { description: 'All branches, sorted by name.' },
  ),
});

export const builds_listByBranch = endpoint({
  ...reading,
  id: 'builds_listByBranch',
  path: `${at}/branches/{branch}/builds`,
  summary: 'List the builds of a branch, newest first',
  params: Type.Object(BranchPath),
  response: json(Type.Array(Build), { description: 'The last 1,000 builds.' }),
});

export const builds_create = endpoint({
  ...changing,
  id: 'builds_create',
  method: 'POST',
  path: `${at}/branches/{branch}/builds`,
  summary: 'Queue a build of the newest commit of a branch, or of a specific commit',
  params: Type.Object(BranchPath),
  request: json(
    Type.Object({
      sourceVersion: Type.Optional(
        Type.String({ pattern: '^[0-9a-fA-F]{40}$', description: 'The full hash of a commit.' }),
      ),
      debug: Type.Optional(Type.Boolean({ description: 'Write more details to the log.' })),
      priority,
      environmentVariables: Type.Optional(
        Type.Array(EnvironmentVariable, {
          maxItems: 100,
          description:
            'Mooring only: set in this build only. They take precedence over those of the app and the branch.',
        }),
      ),
    }),
  ),
  response: json(Build, { description: 'The queued build.' }),
  errors: [400, 403, 404, 409, 429, 503],
});

export const builds_list = endpoint({
  ...reading,
  id: 'builds_list',
  path: `${at}/builds`,
  summary: 'List the builds of an app, newest first',
  description: 'Mooring only: builds of all branches, in pages.',
  params,
  query: Type.Object({
    ...PageQuery,
    branch: Type.Optional(BranchName),
    status: Type.Optional(Type.Enum([...buildStatuses])),
    result: Type.Optional(Type.Enum([...buildResults])),
  }),
  response: json(Page(Build), { description: 'A page of builds.' }),
});

export const builds_get = endpoint({
  ...reading,
  ...ofBuild,
  id: 'builds_get',
  path: `${at}/builds/{build_id}`,
  summary: 'Get a build',
  response: found,
});

export const builds_update = endpoint({
  ...changing,
  ...ofBuild,
  id: 'builds_update',
  method: 'PATCH',
  path: `${at}/builds/{build_id}`,
  summary: 'Cancel a build, or change the priority of a queued build',
  request: json(Type.Object({ status: Type.Optional(Type.Enum(['cancelling'])), priority })),
  response: found,
});

export const builds_retry = endpoint({
  ...changing,
  ...ofBuild,
  id: 'builds_retry',
  method: 'POST',
  path: `${at}/builds/{build_id}/retry`,
  summary: 'Build the commit of a finished build again',
  description:
    'Mooring only. Queues a new build with the next number, the current configuration, and the variables that were set for the original build.',
  request: json(Type.Object({})),
  response: json(Build, { description: 'The queued build.' }),
  errors: [400, 403, 404, 409, 429],
});

export const builds_distribute = endpoint({
  ...changing,
  ...ofBuild,
  id: 'builds_distribute',
  method: 'POST',
  path: `${at}/builds/{build_id}/distribute`,
  summary: 'Create a release from a build and distribute it to groups, testers and stores',
  request: json(
    Type.Object({
      destinations: Type.Optional(
        Type.Array(
          Type.Object({
            id: Type.String({
              minLength: 1,
              maxLength: 254,
              description: 'The ID of the group or store, or the email of the tester.',
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
      upload_id: Type.Optional(Type.String({ description: 'The ID of the upload that becomes the release.' })),
    }),
    { description: 'Accepted. The server creates the release in the background.' },
  ),
});

export const builds_getDownloadUri = endpoint({
  ...reading,
  id: 'builds_getDownloadUri',
  path: `${at}/builds/{build_id}/downloads/{download_type}`,
  summary: 'Get a URL that downloads an artifact of a build without a token',
  description: '`build` and `logs` are zip files.',
  params: Type.Object({ ...BuildPath, download_type: Type.Enum([...downloadTypes]) }),
  response: json(Type.Object({ uri: Type.String() }), { description: 'The URL. It expires.' }),
});

export const builds_getBadge = endpoint({
  ...common,
  id: 'builds_getBadge',
  method: 'GET',
  path: '/v0.1/apps/{app_id}/branches/{branch}/badge',
  summary: 'Get the status of the last build of a branch as a badge image',
  description:
    'Public if the configuration of the branch has `badgeIsEnabled`. Otherwise 404. Identifies the app by its ID, for existing links.',
  access: 'public',
  effect: 'read',
  params: Type.Object({ app_id: Type.String({ minLength: 1, maxLength: 100 }), branch: BranchName }),
  response: text({ type: 'image/svg+xml', description: 'The badge as SVG.', cache: 'no-cache' }),
  errors: [404],
});

export const builds_getLog = endpoint({
  ...reading,
  ...ofBuild,
  id: 'builds_getLog',
  path: `${at}/builds/{build_id}/logs`,
  summary: 'Get the log of a build, line by line',
  response: json(Type.Object({ value: Type.Optional(Type.Array(Type.String())) }), {
    description: 'The log written so far.',
  }),
});

export const builds_watchLog = endpoint({
  ...reading,
  ...ofBuild,
  id: 'builds_watchLog',
  path: `${at}/builds/{build_id}/logs/live`,
  summary: 'Stream the log of a build, as server-sent events',
  description: 'Mooring only. The ID of an event is an offset: send it in Last-Event-ID to resume the log from there.',
  query: Type.Object(LiveQuery),
  response: events(
    {
      log: Type.Object({ text: Type.String() }),
      build: Build,
    },
    { description: 'New text of the log, and the build when it changes.' },
  ),
});

export const commits_listByShaList = endpoint({
  ...reading,
  id: 'commits_listByShaList',
  path: `${at}/commits/batch`,
  summary: 'Get commits, in the order of the request',
  params,
  query: Type.Object({
    hashes: Type.String({ minLength: 1, maxLength: 8192, description: 'Full commit hashes, comma-separated.' }),
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
    { description: 'One entry for each hash. An unknown commit has only its hash.' },
  ),
});

const Tool = Type.Object({
  name: Type.Optional(Type.String()),
  current: Type.Optional(Type.Boolean({ description: 'True for the default, which branches use if they name none.' })),
});
const XamarinBundle = Type.Object({
  monoVersion: Type.Optional(Type.String()),
  sdkBundle: Type.Optional(Type.String()),
  current: Type.Optional(Type.Boolean({ description: 'True for the default, which branches use if they name none.' })),
  stable: Type.Optional(Type.Boolean({ description: 'False for pre-release versions, such as 11.0.100-preview.3.' })),
  xcodeVersions: Type.Optional(Type.Array(Type.String())),
});
const declared = 'Reported by the online runners that accept jobs of this app.';

export const builds_listToolsets = endpoint({
  ...reading,
  id: 'builds_listToolsets',
  path: `${at}/toolsets`,
  summary: 'List the tools that builds of an app can use',
  description: declared,
  params,
  query: Type.Object({ tools: Type.Optional(Type.Enum(['xamarin', 'xcode', 'node'])) }),
  response: json(
    Type.Object({
      xamarin: Type.Optional(Type.Array(XamarinBundle)),
      xcode: Type.Optional(Type.Array(Tool)),
      node: Type.Optional(Type.Array(Tool)),
    }),
    { description: 'The tools of each kind, newest first. A branch that names none uses the first.' },
  ),
});

export const builds_listXamarinSDKBundles = endpoint({
  ...reading,
  id: 'builds_listXamarinSDKBundles',
  path: `${at}/xamarin_sdk_bundles`,
  summary: 'List the Xamarin SDKs that builds of an app can use',
  description: declared,
  params,
  response: json(Type.Array(XamarinBundle), { description: 'The SDKs, newest first.' }),
});

export const builds_listXcodeVersions = endpoint({
  ...reading,
  id: 'builds_listXcodeVersions',
  path: `${at}/xcode_versions`,
  summary: 'List the versions of Xcode that builds of an app can use',
  description: declared,
  params,
  response: json(Type.Array(Tool), { description: 'The versions, newest first.' }),
});

export const builds_getStatusByAppId = endpoint({
  ...reading,
  id: 'builds_getStatusByAppId',
  path: `${at}/build_service_status`,
  summary: 'Check whether a runner for builds of an app is online',
  params,
  response: json(
    Type.Object({
      status: Type.Optional(Type.String({ description: '`available`, or `unavailable` while no runner is online.' })),
      service: Type.Optional(Type.String()),
      message: Type.Optional(Type.String()),
      url: Type.Optional(Type.String()),
      valid_until: Type.Optional(Type.Integer()),
      os: Type.Optional(Type.String()),
    }),
    { description: 'The status.' },
  ),
});
