import type { EndpointExamples } from '../endpoint/example.ts';

const params = { asset_id: '3f1a2b4c-7d11-4c2f-8a57-6f0c5d2e9b33' };
const token = 'mj9w2k5c.Yk3uQ0bUuN3h0wW8vJxq5sT7d1nB2cV4mL6pR9eZaXg';
const body = { type: 'application/octet-stream', base64: 'bW9vcmluZw==' };
const location = `https://mooring.example.com/upload/${params.asset_id}`;

export const uploadsExamples = {
  uploads_setMetadata: {
    params,
    query: { file_name: 'compass.apk', file_size: 7, token },
    body,
    response: {
      error: false,
      id: params.asset_id,
      chunk_size: 4_194_304,
      chunk_list: [1],
      resume_restart: false,
      blob_partitions: 1,
      status_code: 'Success',
    },
  },
  uploads_addChunk: {
    params,
    query: { block_number: 1, token },
    body,
    response: { error: false, chunk_num: 1, error_code: 'None' },
  },
  uploads_finish: {
    params,
    query: { token },
    body,
    response: {
      error: false,
      chunk_num: 0,
      error_code: 'None',
      state: 'Done',
      message: 'Upload complete',
      location,
      raw_location: location,
      absolute_uri: location,
    },
  },
  uploads_cancel: { params, query: { token }, body, response: { error: false, message: 'The upload was canceled.' } },
  uploads_sendForm: { params, query: { token }, body, response: { error: false, message: 'Upload complete' } },
  uploads_putBlob: { params, query: { token }, headers: { 'x-ms-blob-type': 'BlockBlob' }, body },
} satisfies EndpointExamples<typeof import('./uploads.contract.ts')>;
