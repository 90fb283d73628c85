import type { Static } from 'typebox';
import { endpoint, json } from '../endpoint/index.ts';
import { OrgPath, Time } from '../fields.ts';
import { Type } from '../type.ts';

/** How many apps are told of at most. */
export const GLANCES = 12;

/** What the domains tell of an app; what nobody can tell is left out. */
export const Glance = Type.Object({
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
    Type.Integer({ minimum: 0, description: 'Issues that are open, crash apps, and were seen in the last 28 days.' }),
  ),
  alerting_rules: Type.Optional(Type.Integer({ minimum: 0, description: 'Alert rules that alert now.' })),
});

export type AppGlance = Static<typeof Glance>;

const DescribedApp = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    display_name: Type.String(),
    os: Type.String(),
    icon_url: Type.Optional(Type.String()),
    updated_at: Time,
    ...Glance.properties,
  },
  { $id: 'AppGlance' },
);

/** Ours. */
export const apps_listGlances = endpoint({
  id: 'apps_listGlances',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/app_glances',
  tag: 'apps',
  summary: 'Tells of the apps of an organization at a glance: latest release, last build, open crashes, alerts',
  description: `The ${GLANCES} that changed last, of those that the caller may look into.`,
  access: 'org:member',
  effect: 'read',
  params: Type.Object(OrgPath),
  response: json(Type.Object({ values: Type.Array(DescribedApp) }), { description: 'What changed last first.' }),
  errors: [404],
});
