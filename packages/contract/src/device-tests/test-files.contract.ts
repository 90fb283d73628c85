import { empty, endpoint, file, json } from '../endpoint/index.ts';
import { Uuid } from '../fields.ts';
import { Type } from '../type.ts';
import { uploadsSurface } from '../uploads/uploads.surface.ts';
import { RunPath, runPath, sending } from './test-run.fields.ts';

export const TEST_FILE_MAX_BYTES = 2 * 1024 ** 3;
export const testFileTypes = ['dsym-file', 'app-file', 'test-file'] as const;

const FileType = Type.Enum([...testFileTypes]);
const Checksum = Type.String({
  pattern: '^([0-9a-fA-F]{40}|[0-9a-fA-F]{64})$',
  description: 'SHA-1 or SHA-256, in hexadecimal.',
});
const RelativePath = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: 'Relative to the folder of the suite.',
});

export const test_uploadHash = endpoint({
  ...sending,
  id: 'test_uploadHash',
  method: 'POST',
  path: `${runPath}/hashes`,
  summary: 'Add a file to a test run by its checksum',
  description:
    'For older clients. 201 if the server has the file, 412 if it must be uploaded. Only files of test runs of the same app can be reused.',
  params: Type.Object(RunPath),
  request: json(
    Type.Object({
      file_type: FileType,
      checksum: Checksum,
      relative_path: RelativePath,
      byte_range: Type.Optional(Type.String({ maxLength: 100 })),
    }),
  ),
  response: empty({ status: 201, description: 'The server has the file; no upload is needed.' }),
  errors: [...sending.errors, 412],
});

const HashEntry = Type.Object({
  fileType: Type.Optional(FileType),
  checksum: Checksum,
  relativePath: Type.Optional(RelativePath),
  file_type: Type.Optional(FileType),
  relative_path: Type.Optional(RelativePath),
});

export const test_uploadHashesBatch = endpoint({
  ...sending,
  id: 'test_uploadHashesBatch',
  method: 'POST',
  path: `${runPath}/hashes/batch`,
  summary: 'Add files to a test run by their checksums, and get which of them must be uploaded',
  description: 'Fields are in camel case or snake case. Only files of test runs of the same app can be reused.',
  params: Type.Object(RunPath),
  request: json(Type.Array(HashEntry, { minItems: 1, maxItems: 5000 })),
  response: json(
    Type.Array(
      Type.Object({
        fileType: FileType,
        checksum: Type.String(),
        relativePath: Type.String(),
        uploadStatus: Type.Object({
          statusCode: Type.Integer({ description: '412 if the file must be uploaded, 201 if the server has it.' }),
          location: Type.Optional(Type.String({ description: 'The URL to upload the file to.' })),
        }),
      }),
    ),
    { description: 'The results, in the order of the request.' },
  ),
});

export const test_startUploadingFile = endpoint({
  ...sending,
  id: 'test_startUploadingFile',
  method: 'POST',
  path: `${runPath}/files`,
  summary: 'Get a URL to upload a file of a test run to',
  params: Type.Object(RunPath),
  request: json(Type.Object({}), { bodyOmittedBy: { client: 'appcenter-cli 3.0.4', command: 'test run' } }),
  response: empty({ status: 200, description: 'The header Location has the URL, which accepts one file.' }),
});

export const testRuns_sendFile = endpoint({
  id: 'testRuns_sendFile',
  tag: 'tests',
  surface: uploadsSurface,
  access: 'public',
  effect: 'ingest',
  method: 'POST',
  path: '/upload/test_files/{upload_id}',
  summary: 'Upload a file of a test run as a form field',
  description:
    'The URL comes from an earlier response and contains a token. The checksum of the file must have been added to the run before.',
  params: Type.Object({ upload_id: Uuid }),
  query: Type.Object({
    token: Type.String({ maxLength: 200 }),
    run: Type.String({ maxLength: 100, description: 'The ID of the test run.' }),
  }),
  request: file({
    types: ['application/octet-stream'],
    field: 'file',
    maxBytes: TEST_FILE_MAX_BYTES,
    isLong: true,
  }),
  response: empty({ status: 201, description: 'The file is stored.' }),
  errors: [403, 404, 409],
});
