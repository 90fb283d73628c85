import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath } from '../fields.ts';
import { Type } from '../type.ts';
import { CodePushRelease } from './release-fields.ts';

export const DEPLOYMENT_NAME_MAX = 1000;

const DeploymentName = Type.String({
  minLength: 1,
  maxLength: DEPLOYMENT_NAME_MAX,
  pattern: '^[^\\s\\p{Cc}]([^\\p{Cc}]*[^\\s\\p{Cc}])?$',
  description: 'On one line, with no blank at either end; unique in the app.',
});

export const DeploymentPath = {
  ...AppPath,
  deployment_name: Type.String({ minLength: 1, maxLength: DEPLOYMENT_NAME_MAX }),
};

export const DeploymentKey = Type.String({
  pattern: '^[A-Za-z0-9_-]{10,100}$',
  description: 'What devices show; 10 to 100 letters, digits, "-" and "_".',
});

const HaltPercent = Type.Integer({
  minimum: 1,
  maximum: 100,
  description:
    'A rollout is halted once so many of a hundred devices that reported on the release went back from it, of twenty at least; the release is disabled then, and the managers of the app get a mail.',
});

export const CodePushDeployment = Type.Object(
  {
    name: Type.String(),
    key: Type.Optional(Type.String({ description: 'What is built into apps; it lets nobody change anything.' })),
    latest_release: Type.Optional(CodePushRelease),
    halt_percent: Type.Optional(HaltPercent),
  },
  { $id: 'CodePushDeployment' },
);

/** What operations of people have in common; their errors are the sentence alone, which existing clients print and compare. */
export const common = { tag: 'codepush', errorShape: 'text', errors: [404] } as const;

export const codePushDeployments_list = endpoint({
  ...common,
  id: 'codePushDeployments_list',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/deployments',
  summary: 'Lists the deployments of an app, each with its newest release',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppPath),
  response: json(Type.Array(CodePushDeployment), { description: 'By name.' }),
});

export const codePushDeployments_create = endpoint({
  ...common,
  id: 'codePushDeployments_create',
  method: 'POST',
  path: '/v0.1/apps/{owner_name}/{app_name}/deployments',
  summary: 'Creates a deployment',
  description: 'With the key that it had on another server, apps in the field need nothing but another address.',
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
  summary: 'Returns a deployment, with its newest release',
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
  summary: 'Renames a deployment, or says when its rollouts are halted; its key stays',
  access: 'app:manager',
  effect: 'change',
  params: Type.Object(DeploymentPath),
  request: json(
    Type.Object(
      {
        name: Type.Optional(DeploymentName),
        halt_percent: Type.Optional(Type.Union([HaltPercent, Type.Null()], { description: 'Ours. Null: never.' })),
      },
      { minProperties: 1 },
    ),
  ),
  response: empty({ description: 'It is changed.' }),
  errors: [404, 409],
});

export const codePushDeployments_delete = endpoint({
  ...common,
  id: 'codePushDeployments_delete',
  method: 'DELETE',
  path: '/v0.1/apps/{owner_name}/{app_name}/deployments/{deployment_name}',
  summary: 'Deletes a deployment with its releases and metrics',
  description: 'Devices with its key are answered 404 from the next question on; what they have installed stays.',
  access: 'app:manager',
  effect: 'change',
  params: Type.Object(DeploymentPath),
  response: empty({ description: 'The deployment is gone.' }),
});

const Count = Type.Integer({ minimum: 0 });

export const CodePushMetrics = Type.Object(
  {
    label: Type.String({ description: 'Of a release, or the version of a binary.' }),
    active: Type.Integer({ minimum: 0, description: 'Devices that run it.' }),
    downloaded: Type.Optional(Count),
    failed: Type.Optional(Type.Integer({ minimum: 0, description: 'Devices that went back to what they had before.' })),
    installed: Type.Optional(Count),
  },
  { $id: 'CodePushMetrics' },
);

export const codePushDeploymentMetrics_get = endpoint({
  ...common,
  id: 'codePushDeploymentMetrics_get',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/deployments/{deployment_name}/metrics',
  summary: 'Counts devices by release, and by version of the binary',
  description: 'A report of a device is in it when the device is answered.',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(DeploymentPath),
  response: json(Type.Array(CodePushMetrics), {
    description: 'Versions of binaries first, which have nothing but active, then releases, oldest first.',
  }),
});

/** How long each bucket of the metrics over time is, and how many days of such buckets there are at most. */
export const metricsIntervals = { PT1H: 14, P1D: 366 } as const;

/** Ours. */
export const codePushDeploymentMetrics_listOverTime = endpoint({
  ...common,
  id: 'codePushDeploymentMetrics_listOverTime',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/deployments/{deployment_name}/metrics/over_time',
  summary: 'Counts what devices reported in each hour or day',
  description: `Hours for the last ${metricsIntervals.PT1H} days at most, days for the last ${metricsIntervals.P1D}; what is older than MOORING_CODEPUSH_METRICS_DAYS is gone. Hours and days are those of UTC.`,
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(DeploymentPath),
  query: Type.Object({
    interval: Type.Optional(Type.Enum(['PT1H', 'P1D'], { description: 'P1D if absent.' })),
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: metricsIntervals.P1D,
        description: 'How many, with the one that is not over; 7 if absent.',
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
                label: Type.String({ description: 'Of a release, or the version of a binary.' }),
                active_change: Type.Integer({
                  description: 'How many more devices run it; less than 0 if more left it.',
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
    { description: 'Every hour or day, oldest first, with those of whom something came in it.' },
  ),
});
