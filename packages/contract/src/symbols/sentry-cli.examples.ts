import type { EndpointExamples } from '../endpoint/example.ts';

const app = { owner_name: 'ada', app_name: 'compass' };
const owner = { owner_name: 'ada' };
/** Of a chunk that the test fixtures send. */
export const chunkExample = 'abc';
const sha1 = 'a9993e364706816aba3e25717850c26c9cd0d89d';

/** A zip with `proguard/6dd7a0ac-0ab2-5a9d-a9f7-5b2b3c5b7e01.txt`, a mapping of one class. */
const mappingZip = {
  type: 'application/zip',
  base64:
    'UEsDBBQAAAAAAMBLFF0j37oyNAAAADQAAAAxAAAAcHJvZ3VhcmQvNmRkN2EwYWMtMGFiMi01YTlkLWE5ZjctNWIyYjNjNWI3ZTAxLnR4dG9yZy5zaG9wLkNhcnQgLT4gYS5iOgogICAgMTo1OnZvaWQgcGF5KCk6MjA6MjQgLT4gYQpQSwECFAAUAAAAAADASxRdI9+6MjQAAAA0AAAAMQAAAAAAAAAAAAAAgAEAAAAAcHJvZ3VhcmQvNmRkN2EwYWMtMGFiMi01YTlkLWE5ZjctNWIyYjNjNWI3ZTAxLnR4dFBLBQYAAAAAAQABAF8AAACDAAAAAAA=',
};

export const sentryCliExamples = {
  symbolChunks_getOptions: {
    params: owner,
    response: {
      url: 'https://mooring.example.com/api/0/organizations/ada/chunk-upload/',
      chunkSize: 8_388_608,
      chunksPerRequest: 64,
      maxFileSize: 2_147_483_648,
      maxRequestSize: 33_554_432,
      concurrency: 4,
      hashAlgorithm: 'sha1',
      compression: ['gzip'],
      accept: ['debug_files', 'release_files', 'pdbs', 'portablepdbs', 'sources', 'proguard', 'artifact_bundles'],
    },
  },
  symbolChunks_send: {
    params: owner,
    body: {
      name: sha1,
      type: 'application/octet-stream',
      base64: 'YWJj',
    },
    response: {},
  },
  debugFiles_assemble: {
    params: app,
    body: {
      [sha1]: { name: 'libcompass.so', debug_id: '0f1c65b6-f655-25c0-566b-f4f65a75bc96', chunks: [sha1] },
    },
    response: { [sha1]: { state: 'created', missingChunks: [], detail: null, dif: null } },
  },
  debugFiles_upload: {
    params: app,
    body: mappingZip,
    response: [
      {
        id: '6dd7a0ac0ab25a9da9f75b2b3c5b7e01',
        uuid: '6dd7a0ac-0ab2-5a9d-a9f7-5b2b3c5b7e01',
        debugId: '6dd7a0ac-0ab2-5a9d-a9f7-5b2b3c5b7e01',
        objectName: '6dd7a0ac-0ab2-5a9d-a9f7-5b2b3c5b7e01.txt',
        cpuName: 'any',
        symbolType: 'proguard',
        sha1: '',
        size: 52,
        data: { type: 'dbg', features: ['mapping'] },
        headers: {},
        dateCreated: '2026-08-20T09:30:00.000Z',
      },
    ],
  },
  artifactBundles_assemble: {
    params: owner,
    body: { checksum: sha1, chunks: [sha1], projects: ['compass'], version: 'com.example.compass@1.4.0+140' },
    response: { state: 'created', missingChunks: [], detail: null },
  },
} satisfies EndpointExamples<typeof import('./sentry-cli.contract.ts')>;
