import { empty, endpoint, file, json } from '../endpoint/index.ts';
import { Type } from '../type.ts';
import { codepushSurface } from './codepush.surface.ts';

const optional = (description: string) => Type.Optional(Type.String({ maxLength: 1000, description }));

const query = {
  key: optional('The key of the deployment.'),
  version: optional('The version of the binary, such as 1.2.0.'),
  hash: optional('The hash of the installed package. Absent for the code in the binary.'),
  label: optional('The label of the installed release.'),
  device: optional('An ID of the device. Devices without one are in no rollout.'),
  companion: optional('true: accept updates for any version of the binary.'),
  previous: optional('Accepted for existing clients, and ignored.'),
};

const device = {
  tag: 'codepush',
  surface: codepushSurface,
  errorShape: 'text',
  access: 'deploymentKey',
  readableFrom: 'anywhere',
} as const;

const ofDevice = 'Called by the CodePush SDKs on devices.';

export const UpdateInfo = Type.Object(
  {
    is_available: Type.Boolean({ description: 'True if there is an update for the device.' }),
    download_url: Type.String({
      description: "The URL of a diff if one exists for the device's package, otherwise of the whole package.",
    }),
    package_hash: Type.String({ description: 'The hash of the whole package.' }),
    label: Type.String(),
    target_binary_range: Type.String({
      description:
        "The device's version of the binary or, if the release needs another one, the range of versions that it supports.",
    }),
    package_size: Type.Integer({ description: 'The size of the file at download_url.' }),
    is_mandatory: Type.Boolean({ description: 'True if the device must install the update.' }),
    description: Type.String(),
    update_app_version: Type.Boolean({ description: 'True if the latest release needs a newer binary.' }),
    should_run_binary_version: Type.Boolean({
      description: 'True if the device should run the code in its binary, because no release supports it.',
    }),
    is_disabled: Type.Boolean(),
    rollout: Type.Optional(Type.Integer()),
  },
  { $id: 'CodePushUpdateInfo' },
);

export const LegacyUpdateInfo = Type.Object(
  {
    isAvailable: Type.Boolean({ description: 'True if there is an update for the device.' }),
    downloadURL: Type.String(),
    packageHash: Type.String({ description: 'The hash of the whole package.' }),
    label: Type.String(),
    appVersion: Type.String(),
    packageSize: Type.Integer(),
    isMandatory: Type.Boolean({ description: 'True if the device must install the update.' }),
    description: Type.String(),
    updateAppVersion: Type.Boolean({ description: 'True if the latest release needs a newer binary.' }),
    shouldRunBinaryVersion: Type.Boolean({
      description: 'True if the device should run the code in its binary, because no release supports it.',
    }),
    isDisabled: Type.Boolean(),
    rollout: Type.Optional(Type.Integer()),
  },
  { $id: 'LegacyCodePushUpdateInfo' },
);

export const codePushAcquisition_updateCheck = endpoint({
  ...device,
  id: 'codePushAcquisition_updateCheck',
  method: 'GET',
  path: '/v0.1/public/codepush/update_check',
  summary: 'Check for an update of a device',
  description: `${ofDevice} Changes to the deployment take effect in the next response.`,
  effect: 'read',
  query: Type.Object({
    deployment_key: query.key,
    app_version: query.version,
    package_hash: query.hash,
    label: query.label,
    client_unique_id: query.device,
    is_companion: query.companion,
    previous_label_or_app_version: query.previous,
    previous_deployment_key: query.previous,
  }),
  response: json(Type.Object({ update_info: UpdateInfo }), {
    description: 'The update, or that none is available.',
    isWritten: true,
  }),
  errors: [404],
});

export const legacyCodePushAcquisition_updateCheck = endpoint({
  ...device,
  id: 'legacyCodePushAcquisition_updateCheck',
  method: 'GET',
  path: '/v0.1/legacy/updateCheck',
  summary: 'Check for an update of a device with an older SDK',
  description: `${ofDevice} Also at /updateCheck.`,
  effect: 'read',
  query: Type.Object({
    deploymentKey: query.key,
    appVersion: query.version,
    packageHash: query.hash,
    label: query.label,
    clientUniqueId: query.device,
    isCompanion: query.companion,
  }),
  response: json(Type.Object({ updateInfo: LegacyUpdateInfo }), {
    description: 'The update, or that none is available.',
    isWritten: true,
  }),
  errors: [404],
});

const reported = (description?: string) =>
  Type.Optional(Type.Union([Type.String({ maxLength: 1000 }), Type.Null()], description ? { description } : {}));

/** Descriptions of fields that both spellings of a report have. */
const fields = {
  label: reported('The label of the release. Absent for the code in the binary.'),
  previousKey: reported('The key of the deployment that the device used before.'),
  previousLabel: reported('The label or binary version that the device ran before.'),
  status: reported('DeploymentSucceeded, or DeploymentFailed if the device rolled the update back.'),
  device: reported('An ID of the device. Without it, repeated reports count again.'),
};

const DeviceReport = Type.Object({
  deployment_key: reported(),
  label: fields.label,
  app_version: reported(),
  previous_deployment_key: fields.previousKey,
  previous_label_or_app_version: fields.previousLabel,
  status: fields.status,
  client_unique_id: fields.device,
});

const LegacyDeviceReport = Type.Object({
  deploymentKey: reported(),
  label: fields.label,
  appVersion: reported(),
  previousDeploymentKey: fields.previousKey,
  previousLabelOrAppVersion: fields.previousLabel,
  status: fields.status,
  clientUniqueId: fields.device,
});

const counted = empty({ status: 200, description: 'The report is stored and counted in the metrics.' });
const onceOnly = `${ofDevice} Repeated reports of a device count once.`;

export const codePushAcquisition_updateInstallsStatus = endpoint({
  ...device,
  id: 'codePushAcquisition_updateInstallsStatus',
  method: 'POST',
  path: '/v0.1/public/codepush/report_status/deploy',
  summary: 'Report that a device runs an update, rolled it back, or runs a new binary',
  description: onceOnly,
  effect: 'ingest',
  request: json(DeviceReport),
  response: counted,
  errors: [404],
});

export const codePushAcquisition_updateDownloadStatus = endpoint({
  ...device,
  id: 'codePushAcquisition_updateDownloadStatus',
  method: 'POST',
  path: '/v0.1/public/codepush/report_status/download',
  summary: 'Report that a device downloaded an update',
  description: onceOnly,
  effect: 'ingest',
  request: json(DeviceReport),
  response: counted,
  errors: [404],
});

export const legacyCodePushAcquisition_updateInstallsStatus = endpoint({
  ...device,
  id: 'legacyCodePushAcquisition_updateInstallsStatus',
  method: 'POST',
  path: '/v0.1/legacy/reportStatus/deploy',
  summary: 'Report that a device with an older SDK runs an update, rolled it back, or runs a new binary',
  description: `${onceOnly} Also at /reportStatus/deploy.`,
  effect: 'ingest',
  request: json(LegacyDeviceReport),
  response: counted,
  errors: [404],
});

export const legacyCodePushAcquisition_updateDownloadStatus = endpoint({
  ...device,
  id: 'legacyCodePushAcquisition_updateDownloadStatus',
  method: 'POST',
  path: '/v0.1/legacy/reportStatus/download',
  summary: 'Report that a device with an older SDK downloaded an update',
  description: `${onceOnly} Also at /reportStatus/download.`,
  effect: 'ingest',
  request: json(LegacyDeviceReport),
  response: counted,
  errors: [404],
});

export const codePushAcquisition_status = endpoint({
  ...device,
  id: 'codePushAcquisition_status',
  method: 'GET',
  path: '/v0.1/public/codepush/status',
  summary: 'Check that the server accepts requests from devices',
  description:
    'Always returns the same response and does not check the database. Use /readyz to check the whole server.',
  effect: 'read',
  response: json(Type.Object({ code: Type.Integer(), message: Type.String() }), {
    description: 'The server accepts requests.',
  }),
});

export const codePushPackages_get = endpoint({
  ...device,
  id: 'codePushPackages_get',
  method: 'GET',
  path: '/v0.1/public/codepush/packages/{package_name}',
  summary: 'Download a package or a diff',
  description: 'Requires no credential. update_check and the releases of a deployment contain the URL.',
  effect: 'read',
  params: Type.Object({ package_name: Type.String({ minLength: 1, maxLength: 100 }) }),
  response: file({
    description: 'The package or diff.',
    types: ['application/zip', 'application/octet-stream'],
    cache: 'public, max-age=31536000, immutable',
  }),
  errors: [404],
});
