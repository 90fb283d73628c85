import { empty, endpoint, json } from '../endpoint/index.ts';
import { Time } from '../fields.ts';
import { OverlapHours, previousKeys } from '../rotated-keys.ts';
import { Type } from '../type.ts';
import { common, DeploymentKey, DeploymentPath } from './deployments.contract.ts';

export const CodePushDeploymentKeys = Type.Object(
  {
    key: Type.String({ description: 'The key to build into apps.' }),
    former: Type.Array(Type.Object({ key: Type.String(), ends_at: Time }), previousKeys),
  },
  { $id: 'CodePushDeploymentKeys' },
);

/** All three operations are not in the API of App Center. */
const home = '/v0.1/apps/{owner_name}/{app_name}/deployments/{deployment_name}/keys';
const ofDeployment = { ...common, params: Type.Object(DeploymentPath) } as const;

export const codePushDeploymentKeys_get = endpoint({
  ...ofDeployment,
  id: 'codePushDeploymentKeys_get',
  method: 'GET',
  path: home,
  summary: 'Get the key of a deployment, and its previous keys that are still valid',
  access: 'app:viewer',
  effect: 'read',
  response: json(CodePushDeploymentKeys, { description: 'The keys.' }),
});

export const codePushDeploymentKeys_rotate = endpoint({
  ...ofDeployment,
  id: 'codePushDeploymentKeys_rotate',
  method: 'POST',
  path: `${home}/rotate`,
  summary: 'Rotate the key of a deployment',
  description:
    'Devices with the previous key still get updates and are counted until that key expires or is revoked. After that, they get 404 and keep the installed release.',
  access: 'app:manager',
  effect: 'change',
  request: json(Type.Object({ overlap_hours: Type.Optional(OverlapHours), key: Type.Optional(DeploymentKey) })),
  response: json(CodePushDeploymentKeys, { description: 'The new key, and the keys that are still valid.' }),
  errors: [404, 409],
});

export const codePushDeploymentKeys_endFormer = endpoint({
  ...ofDeployment,
  id: 'codePushDeploymentKeys_endFormer',
  method: 'DELETE',
  path: `${home}/former`,
  summary: 'Revoke all previous keys of a deployment',
  access: 'app:manager',
  effect: 'change',
  response: empty({ description: 'Only the current key is valid.' }),
});
