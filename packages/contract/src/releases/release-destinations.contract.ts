import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath, Email, Uuid } from '../fields.ts';
import { Type } from '../type.ts';
import { ReleasePath } from './releases.contract.ts';

const common = {
  tag: 'releases',
  access: 'app:developer',
  effect: 'change',
  errorShape: 'flat',
  errors: [404],
} as const;
const ofRelease = '/v0.1/apps/{owner_name}/{app_name}/releases/{release_id}';

const given = {
  mandatory_update: Type.Optional(Type.Boolean({ description: 'Apps with the SDK must be updated to go on.' })),
  notify_testers: Type.Optional(Type.Boolean({ default: true, description: 'Whether they get a mail.' })),
};
const Given = Type.Object({
  id: Uuid,
  mandatory_update: Type.Boolean(),
  provisioning_status_url: Type.Optional(Type.String()),
});
const Mandatory = Type.Object({ mandatory_update: Type.Boolean() });

export const releases_addDistributionGroup = endpoint({
  ...common,
  id: 'releases_addDistributionGroup',
  method: 'POST',
  path: `${ofRelease}/groups`,
  summary: 'Gives a release to a distribution group',
  params: Type.Object(ReleasePath),
  request: json(Type.Object({ id: Uuid, ...given })),
  response: json(Given, { status: 201, description: 'The group has it.' }),
  errors: [404, 409],
});

export const releases_putDistributionGroup = endpoint({
  ...common,
  id: 'releases_putDistributionGroup',
  method: 'PUT',
  path: `${ofRelease}/groups/{group_id}`,
  summary: 'Says whether a release is mandatory for a distribution group that has it',
  params: Type.Object({ ...ReleasePath, group_id: Uuid }),
  request: json(Mandatory),
  response: empty({ status: 200, description: 'It is changed.' }),
});

export const releases_deleteDistributionGroup = endpoint({
  ...common,
  id: 'releases_deleteDistributionGroup',
  method: 'DELETE',
  path: `${ofRelease}/groups/{group_id}`,
  summary: 'Takes a release back from a distribution group',
  params: Type.Object({ ...ReleasePath, group_id: Uuid }),
  response: empty({ status: 200, description: 'The group no longer has it.' }),
});

export const releases_addTesters = endpoint({
  ...common,
  id: 'releases_addTesters',
  method: 'POST',
  path: `${ofRelease}/testers`,
  summary: 'Gives a release to one tester',
  description: 'Somebody who has access to the app, or is in one of its distribution groups.',
  params: Type.Object(ReleasePath),
  request: json(Type.Object({ email: Email, ...given })),
  response: json(Given, { status: 201, description: 'They have it.' }),
  errors: [404, 409],
});

export const releases_putDistributionTester = endpoint({
  ...common,
  id: 'releases_putDistributionTester',
  method: 'PUT',
  path: `${ofRelease}/testers/{tester_id}`,
  summary: 'Says whether a release is mandatory for a tester who has it',
  params: Type.Object({ ...ReleasePath, tester_id: Uuid }),
  request: json(Mandatory),
  response: empty({ status: 200, description: 'It is changed.' }),
});

export const releases_deleteDistributionTester = endpoint({
  ...common,
  id: 'releases_deleteDistributionTester',
  method: 'DELETE',
  path: `${ofRelease}/testers/{tester_id}`,
  summary: 'Takes a release back from a tester',
  params: Type.Object({ ...ReleasePath, tester_id: Uuid }),
  response: empty({ status: 200, description: 'They no longer have it.' }),
});

export const releases_deleteTesterFromDestinations = endpoint({
  ...common,
  id: 'releases_deleteTesterFromDestinations',
  method: 'DELETE',
  path: '/v0.1/apps/{owner_name}/{app_name}/testers/{tester_id}',
  summary: 'Takes all releases of an app back that were given to a tester alone',
  params: Type.Object({ ...AppPath, tester_id: Uuid }),
  response: empty({ status: 200, description: 'They no longer have any, but by groups.' }),
});
