import type { EndpointExamples } from '../endpoint/example.ts';
import { sampleApk } from './sample-packages.ts';

const params = { owner_name: 'ada', app_name: 'compass' };
/** A complete upload that is not a release yet. */
const sent = { ...params, upload_id: '08cfec70-1264-4def-84f6-ca7eb01f7e88' };
const token = 'mj9w2k5c.Tt4uQ0bUuN3h0wW8vJxq5sT7d1nB2cV4mL6pR9eZaXg';
const asset = '5d2f3f0c-5d2e-4b11-9a57-6f0c5d2e9b44';

export const releaseUploadsExamples = {
  releaseUploads_create: {
    params,
    body: {},
    response: {
      id: asset,
      package_asset_id: asset,
      upload_domain: 'https://mooring.example.com',
      token,
      url_encoded_token: token,
    },
  },
  releaseUploads_get: { params: sent, response: { id: sent.upload_id, upload_status: 'uploadStarted' } },
  releaseUploads_update: {
    params: sent,
    body: { upload_status: 'uploadFinished' },
    response: { id: sent.upload_id, upload_status: 'uploadFinished' },
  },
  releaseUploads_put: {
    params,
    query: { file_name: 'compass-1.4.0.apk' },
    body: sampleApk,
    response: { id: asset, upload_status: 'uploadFinished', received: 1170, size: 1170 },
  },
  releaseUploads_createOld: {
    params,
    body: {},
    response: {
      upload_id: asset,
      upload_url: `https://mooring.example.com/upload/form/${asset}?token=${token}`,
      asset_id: asset,
      asset_domain: 'https://mooring.example.com',
      asset_token: token,
    },
  },
  releaseUploads_finishOld: {
    params: sent,
    body: { status: 'committed' },
    response: { release_id: 2, release_url: 'v0.1/apps/ada/compass/releases/2' },
  },
} satisfies EndpointExamples<typeof import('./release-uploads.contract.ts')>;
