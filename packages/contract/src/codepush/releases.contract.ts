import { empty, endpoint, file, json } from '../endpoint/index.ts';
import { Uuid } from '../fields.ts';
import { Type } from '../type.ts';
import { common, DEPLOYMENT_NAME_MAX, DeploymentPath } from './deployments.contract.ts';
import { CodePushRelease, RELEASE_DESCRIPTION_MAX, releaseMethods } from './release-fields.ts';

/** Existing clients send null for options that are not set. */
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

/** Fields of a release that another server published. */
const ImportedRelease = Type.Object(
  {
    label: Type.String({ pattern: '^v[1-9][0-9]{0,8}$', description: 'Higher than all labels used before.' }),
    upload_time: Type.Integer({ minimum: 0, description: 'Unix time in milliseconds, not in the future.' }),
    release_method: Type.Optional(Type.Enum([...releaseMethods])),
    original_label: Type.Optional(Label),
    original_deployment: Type.Optional(Type.String({ maxLength: DEPLOYMENT_NAME_MAX })),
    released_by: Type.Optional(Type.String({ maxLength: 254 })),
  },
  {
    description:
      'Imports a release that another server published: it keeps its label, time and origin, and is reported to no webhook or email.',
  },
);

export const codePushDeploymentReleases_get = endpoint({
  ...common,
  id: 'codePushDeploymentReleases_get',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/deployments/{deployment_name}/releases',
  summary: 'List the releases of a deployment',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(DeploymentPath),
  response: json(Type.Array(CodePushRelease), { description: 'The releases, oldest first.' }),
});

export const codePushDeploymentReleases_create = endpoint({
  ...common,
  id: 'codePushDeploymentReleases_create',
  method: 'POST',
  path: '/v0.1/apps/{owner_name}/{app_name}/deployments/{deployment_name}/releases',
  summary: 'Release an uploaded package',
  description:
    'Fails with 409 if the newest release is only partly rolled out, or has the same package. Repeating the request with the same upload returns its release.',
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
  summary: 'Delete all releases of a deployment, and its metrics',
  description: 'Labels are not reused.',
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
  summary: 'Update the settings of a release',
  description: 'A rollout can only grow, until it is finished with 100.',
  access: 'app:developer',
  effect: 'change',
  params: Type.Object({ ...DeploymentPath, release_label: Label }),
  request: json(Type.Object(changeable)),
  response: json(CodePushRelease, {
    description: 'The updated release.',
    mayBeEmpty: 'The release already has these settings.',
  }),
  errors: [404, 409],
});

export const codePushDeployments_promote = endpoint({
  ...common,
  id: 'codePushDeployments_promote',
  method: 'POST',
  path: '/v0.1/apps/{owner_name}/{app_name}/deployments/{deployment_name}/promote_release/{promote_deployment_name}',
  summary: 'Promote a release to another deployment',
  description:
    'Promotes the newest release, or the one with this label. Omitted settings are copied from it, except for the rollout.',
  access: 'app:developer',
  effect: 'change',
  params: Type.Object({
    ...DeploymentPath,
    promote_deployment_name: Type.String({ minLength: 1, maxLength: DEPLOYMENT_NAME_MAX }),
  }),
  request: json(Type.Object({ ...changeable, label: orNull(Label) })),
  // NOTE: existing clients expect 200, not 201.
  response: json(CodePushRelease, { description: 'The release in the other deployment.' }),
  errors: [404, 409],
});

export const codePushDeploymentRelease_rollback = endpoint({
  ...common,
  id: 'codePushDeploymentRelease_rollback',
  method: 'POST',
  path: '/v0.1/apps/{owner_name}/{app_name}/deployments/{deployment_name}/rollback_release',
  summary: 'Roll back to an earlier release',
  description:
    'Releases the package of the previous release, or of the one with this label, again. It must support the same versions of the binary.',
  access: 'app:developer',
  effect: 'change',
  params: Type.Object(DeploymentPath),
  request: json(Type.Object({ label: orNull(Label) }), {
    bodyOmittedBy: { client: 'appcenter-cli 3.0.4', command: 'codepush rollback' },
  }),
  response: json(CodePushRelease, { status: 201, description: 'The new release, with the earlier package.' }),
  errors: [404, 409],
});

export const codePushDeploymentUpload_create = endpoint({
  ...common,
  id: 'codePushDeploymentUpload_create',
  method: 'POST',
  path: '/v0.1/apps/{owner_name}/{app_name}/deployments/{deployment_name}/uploads',
  summary: 'Start the upload of a package',
  description: 'Send the file to upload_domain in chunks, then release it by its ID.',
  access: 'app:developer',
  effect: 'change',
  params: Type.Object(DeploymentPath),
  request: json(Type.Object({}), {
    bodyOmittedBy: { client: 'appcenter-cli 3.0.4', command: 'codepush release' },
  }),
  response: json(
    Type.Object({ id: Uuid, upload_domain: Type.String(), token: Type.String() }, { $id: 'CodePushReleaseUpload' }),
    { description: 'The URL to send the file to, and the token for it.' },
  ),
});

export const PACKAGE_MAX_BYTES = 2 ** 31;

/** Not in the API of App Center: the file in one request, or in ranges that can be resumed. */
export const codePushDeploymentUpload_put = endpoint({
  ...common,
  id: 'codePushDeploymentUpload_put',
  method: 'PUT',
  path: '/v0.1/apps/{owner_name}/{app_name}/deployments/{deployment_name}/uploads/{upload_id}',
  summary: 'Upload a package in one request, under an ID that you choose',
  description:
    'Or in ranges, with Content-Range: `received` is the offset of the next range. To get the received size, send `Content-Range: bytes */<size>` with the body `{}`, which is ignored. Then release the package by its ID.',
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
    { description: 'The number of bytes received from the start, without gaps.' },
  ),
});
