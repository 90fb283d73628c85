import { endpoint, json } from '../endpoint/index.ts';
import { Type } from '../type.ts';
import { UpdateInfo } from './acquisition.contract.ts';
import { common, DeploymentPath } from './deployments.contract.ts';

/** Why a device gets what it gets. */
export const updateReasons = [
  'update',
  'no_releases',
  'all_disabled',
  'binary_too_new',
  'binary_too_old',
  'up_to_date',
] as const;

const OptionalText = Type.Optional(Type.String({ maxLength: 1000 }));

/** Ours. */
export const codePushDeployments_explain = endpoint({
  ...common,
  id: 'codePushDeployments_explain',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/deployments/{deployment_name}/explain',
  summary: 'Tells what a device would get, and why',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(DeploymentPath),
  query: Type.Object({
    app_version: Type.String({ minLength: 1, maxLength: 1000, description: 'Of the binary, such as 1.2.0.' }),
    label: OptionalText,
    package_hash: OptionalText,
    client_unique_id: OptionalText,
    is_companion: OptionalText,
  }),
  response: json(
    Type.Object(
      {
        reason: Type.Enum([...updateReasons]),
        update_info: UpdateInfo,
        is_diff: Type.Boolean({ description: 'It would download what changed only.' }),
        rollout: Type.Optional(
          Type.Object(
            {
              label: Type.String(),
              percent: Type.Integer(),
              place: Type.Optional(
                Type.Integer({
                  description: 'Where the device stands among a hundred; below percent it gets the release.',
                }),
              ),
              is_included: Type.Boolean(),
            },
            { description: 'Of a release that goes to some devices only.' },
          ),
        ),
      },
      { $id: 'CodePushExplanation' },
    ),
    { description: 'What it would be told.' },
  ),
});
