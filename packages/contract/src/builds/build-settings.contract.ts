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
      description: 'How many builds of the app run at a time; others wait. Without it, what the server says.',
    }),
  ),
  environmentVariables: Type.Optional(
    Type.Array(EnvironmentVariable, {
      maxItems: 100,
      description: 'For builds of every branch; one of a branch with the same name wins.',
    }),
  ),
};

const found = json(
  Type.Object(
    {
      ...settings,
      branchPatterns: Type.Array(Type.String(), {
        description: 'Patterns that are configured, such as release/*; each is read and changed like a branch.',
      }),
    },
    { $id: 'BuildSettings' },
  ),
  { description: 'The settings, without their secrets.' },
);

export const buildSettings_get = endpoint({
  ...common,
  id: 'buildSettings_get',
  method: 'GET',
  summary: 'Returns what is true of all builds of an app',
  description: 'Ours. Values of environment variables are shown to developers only, and secret ones to nobody.',
  access: 'app:viewer',
  effect: 'read',
  response: found,
});

export const buildSettings_update = endpoint({
  ...common,
  id: 'buildSettings_update',
  method: 'PUT',
  summary: 'Replaces what is true of all builds of an app',
  description: 'Ours. A mask that comes back in the place of a secret leaves the secret as it is.',
  access: 'app:developer',
  effect: 'change',
  request: json(Type.Object(settings)),
  response: found,
});
