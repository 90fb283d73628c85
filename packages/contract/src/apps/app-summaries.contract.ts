import type { Static } from 'typebox';
import { endpoint, json } from '../endpoint/index.ts';
import { OrgPath, Time } from '../fields.ts';
import { Type } from '../type.ts';

/** The maximum number of apps in the response. */
export const MAX_APP_SUMMARIES = 12;

/**
 * Fields that domains add to the summary of an app. A field is absent if its domain has no data or the caller may not
 * see it.
 */
export const SummaryFields = Type.Object({
  latest_release: Type.Optional(
    Type.Object({ id: Type.Integer(), short_version: Type.String(), version: Type.String(), uploaded_at: Time }),
  ),
  last_build: Type.Optional(
    Type.Object({
      id: Type.Integer(),
      branch: Type.String(),
      status: Type.String(),
      result: Type.String(),
      queued_at: Time,
    }),
  ),
  open_crashes: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'The number of open issues that crash the app and occurred in the last 28 days.',
    }),
  ),
  active_devices: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Devices that were active in the last 28 days. Not in lists of apps.' }),
  ),
  crash_free_devices: Type.Optional(
    Type.Number({ description: 'The percentage of them without a crash. Not in lists of apps.' }),
  ),
  alerting_rules: Type.Optional(
    Type.Integer({ minimum: 0, description: 'The number of alert rules that currently alert.' }),
  ),
});

export type AppSummaryFields = Static<typeof SummaryFields>;

const DescribedApp = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    display_name: Type.String(),
    os: Type.String(),
    icon_url: Type.Optional(Type.String()),
    updated_at: Time,
    ...SummaryFields.properties,
  },
  { $id: 'AppGlance' },
);

/** Not in the API of App Center. */
export const apps_listGlances = endpoint({
  id: 'apps_listGlances',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/app_glances',
  tag: 'apps',
  summary: 'Get summaries of the apps of an organization: latest release, last build, open crashes, alerts',
  description: `The ${MAX_APP_SUMMARIES} most recently changed apps that the caller has access to.`,
  access: 'org:member',
  effect: 'read',
  params: Type.Object(OrgPath),
  response: json(Type.Object({ values: Type.Array(DescribedApp) }), {
    description: 'The summaries, most recently changed app first.',
  }),
  errors: [404],
});
