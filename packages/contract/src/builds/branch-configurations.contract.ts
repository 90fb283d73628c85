import { endpoint, json } from '../endpoint/index.ts';
import { Type } from '../type.ts';
import { BranchPath } from './builds.contract.ts';
import { BranchConfiguration, BranchSettings } from './toolsets.ts';

const common = { tag: 'builds', errorShape: 'identified' } as const;
const reading = { ...common, method: 'GET', effect: 'read', access: 'app:viewer', errors: [400, 403, 404] } as const;
const changing = { ...common, effect: 'change', access: 'app:developer', errors: [400, 403, 404, 409] } as const;
const one = {
  path: '/v0.1/apps/{owner_name}/{app_name}/branches/{branch}/config',
  params: Type.Object(BranchPath),
} as const;
const found = json(BranchConfiguration, { description: 'The configuration, without its secrets.' });

export const branchConfigurations_get = endpoint({
  ...reading,
  ...one,
  id: 'branchConfigurations_get',
  summary: 'Returns how a branch is built',
  description:
    'Secrets are masked. Values of environment variables are shown to developers only, and secret ones to nobody. Of a branch that has none of its own, the configuration of the closest pattern that matches it.',
  response: found,
});

export const branchConfigurations_create = endpoint({
  ...changing,
  ...one,
  id: 'branchConfigurations_create',
  method: 'POST',
  summary: 'Says how a branch is built',
  description:
    'A branch that is configured already is refused with 409: change it instead. Ours: a name with `*`, such as `release/*`, is a pattern; its configuration holds for every branch that it matches and that has none of its own.',
  request: json(BranchSettings),
  response: found,
});

export const branchConfigurations_update = endpoint({
  ...changing,
  ...one,
  id: 'branchConfigurations_update',
  method: 'PUT',
  summary: 'Replaces how a branch is built',
  description:
    'A mask that comes back in the place of a secret leaves the secret as it is. A branch that followed a pattern has a configuration of its own from then on.',
  request: json(BranchSettings),
  response: found,
});

export const branchConfigurations_delete = endpoint({
  ...changing,
  ...one,
  id: 'branchConfigurations_delete',
  method: 'DELETE',
  summary: 'Deletes the configuration of a branch, with its builds and their files',
  response: json(Type.Object({ message: Type.String() }), { description: 'It is gone.' }),
});

const Scheme = Type.Object({
  name: Type.String(),
  hasTestAction: Type.Boolean(),
  archiveConfiguration: Type.Optional(Type.String()),
  archiveProject: Type.Optional(
    Type.Object({
      archiveTargetId: Type.String(),
      projectName: Type.String(),
      projectPath: Type.Optional(Type.String()),
    }),
  ),
});
const Solution = Type.Object({
  path: Type.String(),
  configurations: Type.Array(Type.String()),
  defaultConfiguration: Type.Optional(Type.String()),
});

/** What a look at the sources finds. */
export const ToolsetProjects = Type.Object(
  {
    commit: Type.Optional(Type.String({ description: 'Of which this was found.' })),
    xcode: Type.Optional(
      Type.Object({
        xcodeSchemeContainers: Type.Array(
          Type.Object({
            path: Type.String(),
            sharedSchemes: Type.Array(Scheme),
            podfilePath: Type.Optional(Type.String()),
            cartfilePath: Type.Optional(Type.String()),
            xcodeProjectSha: Type.Optional(Type.String()),
            workspaceProjectPaths: Type.Optional(Type.String()),
          }),
        ),
      }),
    ),
    javascript: Type.Optional(
      Type.Object({
        packageJsonPaths: Type.Array(Type.String()),
        javascriptSolutions: Type.Optional(
          Type.Array(Type.Object({ packageJsonPath: Type.String(), reactNativeVersion: Type.Optional(Type.String()) })),
        ),
      }),
    ),
    xamarin: Type.Optional(Type.Object({ xamarinSolutions: Type.Array(Solution) })),
    android: Type.Optional(
      Type.Object({
        androidModules: Type.Array(
          Type.Object({
            name: Type.String(),
            hasBundle: Type.Optional(Type.Boolean()),
            productFlavors: Type.Optional(Type.Array(Type.String())),
            buildVariants: Type.Optional(Type.Array(Type.String())),
            buildTypes: Type.Optional(Type.Array(Type.String())),
            isRoot: Type.Optional(Type.Boolean()),
          }),
        ),
        gradleWrapperPath: Type.Optional(Type.String()),
      }),
    ),
    buildscripts: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'By folder, the scripts that lie there.' }),
    ),
    uwp: Type.Optional(Type.Object({ uwpSolutions: Type.Array(Solution) })),
  },
  { $id: 'ToolsetProjects' },
);

export const builds_listToolsetProjects = endpoint({
  ...reading,
  id: 'builds_listToolsetProjects',
  path: '/v0.1/apps/{owner_name}/{app_name}/branches/{branch}/toolset_projects',
  summary: 'Looks for projects in the sources of a branch',
  description: 'At its newest commit; while the repository cannot be reached, what the last build found.',
  params: Type.Object(BranchPath),
  query: Type.Object({
    os: Type.Enum(['iOS', 'Android', 'Windows', 'macOS']),
    platform: Type.Enum(['Objective-C-Swift', 'React-Native', 'Xamarin', 'Java', 'UWP']),
    maxSearchDepth: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })),
  }),
  response: json(ToolsetProjects, { description: 'What was found.' }),
  errors: [400, 403, 404, 503],
});

export const fileAssets_create = endpoint({
  ...changing,
  id: 'fileAssets_create',
  method: 'POST',
  path: '/v0.1/apps/{owner_name}/{app_name}/file_asset',
  summary: 'Begins the upload of a signing file, which a configuration then names by its id',
  params: Type.Object({ owner_name: BranchPath.owner_name, app_name: BranchPath.app_name }),
  request: json(Type.Object({})),
  response: json(
    Type.Object({
      id: Type.Optional(Type.String()),
      location: Type.Optional(Type.String()),
      token: Type.Optional(Type.String()),
      uploadDomain: Type.Optional(Type.String()),
      uploadWindowLocation: Type.Optional(Type.String()),
      urlEncodedToken: Type.Optional(Type.String()),
    }),
    { description: 'Where to send the file.' },
  ),
});
