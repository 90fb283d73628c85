import { endpoint, json } from '../endpoint/index.ts';
import { AppPath, OrgPath } from '../fields.ts';
import { Type } from '../type.ts';

export const BULK_DELETE_MAX = 100;

const common = { tag: 'releases', errorShape: 'flat', errors: [404] } as const;
const ofApp = '/v0.1/apps/{owner_name}/{app_name}';

const rule = {
  keep_last: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10_000, description: 'So many of the newest stay, however old they are.' }),
  ),
  keep_days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 3650, description: 'What is younger stays, however much it is.' }),
  ),
  keep_latest: Type.Optional(
    Type.Boolean({ default: true, description: 'What is the latest of a group, or in a store, stays anyway.' }),
  ),
};
const Rule = Type.Object(rule, {
  $id: 'ReleaseRetention',
  description: 'A release is deleted once neither keep_last nor keep_days holds it; without either, none is.',
});
const Effective = Type.Object({
  ...rule,
  keep_latest: Type.Boolean(),
  source: Type.Enum(['app', 'organization', 'none'], { description: 'Whose rule it is.' }),
});

const preview = {
  releases: Type.Array(
    Type.Object({
      id: Type.Integer(),
      version: Type.String(),
      short_version: Type.String(),
      size: Type.Integer(),
    }),
  ),
  size: Type.Integer({ description: 'Of all of them, in bytes.' }),
};

export const releaseRetention_get = endpoint({
  ...common,
  id: 'releaseRetention_get',
  method: 'GET',
  path: `${ofApp}/release_retention`,
  summary: 'Tells which releases of an app are kept',
  description: 'The rule of the app, or else that of its organization.',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppPath),
  response: json(Effective, { description: 'The rule that counts.' }),
});

export const releaseRetention_set = endpoint({
  ...common,
  id: 'releaseRetention_set',
  method: 'PUT',
  path: `${ofApp}/release_retention`,
  summary: 'Says which releases of an app are kept',
  description: 'An empty rule keeps all; it counts before that of the organization.',
  access: 'app:manager',
  effect: 'change',
  params: Type.Object(AppPath),
  request: json(Rule),
  response: json(Effective, { description: 'The rule; it is applied every hour.' }),
});

export const releaseRetention_preview = endpoint({
  ...common,
  id: 'releaseRetention_preview',
  method: 'POST',
  path: `${ofApp}/release_retention/preview`,
  summary: 'Lists the releases that a rule would delete now',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppPath),
  request: json(Rule),
  response: json(Type.Object(preview), { description: 'The newest first; nothing is deleted.' }),
});

export const orgReleaseRetention_get = endpoint({
  ...common,
  id: 'orgReleaseRetention_get',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/release_retention',
  summary: 'Tells which releases of the apps of an organization are kept',
  access: 'org:member',
  effect: 'read',
  params: Type.Object(OrgPath),
  response: json(Effective, { description: 'Its rule, for apps without one of their own.' }),
});

export const orgReleaseRetention_set = endpoint({
  ...common,
  id: 'orgReleaseRetention_set',
  method: 'PUT',
  path: '/v0.1/orgs/{org_name}/release_retention',
  summary: 'Says which releases of the apps of an organization are kept',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object(OrgPath),
  request: json(Rule),
  response: json(Effective, { description: 'The rule; it is applied every hour.' }),
});

export const orgReleaseRetention_preview = endpoint({
  ...common,
  id: 'orgReleaseRetention_preview',
  method: 'POST',
  path: '/v0.1/orgs/{org_name}/release_retention/preview',
  summary: 'Lists the releases that a rule of an organization would delete now',
  description: 'Of its apps that have no rule of their own.',
  access: 'org:admin',
  effect: 'read',
  params: Type.Object(OrgPath),
  request: json(Rule),
  response: json(
    Type.Object({
      apps: Type.Array(Type.Object({ app_name: Type.String(), ...preview }), {
        description: 'Those of which something would go, by name.',
      }),
      size: preview.size,
    }),
    { description: 'Nothing is deleted.' },
  ),
});

export const releases_deleteMany = endpoint({
  ...common,
  id: 'releases_deleteMany',
  method: 'POST',
  path: `${ofApp}/releases/bulk_delete`,
  summary: 'Deletes several releases at once',
  access: 'app:developer',
  effect: 'change',
  params: Type.Object(AppPath),
  request: json(
    Type.Object({
      release_ids: Type.Array(Type.Integer({ minimum: 1, maximum: 999_999_999 }), {
        minItems: 1,
        maxItems: BULK_DELETE_MAX,
      }),
    }),
  ),
  response: json(Type.Object({ deleted: Type.Array(Type.Integer()), not_found: Type.Array(Type.Integer()) }), {
    description: 'Those that are gone now, and those that were not there.',
  }),
});
