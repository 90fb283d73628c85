import { empty, endpoint, json } from '../endpoint/index.ts';
import { Time } from '../fields.ts';
import { formerKeys, OverlapHours } from '../rotated-keys.ts';
import { Type } from '../type.ts';
import { common, DeploymentKey, DeploymentPath } from './deployments.contract.ts';

export const CodePushDeploymentKeys = Type.Object(
  {
    key: Type.String({ description: 'What is built into apps from now on.' }),
    former: Type.Array(Type.Object({ key: Type.String(), ends_at: Time }), formerKeys),
  },
  { $id: 'CodePushDeploymentKeys' },
);

/** Ours, all three. */
const home = '/v0.1/apps/{owner_name}/{app_name}/deployments/{deployment_name}/keys';
const ofDeployment = { ...common, params: Type.Object(DeploymentPath) } as const;

export const codePushDeploymentKeys_get = endpoint({
  ...ofDeployment,
  id: 'codePushDeploymentKeys_get',
  method: 'GET',
  path: home,
  summary: 'Returns the key of a deployment, and former ones that still count',
  access: 'app:viewer',
  effect: 'read',
  response: json(CodePushDeploymentKeys, { description: 'The keys.' }),
});

export const codePushDeploymentKeys_rotate = endpoint({
  ...ofDeployment,
  id: 'codePushDeploymentKeys_rotate',
  method: 'POST',
  path: `${home}/rotate`,
  summary: 'Gives a deployment a new key',
  description:
    'Devices with the old one are answered, and counted, as before until it ends; then they are answered 404, and keep what they have installed.',
  access: 'app:manager',
  effect: 'change',
  request: json(Type.Object({ overlap_hours: Type.Optional(OverlapHours), key: Type.Optional(DeploymentKey) })),
  response: json(CodePushDeploymentKeys, { description: 'The new key, and what still counts.' }),
  errors: [404, 409],
});

export const codePushDeploymentKeys_endFormer = endpoint({
  ...ofDeployment,
  id: 'codePushDeploymentKeys_endFormer',
  method: 'DELETE',
  path: `${home}/former`,
  summary: 'Lets no former key of a deployment count any more',
  access: 'app:manager',
  effect: 'change',
  response: empty({ description: 'Only the newest key counts.' }),
});
