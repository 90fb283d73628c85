import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath } from '../fields.ts';
import { Type } from '../type.ts';
import { CodePushRelease } from './release-fields.ts';

export const DEPLOYMENT_NAME_MAX = 1000;

const DeploymentName = Type.String({
  minLength: 1,
  maxLength: DEPLOYMENT_NAME_MAX,
  pattern: '^[^\\s\\p{Cc}]([^\\p{Cc}]*[^\\s\\p{Cc}])?$',
  description: 'A single line without leading or trailing spaces. Unique in the app.',
});

export const DeploymentPath = {
  ...AppPath,
  deployment_name: Type.String({ minLength: 1, maxLength: DEPLOYMENT_NAME_MAX }),
};

export const DeploymentKey = Type.String({
  pattern: '^[A-Za-z0-9_-]{10,100}$',
  description: 'The key that devices send: 10 to 100 letters, digits, "-" and "_".',
});

const HaltPercent = Type.Integer({
  minimum: 1,
  maximum: 100,
  description:
    'Halts a rollout when this percentage of devices that reported on the release has rolled it back, once 20 devices have reported. The release is then disabled, and the managers of the app receive an email.',
});

export const CodePushDeployment = Type.Object(
  {
    name: Type.String(),
    key: Type.Optional(
      Type.String({ description: "The key to build into apps. It can't be used to change anything." }),
    ),
    latest_release: Type.Optional(CodePushRelease),
    halt_percent: Type.Optional(HaltPercent),
  },
  { $id: 'CodePushDeployment' },
);

/** Options of all management operations. Their errors are plain sentences, which existing clients print and compare. */
export const common = { tag: 'codepush', errorShape: 'text', errors: [404] } as const;

export const codePushDeployments_list = endpoint({
  ...common,
  id: 'codePushDeployments_list',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/deployments',
  summary: 'List the deployments of an app, each with its newest release',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppPath),
  response: json(Type.Array(CodePushDeployment), { description: 'The deployments, sorted by name.' }),
});

export const codePushDeployments_create = endpoint({
  ...common,
  id: 'codePushDeployments_create',
  method: 'POST',
  path: '/v0.1/apps/{owner_name}/{app_name}/deployments',
  summary: 'Create a deployment',
  description:
    'Set `key` to the key that the deployment had on another server: apps in the field then only need a new URL.',
  access: 'app:manager',
  effect: 'change',
  params: Type.Object(AppPath),
  request: json(Type.Object({ name: DeploymentName, key: Type.Optional(DeploymentKey) })),
  response: json(CodePushDeployment, { status: 201, description: 'The new deployment, with its key.' }),
  errors: [404, 409],
});

export const codePushDeployments_get = endpoint({
  ...common,
  id: 'codePushDeployments_get',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/deployments/{deployment_name}',
  summary: 'Get a deployment, with its newest release',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(DeploymentPath),
  response: json(CodePushDeployment, { description: 'The deployment.' }),
});

export const codePushDeployments_update = endpoint({
  ...common,
  id: 'codePushDeployments_update',
  method: 'PATCH',
  path: '/v0.1/apps/{owner_name}/{app_name}/deployments/{deployment_name}',
  summary: 'Rename a deployment, or set when its rollouts halt; its key stays the same',
  access: 'app:manager',
  effect: 'change',
  params: Type.Object(DeploymentPath),
  request: json(
    Type.Object(
      {
        name: Type.Optional(DeploymentName),
        halt_percent: Type.Optional(
          Type.Union([HaltPercent, Type.Null()], { description: 'Mooring only. null turns the automatic halt off.' }),
        ),
      },
      { minProperties: 1 },
    ),
  ),
  response: empty({ description: 'The deployment is updated.' }),
  errors: [404, 409],
});

export const codePushDeployments_delete = endpoint({
  ...common,
  id: 'codePushDeployments_delete',
  method: 'DELETE',
  path: '/v0.1/apps/{owner_name}/{app_name}/deployments/{deployment_name}',
  summary: 'Delete a deployment with its releases and metrics',
  description: 'Devices with its key get 404 from then on and keep the installed release.',
  access: 'app:manager',
  effect: 'change',
  params: Type.Object(DeploymentPath),
  response: empty({ description: 'The deployment is deleted.' }),
});

const Count = Type.Integer({ minimum: 0 });

export const CodePushMetrics = Type.Object(
  {
    label: Type.String({ description: 'The label of a release, or the version of a binary.' }),
    active: Type.Integer({ minimum: 0, description: 'The number of devices that run it.' }),
    downloaded: Type.Optional(Count),
    failed: Type.Optional(Type.Integer({ minimum: 0, description: 'The number of devices that rolled it back.' })),
    installed: Type.Optional(Count),
  },
  { $id: 'CodePushMetrics' },
);

export const codePushDeploymentMetrics_get = endpoint({
  ...common,
  id: 'codePushDeploymentMetrics_get',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/deployments/{deployment_name}/metrics',
  summary: 'Count devices by release, and by version of the binary',
  description: 'Reports of devices are counted immediately.',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(DeploymentPath),
  response: json(Type.Array(CodePushMetrics), {
    description: 'Versions of binaries first, with only `active`, then releases, oldest first.',
  }),
});

/** The bucket lengths of the metrics over time, and their maximum range in days. */
export const metricsIntervals = { PT1H: 14, P1D: 366 } as const;

/** Not in the API of App Center. */
export const codePushDeploymentMetrics_listOverTime = endpoint({
  ...common,
  id: 'codePushDeploymentMetrics_listOverTime',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/deployments/{deployment_name}/metrics/over_time',
  summary: 'Count reports of devices by hour or day',
  description: `Hours cover the last ${metricsIntervals.PT1H} days at most, days the last ${metricsIntervals.P1D}. Data older than MOORING_CODEPUSH_METRICS_DAYS is deleted. Hours and days are in UTC.`,
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(DeploymentPath),
  query: Type.Object({
    interval: Type.Optional(Type.Enum(['PT1H', 'P1D'], { description: 'The length of a bucket (default: P1D).' })),
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: metricsIntervals.P1D,
        description: 'The number of days, including the current one (default 7).',
      }),
    ),
  }),
  response: json(
    Type.Object(
      {
        values: Type.Array(
          Type.Object({
            start: Type.String({ format: 'date-time' }),
            labels: Type.Array(
              Type.Object({
                label: Type.String({ description: 'The label of a release, or the version of a binary.' }),
                active_change: Type.Integer({
                  description: 'The change in the number of devices that run it. Negative if more devices left it.',
                }),
                downloaded: Count,
                installed: Count,
                failed: Count,
              }),
            ),
          }),
        ),
      },
      { $id: 'CodePushMetricsOverTime' },
    ),
    { description: 'All hours or days, oldest first, with the releases and binaries that devices reported in each.' },
  ),
});
