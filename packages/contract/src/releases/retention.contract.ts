import { endpoint, json } from '../endpoint/index.ts';
import { AppPath, OrgPath } from '../fields.ts';
import { Type } from '../type.ts';

export const BULK_DELETE_MAX = 100;

const common = { tag: 'releases', errorShape: 'flat', errors: [404] } as const;
const ofApp = '/v0.1/apps/{owner_name}/{app_name}';

const rule = {
  keep_last: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description: 'The number of newest releases to keep, regardless of age.',
    }),
  ),
  keep_days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 3650,
      description: 'Keep releases younger than this, regardless of their number.',
    }),
  ),
  keep_latest: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'Always keep the latest release of each group, and releases in a store.',
    }),
  ),
};
const Rule = Type.Object(rule, {
  $id: 'ReleaseRetention',
  description:
    'A release is deleted if neither keep_last nor keep_days keeps it. Without both, no releases are deleted.',
});
const Effective = Type.Object({
  ...rule,
  keep_latest: Type.Boolean(),
  source: Type.Enum(['app', 'organization', 'none'], {
    description: 'Whether the rule is of the app, its organization, or neither.',
  }),
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
  size: Type.Integer({ description: 'The total size in bytes.' }),
};

export const releaseRetention_get = endpoint({
  ...common,
  id: 'releaseRetention_get',
  method: 'GET',
  path: `${ofApp}/release_retention`,
  summary: 'Get the release retention rule of an app',
  description: 'The rule of the app or, without one, of its organization.',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppPath),
  response: json(Effective, { description: 'The effective rule.' }),
});

export const releaseRetention_set = endpoint({
  ...common,
  id: 'releaseRetention_set',
  method: 'PUT',
  path: `${ofApp}/release_retention`,
  summary: 'Set the release retention rule of an app',
  description: 'Takes precedence over the rule of the organization. An empty rule keeps all releases.',
  access: 'app:manager',
  effect: 'change',
  params: Type.Object(AppPath),
  request: json(Rule),
  response: json(Effective, { description: 'The rule. It is applied every hour.' }),
});

export const releaseRetention_preview = endpoint({
  ...common,
  id: 'releaseRetention_preview',
  method: 'POST',
  path: `${ofApp}/release_retention/preview`,
  summary: 'List the releases that a rule would delete now',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppPath),
  request: json(Rule),
  response: json(Type.Object(preview), { description: 'The releases, newest first. Nothing is deleted.' }),
});

export const orgReleaseRetention_get = endpoint({
  ...common,
  id: 'orgReleaseRetention_get',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/release_retention',
  summary: 'Get the release retention rule of an organization',
  access: 'org:member',
  effect: 'read',
  params: Type.Object(OrgPath),
  response: json(Effective, { description: 'The rule, for apps without their own.' }),
});

export const orgReleaseRetention_set = endpoint({
  ...common,
  id: 'orgReleaseRetention_set',
  method: 'PUT',
  path: '/v0.1/orgs/{org_name}/release_retention',
  summary: 'Set the release retention rule of an organization',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object(OrgPath),
  request: json(Rule),
  response: json(Effective, { description: 'The rule. It is applied every hour.' }),
});

export const orgReleaseRetention_preview = endpoint({
  ...common,
  id: 'orgReleaseRetention_preview',
  method: 'POST',
  path: '/v0.1/orgs/{org_name}/release_retention/preview',
  summary: 'List the releases that a rule of an organization would delete now',
  description: 'Covers apps without their own rule.',
  access: 'org:admin',
  effect: 'read',
  params: Type.Object(OrgPath),
  request: json(Rule),
  response: json(
    Type.Object({
      apps: Type.Array(Type.Object({ app_name: Type.String(), ...preview }), {
        description: 'The apps with releases to delete, sorted by name.',
      }),
      size: preview.size,
    }),
    { description: 'The releases. Nothing is deleted.' },
  ),
});

export const releases_deleteMany = endpoint({
  ...common,
  id: 'releases_deleteMany',
  method: 'POST',
  path: `${ofApp}/releases/bulk_delete`,
  summary: 'Delete several releases',
  access: 'app:developer',
  effect: 'change',
  tokenAction: 'delete',
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
    description: 'The releases that are deleted, and those that do not exist.',
  }),
});
