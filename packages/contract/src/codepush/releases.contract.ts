import { empty, endpoint, file, json } from '../endpoint/index.ts';
import { Uuid } from '../fields.ts';
import { Type } from '../type.ts';
import { common, DEPLOYMENT_NAME_MAX, DeploymentPath } from './deployments.contract.ts';
import { CodePushRelease, RELEASE_DESCRIPTION_MAX, releaseMethods } from './release-fields.ts';

/** Existing clients send null for what they were not told. */
const orNull = <S extends Parameters<typeof Type.Optional>[0]>(schema: S) =>
  Type.Optional(Type.Union([schema, Type.Null()]));

const Rollout = Type.Integer({ minimum: 1, maximum: 100 });
const Range = Type.String({ minLength: 1, maxLength: 256, description: 'A version, or a range such as ^1.2.0 or *.' });
const Description = Type.String({ maxLength: RELEASE_DESCRIPTION_MAX });

const changeable = {
  target_binary_range: orNull(Range),
  description: orNull(Description),
  is_disabled: orNull(Type.Boolean()),
  is_mandatory: orNull(Type.Boolean()),
  rollout: orNull(Rollout),
};

const Label = Type.String({ minLength: 1, maxLength: 100 });

/** Facts of a release that another server published. */
const ImportedRelease = Type.Object(
  {
    label: Type.String({ pattern: '^v[1-9][0-9]{0,8}$', description: 'Higher than every label that was used.' }),
    upload_time: Type.Integer({ minimum: 0, description: 'In milliseconds since 1970; not in the future.' }),
    release_method: Type.Optional(Type.Enum([...releaseMethods])),
    original_label: Type.Optional(Label),
    original_deployment: Type.Optional(Type.String({ maxLength: DEPLOYMENT_NAME_MAX })),
    released_by: Type.Optional(Type.String({ maxLength: 254 })),
  },
  {
    description:
      'For a release that another server published: it keeps its label, time and origin, and neither webhooks nor mails report it.',
  },
);

export const codePushDeploymentReleases_get = endpoint({
  ...common,
  id: 'codePushDeploymentReleases_get',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/deployments/{deployment_name}/releases',
  summary: 'Lists the releases of a deployment',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(DeploymentPath),
  response: json(Type.Array(CodePushRelease), { description: 'Oldest first.' }),
});

export const codePushDeploymentReleases_create = endpoint({
  ...common,
  id: 'codePushDeploymentReleases_create',
  method: 'POST',
  path: '/v0.1/apps/{owner_name}/{app_name}/deployments/{deployment_name}/releases',
  summary: 'Releases an uploaded package',
  description:
    'Refused with 409 if the newest release still goes to some devices only, or if the package is the one that is out already. The same upload again answers what was released by it.',
  access: 'app:developer',
  effect: 'change',
  params: Type.Object(DeploymentPath),
  request: json(
    Type.Object({
      release_upload: Type.Object({
        id: Uuid,
        upload_domain: Type.Optional(Type.String({ maxLength: 2000 })),
        token: Type.Optional(Type.String({ maxLength: 2000 })),
      }),
      target_binary_version: Range,
      deployment_name: orNull(Type.String({ maxLength: DEPLOYMENT_NAME_MAX })),
      description: orNull(Description),
      disabled: orNull(Type.Boolean()),
      mandatory: orNull(Type.Boolean()),
      no_duplicate_release_error: orNull(Type.Boolean()),
      rollout: orNull(Rollout),
      imported: Type.Optional(ImportedRelease),
    }),
  ),
  response: json(CodePushRelease, { status: 201, description: 'The new release.' }),
  errors: [404, 409],
});

export const codePushDeploymentReleases_delete = endpoint({
  ...common,
  id: 'codePushDeploymentReleases_delete',
  method: 'DELETE',
  path: '/v0.1/apps/{owner_name}/{app_name}/deployments/{deployment_name}/releases',
  summary: 'Forgets all releases of a deployment, and its metrics',
  description: 'Labels go on where they were.',
  access: 'app:manager',
  effect: 'change',
  params: Type.Object(DeploymentPath),
  response: empty({ description: 'The deployment has no releases.' }),
});

export const deploymentReleases_update = endpoint({
  ...common,
  id: 'deploymentReleases_update',
  method: 'PATCH',
  path: '/v0.1/apps/{owner_name}/{app_name}/deployments/{deployment_name}/releases/{release_label}',
  summary: 'Changes what is said of a release',
  description: 'A rollout can only grow, and only while it is not finished; 100 finishes it.',
  access: 'app:developer',
  effect: 'change',
  params: Type.Object({ ...DeploymentPath, release_label: Label }),
  request: json(Type.Object(changeable)),
  response: json(CodePushRelease, {
    description: 'The release after the change.',
    mayBeEmpty: 'It was like that already; nothing was changed.',
  }),
  errors: [404, 409],
});

export const codePushDeployments_promote = endpoint({
  ...common,
  id: 'codePushDeployments_promote',
  method: 'POST',
  path: '/v0.1/apps/{owner_name}/{app_name}/deployments/{deployment_name}/promote_release/{promote_deployment_name}',
  summary: 'Releases in one deployment what was released in another',
  description: 'The newest release, or the one with this label. What is not said is taken over, but for the rollout.',
  access: 'app:developer',
  effect: 'change',
  params: Type.Object({
    ...DeploymentPath,
    promote_deployment_name: Type.String({ minLength: 1, maxLength: DEPLOYMENT_NAME_MAX }),
  }),
  request: json(Type.Object({ ...changeable, label: orNull(Label) })),
  // NOTE: existing clients take 200, not 201, as the success of this.
  response: json(CodePushRelease, { description: 'The release in the other deployment.' }),
  errors: [404, 409],
});

export const codePushDeploymentRelease_rollback = endpoint({
  ...common,
  id: 'codePushDeploymentRelease_rollback',
  method: 'POST',
  path: '/v0.1/apps/{owner_name}/{app_name}/deployments/{deployment_name}/rollback_release',
  summary: 'Releases once more what was released before',
  description: 'The release before the newest, or the one with this label; it must be for the same binaries.',
  access: 'app:developer',
  effect: 'change',
  params: Type.Object(DeploymentPath),
  request: json(Type.Object({ label: orNull(Label) }), {
    bodyOmittedBy: { client: 'appcenter-cli 3.0.4', command: 'codepush rollback' },
  }),
  response: json(CodePushRelease, { status: 201, description: 'The new release, with the former package.' }),
  errors: [404, 409],
});

export const codePushDeploymentUpload_create = endpoint({
  ...common,
  id: 'codePushDeploymentUpload_create',
  method: 'POST',
  path: '/v0.1/apps/{owner_name}/{app_name}/deployments/{deployment_name}/uploads',
  summary: 'Begins the upload of a package',
  description: 'The file goes to upload_domain in pieces; then it is released by its id.',
  access: 'app:developer',
  effect: 'change',
  params: Type.Object(DeploymentPath),
  request: json(Type.Object({}), {
    bodyOmittedBy: { client: 'appcenter-cli 3.0.4', command: 'codepush release' },
  }),
  response: json(
    Type.Object({ id: Uuid, upload_domain: Type.String(), token: Type.String() }, { $id: 'CodePushReleaseUpload' }),
    { description: 'Where to send it, and what to show there.' },
  ),
});

export const PACKAGE_MAX_BYTES = 2 ** 31;

/** Ours: the file in one request, or in ranges that can be sent again. */
export const codePushDeploymentUpload_put = endpoint({
  ...common,
  id: 'codePushDeploymentUpload_put',
  method: 'PUT',
  path: '/v0.1/apps/{owner_name}/{app_name}/deployments/{deployment_name}/uploads/{upload_id}',
  summary: 'Takes a package in one request, under an id that the sender chose',
  description:
    'Or in ranges, with Content-Range: received is the offset of the next range. To ask how much has arrived, send `Content-Range: bytes */<size>` with the body `{}`, which is ignored. Then it is released by its id.',
  access: 'app:developer',
  effect: 'change',
  params: Type.Object({ ...DeploymentPath, upload_id: Uuid }),
  headers: Type.Object({ 'content-range': Type.Optional(Type.String({ maxLength: 100 })) }),
  request: file({
    types: ['application/zip', 'application/octet-stream'],
    maxBytes: PACKAGE_MAX_BYTES,
    isAnyType: true,
    isLong: true,
  }),
  response: json(
    Type.Object(
      { id: Uuid, received: Type.Integer({ minimum: 0 }), is_finished: Type.Boolean() },
      { $id: 'CodePushReceived' },
    ),
    { description: 'How much has arrived, from the beginning and without a gap.' },
  ),
});
