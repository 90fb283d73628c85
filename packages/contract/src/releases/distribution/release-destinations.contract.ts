import { empty, endpoint, json } from '../../endpoint/index.ts';
import { AppPath, Email, Uuid } from '../../fields.ts';
import { Type } from '../../type.ts';
import { ReleasePath } from '../releases.contract.ts';

const common = {
  tag: 'releases',
  access: 'app:developer',
  effect: 'change',
  tokenAction: 'distribute',
  errorShape: 'flat',
  errors: [404],
} as const;
const ofRelease = '/v0.1/apps/{owner_name}/{app_name}/releases/{release_id}';

const distributeFields = {
  mandatory_update: Type.Optional(Type.Boolean({ description: 'Apps with the SDK require this update.' })),
  notify_testers: Type.Optional(Type.Boolean({ default: true, description: 'Email the testers (default: true).' })),
};
const Distribution = Type.Object({
  id: Uuid,
  mandatory_update: Type.Boolean({ description: 'Apps with the SDK require this update.' }),
  provisioning_status_url: Type.Optional(Type.String()),
});
const Mandatory = Type.Object({
  mandatory_update: Type.Boolean({ description: 'Apps with the SDK require this update.' }),
});

export const releases_addDistributionGroup = endpoint({
  ...common,
  id: 'releases_addDistributionGroup',
  method: 'POST',
  path: `${ofRelease}/groups`,
  summary: 'Distribute a release to a distribution group',
  params: Type.Object(ReleasePath),
  request: json(Type.Object({ id: Uuid, ...distributeFields })),
  response: json(Distribution, { status: 201, description: 'The release is distributed to the group.' }),
  errors: [404, 409],
});

export const releases_putDistributionGroup = endpoint({
  ...common,
  id: 'releases_putDistributionGroup',
  method: 'PUT',
  path: `${ofRelease}/groups/{group_id}`,
  summary: 'Set whether a release is mandatory for a distribution group',
  params: Type.Object({ ...ReleasePath, group_id: Uuid }),
  request: json(Mandatory),
  response: empty({ status: 200, description: 'The setting is changed.' }),
});

export const releases_deleteDistributionGroup = endpoint({
  ...common,
  id: 'releases_deleteDistributionGroup',
  method: 'DELETE',
  path: `${ofRelease}/groups/{group_id}`,
  summary: 'Remove a distribution group from a release',
  params: Type.Object({ ...ReleasePath, group_id: Uuid }),
  response: empty({ status: 200, description: 'The group no longer has the release.' }),
});

export const releases_addTesters = endpoint({
  ...common,
  id: 'releases_addTesters',
  method: 'POST',
  path: `${ofRelease}/testers`,
  summary: 'Distribute a release to a tester',
  description: 'The user must have access to the app or be in one of its distribution groups.',
  params: Type.Object(ReleasePath),
  request: json(Type.Object({ email: Email, ...distributeFields })),
  response: json(Distribution, { status: 201, description: 'The release is distributed to the tester.' }),
  errors: [404, 409],
});

export const releases_putDistributionTester = endpoint({
  ...common,
  id: 'releases_putDistributionTester',
  method: 'PUT',
  path: `${ofRelease}/testers/{tester_id}`,
  summary: 'Set whether a release is mandatory for a tester',
  params: Type.Object({ ...ReleasePath, tester_id: Uuid }),
  request: json(Mandatory),
  response: empty({ status: 200, description: 'The setting is changed.' }),
});

export const releases_deleteDistributionTester = endpoint({
  ...common,
  id: 'releases_deleteDistributionTester',
  method: 'DELETE',
  path: `${ofRelease}/testers/{tester_id}`,
  summary: 'Remove a tester from a release',
  params: Type.Object({ ...ReleasePath, tester_id: Uuid }),
  response: empty({ status: 200, description: 'The tester no longer has the release.' }),
});

export const releases_deleteTesterFromDestinations = endpoint({
  ...common,
  id: 'releases_deleteTesterFromDestinations',
  method: 'DELETE',
  path: '/v0.1/apps/{owner_name}/{app_name}/testers/{tester_id}',
  summary: 'Remove a tester from all releases of an app',
  params: Type.Object({ ...AppPath, tester_id: Uuid }),
  response: empty({
    status: 200,
    description: 'The tester keeps only the releases that were distributed to their groups.',
  }),
});
