import { type Fixtures, putId } from '../fixtures/fixtures.ts';
import {
  codePushAcquisition_updateDownloadStatus,
  codePushAcquisition_updateInstallsStatus,
  codePushPackages_get,
} from './acquisition.contract.ts';
import { deploymentKeys, packageExamples } from './codepush.examples.ts';
import { codePushDeployments_create } from './deployments.contract.ts';
import {
  codePushDeploymentReleases_create,
  codePushDeployments_promote,
  codePushDeploymentUpload_put,
} from './releases.contract.ts';

const app = { owner_name: 'ada', app_name: 'compass' };
const staging = { ...app, deployment_name: 'Staging' };

const toBytes = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/**
 * Two deployments: one with two releases, the first of them promoted to the other; an uploaded package; a device.
 */
export async function addCodePush(fixtures: Fixtures): Promise<void> {
  const { call } = fixtures.ada;
  for (const name of ['Staging', 'Production'] as const) {
    await call(codePushDeployments_create, { params: app, body: { name, key: deploymentKeys[name] } });
  }
  for (const [at, { base64, upload }] of packageExamples.entries()) {
    await call(codePushDeploymentUpload_put, {
      params: { ...staging, upload_id: upload },
      file: new Blob([toBytes(base64)], { type: 'application/zip' }),
    });
    if (at === 2) break;
    const { blob_url = '' } = await call(codePushDeploymentReleases_create, {
      params: staging,
      body: {
        release_upload: { id: upload },
        target_binary_version: '1.0.0',
        description: at === 0 ? 'First compass.' : 'Show true north instead of magnetic north.',
      },
    });
    putId(fixtures, codePushPackages_get, 'package_name', blob_url.split('/').at(-1) ?? '');
    if (at > 0) continue;
    const params = { ...staging, promote_deployment_name: 'Production' };
    await call(codePushDeployments_promote, { params, body: {} });
  }
  const fields = { deployment_key: deploymentKeys.Staging, app_version: '1.0.0', client_unique_id: 'device-0' };
  await call(codePushAcquisition_updateDownloadStatus, { body: { ...fields, label: 'v1' } });
  await call(codePushAcquisition_updateInstallsStatus, {
    body: { ...fields, label: 'v1', status: 'DeploymentSucceeded', previous_label_or_app_version: '1.0.0' },
  });
}
