import { endpoint, json, text } from '../../endpoint/index.ts';
import { Uuid } from '../../fields.ts';
import { Type } from '../../type.ts';
import { latestRelease, updateCheckQuery } from './update-check.ts';

const Hash = Type.String({
  pattern: '^[0-9a-fA-F]{64}$',
  description: 'The hash of the installed build, computed by the SDK.',
});
const Secret = { app_secret: Type.String({ maxLength: 100 }) };

const common = {
  tag: 'in-app updates',
  effect: 'read',
  access: 'appSecret',
  errorShape: 'flat',
  errors: [404],
} as const;

const nothing =
  'Without a release, the error code is no_releases_for_user, or not_found if no app has the secret. Counts the installed release that the SDK reports.';

export const releases_getLatestPublicRelease = endpoint({
  ...common,
  id: 'releases_getLatestPublicRelease',
  method: 'GET',
  path: '/v0.1/public/sdk/apps/{app_secret}/releases/latest',
  summary: "Get the latest release of an app's public groups, for an SDK",
  description: nothing,
  params: Type.Object(Secret),
  query: Type.Object(updateCheckQuery),
  response: latestRelease,
});

export const releases_getLatestPublicReleaseOfGroup = endpoint({
  ...common,
  id: 'releases_getLatestPublicReleaseOfGroup',
  method: 'GET',
  path: '/v0.1/public/sdk/apps/{app_secret}/distribution_groups/{distribution_group_id}/releases/latest',
  summary: 'Get the latest release of one public group, for an older SDK',
  params: Type.Object({ ...Secret, distribution_group_id: Uuid }),
  query: Type.Object(updateCheckQuery),
  response: latestRelease,
});

export const releases_listPublicGroupsOfRelease = endpoint({
  ...common,
  id: 'releases_listPublicGroupsOfRelease',
  method: 'GET',
  path: '/v0.1/public/sdk/apps/{app_secret}/releases/{release_hash}/public_distribution_groups',
  summary: 'List the public groups that have the installed build, for an older SDK',
  params: Type.Object({ ...Secret, release_hash: Hash }),
  response: json(Type.Array(Type.Object({ id: Type.String() })), { description: 'The groups.' }),
});

export const releases_getLatestByHash = endpoint({
  ...common,
  id: 'releases_getLatestByHash',
  method: 'GET',
  path: '/v0.1/sdk/apps/{app_secret}/releases/{release_hash}',
  summary: 'Get the latest release of the group that has the installed build, for an older SDK',
  params: Type.Object({
    ...Secret,
    release_hash: Type.String({ pattern: '^([0-9a-fA-F]{64}|latest)$', description: 'A hash, or latest.' }),
  }),
  query: Type.Object(updateCheckQuery),
  response: latestRelease,
});

export const releases_getIosManifest = endpoint({
  id: 'releases_getIosManifest',
  method: 'GET',
  path: '/v0.1/public/apps/{app_id}/releases/{release_id}/ios_manifest',
  tag: 'in-app updates',
  summary: 'Get the manifest that iOS needs to install a release',
  access: 'public',
  effect: 'read',
  errorShape: 'flat',
  params: Type.Object({ app_id: Uuid, release_id: Type.String({ pattern: '^[1-9][0-9]{0,8}$' }) }),
  query: Type.Object({ token: Type.String({ maxLength: 200 }) }),
  response: text({ type: 'application/xml', description: 'A property list.' }),
  errors: [403, 404],
});
