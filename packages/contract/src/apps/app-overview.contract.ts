import type { Static } from 'typebox';
import { endpoint, json } from '../endpoint/index.ts';
import { AppPath, Time } from '../fields.ts';
import { Type } from '../type.ts';

/** Reasons why an app needs attention, most important first among those of one level. */
export const attentionKinds = [
  'alerting_rule',
  'regressed_issues',
  'new_crashes',
  'halted_rollout',
  'failed_build',
  'failed_test_run',
  'missing_symbols',
  'failing_export',
  'failing_webhook',
  'repository_unauthorized',
  'tracker_unauthorized',
  'failed_publishing',
  'expiring_token',
  'open_crashes',
  'open_invitations',
  'health_event',
] as const;
export type AttentionKind = (typeof attentionKinds)[number];

export const attentionLevels = ['urgent', 'warning', 'info'] as const;

/** Rows of builds, test runs and deployments in the overview. */
export const OVERVIEW_ROWS = 3;

const Attention = Type.Object(
  {
    kind: Type.Enum([...attentionKinds]),
    level: Type.Enum([...attentionLevels]),
    count: Type.Integer({ minimum: 1, description: 'The number of resources with this problem.' }),
    name: Type.Optional(Type.String({ description: 'The name of the resource, if it is a single one.' })),
    path: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'Path parameters of the resource, such as `issue_id`, if it is a single one.',
      }),
    ),
    at: Type.Optional(Time),
  },
  { $id: 'AppAttention' },
);
export type Attention = Static<typeof Attention>;

const Count = Type.Integer({ minimum: 0 });

/** Fields that domains add to the overview of an app. A field is absent if the caller may not read its resources. */
const OverviewFields = Type.Object({
  member_count: Type.Optional(Type.Integer({ minimum: 0, description: 'Users with access, without testers.' })),
  group_count: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Distribution groups, including the group Collaborators.' }),
  ),
  token_count: Type.Optional(Type.Integer({ minimum: 0, description: 'API tokens of the app.' })),
  latest_release: Type.Optional(
    Type.Object({ id: Type.Integer(), short_version: Type.String(), version: Type.String(), uploaded_at: Time }),
  ),
  builds: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.Integer(),
        branch: Type.String(),
        status: Type.Enum(['notStarted', 'inProgress', 'cancelling', 'completed']),
        result: Type.Enum(['none', 'succeeded', 'failed', 'canceled']),
        queued_at: Time,
      }),
      { description: `The ${OVERVIEW_ROWS} latest builds.` },
    ),
  ),
  test_runs: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.String(),
        series: Type.Optional(Type.String()),
        status: Type.String(),
        result: Type.String(),
        passed: Count,
        failed: Count,
        created_at: Time,
      }),
      { description: `The ${OVERVIEW_ROWS} latest test runs.` },
    ),
  ),
  deployments: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        latest_label: Type.Optional(Type.String()),
        latest_active: Type.Integer({ minimum: 0, description: 'Devices that run the latest release.' }),
        active: Type.Integer({ minimum: 0, description: 'Devices of the deployment.' }),
      }),
      { description: `The first ${OVERVIEW_ROWS} CodePush deployments.` },
    ),
  ),
});
export type AppOverviewFields = Static<typeof OverviewFields>;

/** Not in the API of App Center. */
export const apps_getOverview = endpoint({
  id: 'apps_getOverview',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/overview',
  tag: 'apps',
  summary: 'Get the overview of an app: what needs attention, its latest release, builds, test runs and deployments',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppPath),
  response: json(
    Type.Object({
      attention: Type.Array(Attention, {
        description:
          'Problems of the app that the caller may see, most important first; active health events come last.',
      }),
      ...OverviewFields.properties,
    }),
    { description: 'The overview.' },
  ),
  errors: [404],
});
