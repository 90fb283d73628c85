import type { EndpointExamples } from '../endpoint/example.ts';

const zips = [
  'UEsDBBQAAAAIAAAAIVw1xkfiHAAAABoAAAAdAAAAQ29kZVB1c2gvaW5kZXguYW5kcm9pZC5idW5kbGVLzs8rzs9J1cvJT9dQSs7PLUgsLlYwVNK05gIAUEsBAhQDFAAAAAgAAAAhXDXGR+IcAAAAGgAAAB0AAAAAAAAAAAAAAKSBAAAAAENvZGVQdXNoL2luZGV4LmFuZHJvaWQuYnVuZGxlUEsFBgAAAAABAAEASwAAAFcAAAAAAA==',
  'UEsDBBQAAAAIAAAAIVzlvOelHAAAABoAAAAdAAAAQ29kZVB1c2gvaW5kZXguYW5kcm9pZC5idW5kbGVLzs8rzs9J1cvJT9dQSs7PLUgsLlYwUtK05gIAUEsBAhQDFAAAAAgAAAAhXOW856UcAAAAGgAAAB0AAAAAAAAAAAAAAKSBAAAAAENvZGVQdXNoL2luZGV4LmFuZHJvaWQuYnVuZGxlUEsFBgAAAAABAAEASwAAAFcAAAAAAA==',
  'UEsDBBQAAAAIAAAAIVxVlYeYHAAAABoAAAAdAAAAQ29kZVB1c2gvaW5kZXguYW5kcm9pZC5idW5kbGVLzs8rzs9J1cvJT9dQSs7PLUgsLlYwVtK05gIAUEsBAhQDFAAAAAgAAAAhXFWVh5gcAAAAGgAAAB0AAAAAAAAAAAAAAKSBAAAAAENvZGVQdXNoL2luZGV4LmFuZHJvaWQuYnVuZGxlUEsFBgAAAAABAAEASwAAAFcAAAAAAA==',
] as const;
const hashes = [
  '412ef35190de03aff56a4e9e0ad2ec95336c880ee191287ba27f2e36417ea090',
  'c0c511355f8e0df90c50c365b2606a3b03e9d57362d3acb46f56d7362e663b71',
  '2d0363d61f25726a48d68fd04b4f406f313ebffdfb1d19437243153f3a9ad712',
] as const;

/** Three small packages, with their names and the IDs of their uploads. */
export const packageExamples = [0, 1, 2].map((at) => ({
  base64: zips[at] as string,
  hash: hashes[at] as string,
  upload: `6f1c2b3a-0000-4000-8000-00000000000${at + 1}`,
}));

export const deploymentKeys = { Staging: 'compass-staging-key-4uXk2', Production: 'compass-production-key-9sTq7' };

const app = { owner_name: 'ada', app_name: 'compass' };
const staging = { ...app, deployment_name: 'Staging' };
const PACKAGE = '7hT2kQ9xVb4LmN8pR3sW6yZ1aC5dF0gJ';
const url = `https://mooring.example.com/v0.1/public/codepush/packages/${PACKAGE}`;

const release = {
  label: 'v2',
  target_binary_range: '1.0.0',
  description: 'Show true north instead of magnetic north.',
  is_disabled: false,
  is_mandatory: false,
  rollout: 100,
  package_hash: hashes[1],
  blob_url: url,
  diff_package_map: {},
  released_by: 'ada@example.com',
  release_method: 'Upload',
  size: 190,
  upload_time: 1_793_523_600_000,
} as const;
const first = { ...release, label: 'v1', package_hash: hashes[0] };
const deployment = { name: 'Staging', key: deploymentKeys.Staging, latest_release: release };

const keys = {
  key: 'Zk3vN8qR2sW6yZ1aC5dF0gJ7hT2kQ9xVb4LmN',
  former: [{ key: deploymentKeys.Staging, ends_at: '2027-01-30T09:00:00.000Z' }],
};

const update = {
  is_available: true,
  download_url: url,
  package_hash: hashes[1],
  label: 'v2',
  target_binary_range: '1.0.0',
  package_size: 190,
  is_mandatory: false,
  description: 'Show true north instead of magnetic north.',
  update_app_version: false,
  should_run_binary_version: false,
  is_disabled: false,
  rollout: 100,
};

const fields = { deployment_key: deploymentKeys.Staging, app_version: '1.0.0' };
const legacyFields = { deploymentKey: deploymentKeys.Staging, appVersion: '1.0.0' };
const report = { ...fields, label: 'v2', client_unique_id: 'device-1' };
const legacyReport = { ...legacyFields, label: 'v2', clientUniqueId: 'device-1' };

const thirdUpload = packageExamples[2]?.upload as string;

export const codepushExamples = {
  codePushDeployments_list: { params: app, response: [deployment] },
  codePushDeployments_create: {
    params: app,
    body: { name: 'Canary' },
    response: { name: 'Canary', key: 'Zk3vN8qR2sW6yZ1aC5dF0gJ7hT2kQ9xVb4LmN' },
  },
  codePushDeployments_get: { params: staging, response: deployment },
  codePushDeployments_update: { params: staging, body: { name: 'Rehearsal' } },
  codePushDeployments_delete: { params: staging },
  codePushDeploymentKeys_get: { params: staging, response: keys },
  codePushDeploymentKeys_rotate: { params: staging, body: { overlap_hours: 2160 }, response: keys },
  codePushDeploymentKeys_endFormer: { params: staging },
  codePushDeploymentMetrics_get: {
    params: staging,
    response: [
      { label: '1.0.0', active: 1 },
      { label: 'v2', active: 3, downloaded: 5, failed: 1, installed: 3 },
    ],
  },
  codePushDeploymentMetrics_listOverTime: {
    params: staging,
    query: { interval: 'P1D', days: 2 },
    response: {
      values: [
        { start: '2026-08-19T00:00:00.000Z', labels: [] },
        {
          start: '2026-08-20T00:00:00.000Z',
          labels: [{ label: 'v2', active_change: 3, downloaded: 5, installed: 3, failed: 1 }],
        },
      ],
    },
  },
  codePushDeploymentReleases_get: { params: staging, response: [first, release] },
  codePushDeploymentReleases_create: {
    params: staging,
    body: {
      release_upload: { id: thirdUpload },
      target_binary_version: '1.0.0',
      description: 'Fix directions in the southern hemisphere.',
    },
    response: {
      ...release,
      label: 'v3',
      package_hash: hashes[2],
      description: 'Fix directions in the southern hemisphere.',
    },
  },
  codePushDeploymentReleases_delete: { params: staging },
  deploymentReleases_update: {
    params: { ...staging, release_label: 'v2' },
    body: { is_mandatory: true },
    response: { ...release, is_mandatory: true },
  },
  codePushDeployments_promote: {
    params: { ...staging, promote_deployment_name: 'Production' },
    body: { rollout: 25 },
    response: {
      ...release,
      label: 'v2',
      rollout: 25,
      release_method: 'Promote',
      original_label: 'v2',
      original_deployment: 'Staging',
    },
  },
  codePushDeploymentRelease_rollback: {
    params: staging,
    body: {},
    response: { ...first, label: 'v3', release_method: 'Rollback', original_label: 'v1' },
  },
  codePushDeploymentUpload_create: {
    params: staging,
    body: {},
    response: { id: thirdUpload, upload_domain: 'https://mooring.example.com', token: 'mzqk3f.1f3c' },
  },
  codePushDeploymentUpload_put: {
    params: { ...staging, upload_id: '6f1c2b3a-0000-4000-8000-000000000009' },
    body: { type: 'application/zip', base64: zips[2] },
    response: { id: '6f1c2b3a-0000-4000-8000-000000000009', received: 190, is_finished: true },
  },
  codePushDeployments_explain: {
    params: staging,
    query: { app_version: '1.0.0', label: 'v1', client_unique_id: 'device-1' },
    response: { reason: 'update', update_info: update, is_diff: false },
  },
  codePushAcquisition_updateCheck: {
    query: { ...fields, label: 'v1', package_hash: hashes[0], client_unique_id: 'device-1' },
    response: {
      update_info: update,
    },
  },
  legacyCodePushAcquisition_updateCheck: {
    query: { ...legacyFields, packageHash: hashes[0], label: 'v1', clientUniqueId: 'device-1' },
    response: {
      updateInfo: {
        isAvailable: true,
        downloadURL: url,
        packageHash: hashes[1],
        label: 'v2',
        appVersion: '1.0.0',
        packageSize: 190,
        isMandatory: false,
        description: 'Show true north instead of magnetic north.',
        updateAppVersion: false,
        shouldRunBinaryVersion: false,
        isDisabled: false,
        rollout: 100,
      },
    },
  },
  codePushAcquisition_updateInstallsStatus: {
    body: { ...report, status: 'DeploymentSucceeded', previous_label_or_app_version: 'v1' },
  },
  codePushAcquisition_updateDownloadStatus: { body: report },
  legacyCodePushAcquisition_updateInstallsStatus: {
    body: { ...legacyReport, status: 'DeploymentSucceeded', previousLabelOrAppVersion: 'v1' },
  },
  legacyCodePushAcquisition_updateDownloadStatus: { body: legacyReport },
  codePushAcquisition_status: { response: { code: 200, message: 'The server accepts requests from devices.' } },
  codePushPackages_get: { params: { package_name: PACKAGE } },
} satisfies EndpointExamples<
  typeof import('./acquisition.contract.ts') &
    typeof import('./deployment-keys.contract.ts') &
    typeof import('./deployments.contract.ts') &
    typeof import('./explanations.contract.ts') &
    typeof import('./releases.contract.ts')
>;
