import { empty, endpoint, file, json } from '../endpoint/index.ts';
import { Type } from '../type.ts';
import { codepushFamily } from './codepush.family.ts';

const OptionalText = Type.Optional(Type.String({ maxLength: 1000 }));

const device = {
  tag: 'codepush',
  family: codepushFamily,
  errorShape: 'text',
  access: 'deploymentKey',
  readableFrom: 'anywhere',
} as const;

const ofDevice = 'For devices; see the CodePush SDKs.';

export const UpdateInfo = Type.Object(
  {
    is_available: Type.Boolean(),
    download_url: Type.String({ description: 'Of a diff, if there is one for what the device has.' }),
    package_hash: Type.String(),
    label: Type.String(),
    target_binary_range: Type.String({
      description: 'The version that the device said, or the range of what it cannot have.',
    }),
    package_size: Type.Integer({ description: 'Of the file at download_url.' }),
    is_mandatory: Type.Boolean(),
    description: Type.String(),
    update_app_version: Type.Boolean({ description: 'What is out is for a newer binary.' }),
    should_run_binary_version: Type.Boolean(),
    is_disabled: Type.Boolean(),
    rollout: Type.Optional(Type.Integer()),
  },
  { $id: 'CodePushUpdateInfo' },
);

export const LegacyUpdateInfo = Type.Object(
  {
    isAvailable: Type.Boolean(),
    downloadURL: Type.String(),
    packageHash: Type.String(),
    label: Type.String(),
    appVersion: Type.String(),
    packageSize: Type.Integer(),
    isMandatory: Type.Boolean(),
    description: Type.String(),
    updateAppVersion: Type.Boolean(),
    shouldRunBinaryVersion: Type.Boolean(),
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
  summary: 'Tells a device which update it gets',
  description: `${ofDevice} What was changed in the deployment is in the very next answer.`,
  effect: 'read',
  query: Type.Object({
    deployment_key: OptionalText,
    app_version: OptionalText,
    package_hash: OptionalText,
    label: OptionalText,
    client_unique_id: OptionalText,
    is_companion: OptionalText,
    previous_label_or_app_version: OptionalText,
    previous_deployment_key: OptionalText,
  }),
  response: json(Type.Object({ update_info: UpdateInfo }), {
    description: 'An update, or that there is none.',
    isWritten: true,
  }),
  errors: [404],
});

export const legacyCodePushAcquisition_updateCheck = endpoint({
  ...device,
  id: 'legacyCodePushAcquisition_updateCheck',
  method: 'GET',
  path: '/v0.1/legacy/updateCheck',
  summary: 'Tells a device with an older SDK which update it gets',
  description: `${ofDevice} Also at /updateCheck.`,
  effect: 'read',
  query: Type.Object({
    deploymentKey: OptionalText,
    appVersion: OptionalText,
    packageHash: OptionalText,
    label: OptionalText,
    clientUniqueId: OptionalText,
    isCompanion: OptionalText,
  }),
  response: json(Type.Object({ updateInfo: LegacyUpdateInfo }), {
    description: 'An update, or that there is none.',
    isWritten: true,
  }),
  errors: [404],
});

const Reported = Type.Optional(Type.Union([Type.String({ maxLength: 1000 }), Type.Null()]));

const DeviceReport = Type.Object({
  deployment_key: Reported,
  label: Reported,
  app_version: Reported,
  previous_deployment_key: Reported,
  previous_label_or_app_version: Reported,
  status: Reported,
  client_unique_id: Reported,
});

const LegacyDeviceReport = Type.Object({
  deploymentKey: Reported,
  label: Reported,
  appVersion: Reported,
  previousDeploymentKey: Reported,
  previousLabelOrAppVersion: Reported,
  status: Reported,
  clientUniqueId: Reported,
});

const counted = empty({ status: 200, description: 'It is on the disk, and in the metrics.' });
const onceOnly = `${ofDevice} A report that a device sends again counts once.`;

export const codePushAcquisition_updateInstallsStatus = endpoint({
  ...device,
  id: 'codePushAcquisition_updateInstallsStatus',
  method: 'POST',
  path: '/v0.1/public/codepush/report_status/deploy',
  summary: 'Counts a device that runs an update, went back from it, or runs a new binary',
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
  summary: 'Counts a device that has downloaded an update',
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
  summary: 'The same for older SDKs: runs an update, went back from it, or runs a new binary',
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
  summary: 'The same for older SDKs: has downloaded an update',
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
  summary: 'Returns 200 while the server accepts requests from devices',
  description: 'The response is fixed and the database is not checked; use /readyz to check the whole server.',
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
  summary: 'Returns a package, or what changed in it',
  description: 'For whoever knows its address, which update_check and the releases of a deployment tell.',
  effect: 'read',
  params: Type.Object({ package_name: Type.String({ minLength: 1, maxLength: 100 }) }),
  response: file({
    description: 'The package.',
    types: ['application/zip', 'application/octet-stream'],
    cache: 'public, max-age=31536000, immutable',
  }),
  errors: [404],
});
