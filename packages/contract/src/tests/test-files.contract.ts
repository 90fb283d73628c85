import { empty, endpoint, file, json } from '../endpoint/index.ts';
import { Uuid } from '../fields.ts';
import { Type } from '../type.ts';
import { uploadsFamily } from '../uploads/uploads.family.ts';
import { RunPath, runPath, sending } from './test-run.fields.ts';

export const TEST_FILE_MAX_BYTES = 2 * 1024 ** 3;
export const testFileTypes = ['dsym-file', 'app-file', 'test-file'] as const;

const FileType = Type.Enum([...testFileTypes]);
const Checksum = Type.String({
  pattern: '^([0-9a-fA-F]{40}|[0-9a-fA-F]{64})$',
  description: 'SHA-1 or SHA-256, in hexadecimal.',
});
const RelativePath = Type.String({ minLength: 1, maxLength: 1000, description: 'Below the folder of the suite.' });

export const test_uploadHash = endpoint({
  ...sending,
  id: 'test_uploadHash',
  method: 'POST',
  path: `${runPath}/hashes`,
  summary: 'Names a file of a test run by its checksum',
  description:
    'For older clients; 201 if it is known already, 412 if it must be uploaded. Only files of runs of the same app are known.',
  params: Type.Object(RunPath),
  request: json(
    Type.Object({
      file_type: FileType,
      checksum: Checksum,
      relative_path: RelativePath,
      byte_range: Type.Optional(Type.String({ maxLength: 100 })),
    }),
  ),
  response: empty({ status: 201, description: 'It is known; nothing needs to be sent.' }),
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
  summary: 'Names files of a test run by their checksums, and hears which must be uploaded',
  description: 'In camel case or in snake case. Only files of runs of the same app are known.',
  params: Type.Object(RunPath),
  request: json(Type.Array(HashEntry, { minItems: 1, maxItems: 5000 })),
  response: json(
    Type.Array(
      Type.Object({
        fileType: FileType,
        checksum: Type.String(),
        relativePath: Type.String(),
        uploadStatus: Type.Object({
          statusCode: Type.Integer({ description: '412 if it must be uploaded, 201 if it is known.' }),
          location: Type.Optional(Type.String({ description: 'Where to.' })),
        }),
      }),
    ),
    { description: 'In the same order.' },
  ),
});

export const test_startUploadingFile = endpoint({
  ...sending,
  id: 'test_startUploadingFile',
  method: 'POST',
  path: `${runPath}/files`,
  summary: 'Says where a file of a test run is sent to',
  params: Type.Object(RunPath),
  request: json(Type.Object({}), { bodyOmittedBy: { client: 'appcenter-cli 3.0.4', command: 'test run' } }),
  response: empty({ status: 200, description: 'The header Location has the address, which takes one file.' }),
});

export const testRuns_sendFile = endpoint({
  id: 'testRuns_sendFile',
  tag: 'tests',
  family: uploadsFamily,
  access: 'public',
  effect: 'ingest',
  method: 'POST',
  path: '/upload/test_files/{upload_id}',
  summary: 'Takes a file of a test run as the field of a form',
  description: 'At an address that was told before, and which holds a token. Its checksum must have been named before.',
  params: Type.Object({ upload_id: Uuid }),
  query: Type.Object({
    token: Type.String({ maxLength: 200 }),
    run: Type.String({ maxLength: 100, description: 'Of which test run it is.' }),
  }),
  request: file({
    types: ['application/octet-stream'],
    field: 'file',
    maxBytes: TEST_FILE_MAX_BYTES,
    isLong: true,
  }),
  response: empty({ status: 201, description: 'It is kept.' }),
  errors: [403, 404, 409],
});
