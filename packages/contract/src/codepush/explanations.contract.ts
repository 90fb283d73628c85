import { endpoint, json } from '../endpoint/index.ts';
import { Type } from '../type.ts';
import { UpdateInfo } from './acquisition.contract.ts';
import { common, DeploymentPath } from './deployments.contract.ts';

/** Why a device gets an update or none. */
export const updateReasons = [
  'update',
  'no_releases',
  'all_disabled',
  'binary_too_new',
  'binary_too_old',
  'up_to_date',
] as const;

const optional = (description: string) => Type.Optional(Type.String({ maxLength: 1000, description }));

/** Not in the API of App Center. */
export const codePushDeployments_explain = endpoint({
  ...common,
  id: 'codePushDeployments_explain',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/deployments/{deployment_name}/explain',
  summary: 'Explain which update a device would get',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(DeploymentPath),
  query: Type.Object({
    app_version: Type.String({
      minLength: 1,
      maxLength: 1000,
      description: 'The version of the binary, such as 1.2.0.',
    }),
    label: optional('The label of the installed release.'),
    package_hash: optional('The hash of the installed package.'),
    client_unique_id: optional('An ID of the device, which decides about rollouts.'),
    is_companion: optional('true: accept updates for any version of the binary.'),
  }),
  response: json(
    Type.Object(
      {
        reason: Type.Enum([...updateReasons]),
        update_info: UpdateInfo,
        is_diff: Type.Boolean({
          description: 'True if the device would download a diff instead of the whole package.',
        }),
        rollout: Type.Optional(
          Type.Object(
            {
              label: Type.String(),
              percent: Type.Integer(),
              place: Type.Optional(
                Type.Integer({
                  description:
                    'The position of the device, from 0 to 99. It gets the release if this is less than `percent`.',
                }),
              ),
              is_included: Type.Boolean(),
            },
            { description: 'Set if the release goes to only some devices.' },
          ),
        ),
      },
      { $id: 'CodePushExplanation' },
    ),
    { description: 'The update that the device would get, and why.' },
  ),
});
