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
const found = json(BranchConfiguration, { description: 'The configuration, with secrets masked.' });

export const branchConfigurations_get = endpoint({
  ...reading,
  ...one,
  id: 'branchConfigurations_get',
  summary: 'Get the build configuration of a branch',
  description:
    'Secrets are masked. Only developers see the values of environment variables, and no one sees secret ones. For a branch without a configuration, returns the configuration of the closest matching pattern.',
  response: found,
});

export const branchConfigurations_create = endpoint({
  ...changing,
  ...one,
  id: 'branchConfigurations_create',
  method: 'POST',
  summary: 'Create the build configuration of a branch',
  description:
    'Fails with 409 if the branch is configured already; update its configuration instead. Mooring only: a name with `*`, such as `release/*`, is a pattern. Its configuration applies to all matching branches that have none.',
  request: json(BranchSettings),
  response: found,
});

export const branchConfigurations_update = endpoint({
  ...changing,
  ...one,
  id: 'branchConfigurations_update',
  method: 'PUT',
  summary: 'Replace the build configuration of a branch',
  description:
    'A masked secret in the request keeps its current value. A branch that used a pattern gets its own configuration.',
  request: json(BranchSettings),
  response: found,
});

export const branchConfigurations_delete = endpoint({
  ...changing,
  ...one,
  id: 'branchConfigurations_delete',
  method: 'DELETE',
  summary: 'Delete the build configuration of a branch, with its builds and their files',
  response: json(Type.Object({ message: Type.String() }), { description: 'Deleted.' }),
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

/** The projects found in the sources of a branch. */
export const ToolsetProjects = Type.Object(
  {
    commit: Type.Optional(Type.String({ description: 'The commit that was searched.' })),
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
      Type.Record(Type.String(), Type.Unknown(), { description: 'The build scripts in each folder.' }),
    ),
    uwp: Type.Optional(Type.Object({ uwpSolutions: Type.Array(Solution) })),
  },
  { $id: 'ToolsetProjects' },
);

export const builds_listToolsetProjects = endpoint({
  ...reading,
  id: 'builds_listToolsetProjects',
  path: '/v0.1/apps/{owner_name}/{app_name}/branches/{branch}/toolset_projects',
  summary: 'List the projects in the sources of a branch',
  description:
    'Reads the newest commit. If the repository is unreachable, returns the projects that the last build found.',
  params: Type.Object(BranchPath),
  query: Type.Object({
    os: Type.Enum(['iOS', 'Android', 'Windows', 'macOS']),
    platform: Type.Enum(['Objective-C-Swift', 'React-Native', 'Xamarin', 'Java', 'UWP']),
    maxSearchDepth: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })),
  }),
  response: json(ToolsetProjects, { description: 'The projects that were found.' }),
  errors: [400, 403, 404, 503],
});

export const fileAssets_create = endpoint({
  ...changing,
  id: 'fileAssets_create',
  method: 'POST',
  path: '/v0.1/apps/{owner_name}/{app_name}/file_asset',
  summary: 'Start the upload of a signing file, which build configurations refer to by its ID',
  params: Type.Object({ owner_name: BranchPath.owner_name, app_name: BranchPath.app_name }),
  request: json(Type.Object({})),
  response: json(
    Type.Object({
      id: Type.Optional(Type.String()),
      location: Type.Optional(Type.String()),
      token: Type.Optional(Type.String()),
      uploadDomain: Type.Optional(Type.String()),
      uploadWindowLocation: Type.Optional(Type.String({ description: 'The URL to send the file to.' })),
      urlEncodedToken: Type.Optional(
        Type.String({ description: 'The token for the upload, encoded for a query string.' }),
      ),
    }),
    { description: 'The ID of the file, and where to upload it.' },
  ),
});
