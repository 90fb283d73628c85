import { endpoint, json } from '../endpoint/index.ts';
import { AppPath } from '../fields.ts';
import { Type } from '../type.ts';
import { EnvironmentVariable } from './toolsets.ts';

const common = {
  tag: 'builds',
  errorShape: 'identified',
  path: '/v0.1/apps/{owner_name}/{app_name}/build_settings',
  params: Type.Object(AppPath),
  errors: [400, 403, 404],
} as const;

const settings = {
  maxConcurrentBuilds: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description:
        'The maximum number of builds of the app that run at a time; others are queued (default: the limit of the server).',
    }),
  ),
  environmentVariables: Type.Optional(
    Type.Array(EnvironmentVariable, {
      maxItems: 100,
      description: 'Set in the builds of all branches. A variable of a branch with the same name takes precedence.',
    }),
  ),
};

const found = json(
  Type.Object(
    {
      ...settings,
      branchPatterns: Type.Array(Type.String(), {
        description:
          'The configured patterns, such as release/*. Read and update the configuration of a pattern like that of a branch.',
      }),
    },
    { $id: 'BuildSettings' },
  ),
  { description: 'The settings, with secrets masked.' },
);

export const buildSettings_get = endpoint({
  ...common,
  id: 'buildSettings_get',
  method: 'GET',
  summary: 'Get the build settings of an app',
  description: 'Mooring only. Only developers see the values of environment variables, and no one sees secret ones.',
  access: 'app:viewer',
  effect: 'read',
  response: found,
});

export const buildSettings_update = endpoint({
  ...common,
  id: 'buildSettings_update',
  method: 'PUT',
  summary: 'Replace the build settings of an app',
  description: 'Mooring only. A masked secret in the request keeps its current value.',
  access: 'app:developer',
  effect: 'change',
  request: json(Type.Object(settings)),
  response: found,
});
