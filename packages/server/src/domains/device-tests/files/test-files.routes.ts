import { test_startUploadingFile, test_uploadHash, test_uploadHashesBatch, testRuns_sendFile } from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { badRequest, Failure } from '../../../kernel/errors.ts';
import { getRunRow } from '../runs/test-runs.ts';
import { nameFiles, offerUpload, receiveTestFile } from './test-files.ts';

export const testFileRoutes = [
  route(test_uploadHash, async (ctx, { params, body }) => {
    const file = { type: body.file_type, checksum: body.checksum, path: body.relative_path };
    const [isKnown] = await nameFiles(ctx, params.test_run_id, [file]);
    if (!isKnown) {
      const location = offerUpload(ctx, params.test_run_id);
      throw new Failure('PreconditionFailed', 'The server does not have this file. Upload it.', { location });
    }
  }),
  route(test_uploadHashesBatch, async (ctx, { params, body }) => {
    const files = body.map((one) => {
      const [type, path] = [one.fileType ?? one.file_type, one.relativePath ?? one.relative_path];
      if (type === undefined || path === undefined) {
        throw badRequest('Each file requires fileType, checksum and relativePath.');
      }
      return { type, checksum: one.checksum, path };
    });
    const known = await nameFiles(ctx, params.test_run_id, files);
    return files.map(({ type, checksum, path }, at) => ({
      fileType: type,
      checksum,
      relativePath: path,
      uploadStatus: known[at]
        ? { statusCode: 201 }
        : { statusCode: 412, location: offerUpload(ctx, params.test_run_id) },
    }));
  }),
  route(test_startUploadingFile, async (ctx, { params }, reply) => {
    const { id } = await getRunRow(ctx, params.test_run_id);
    reply.setLocation(offerUpload(ctx, id));
  }),
  route(testRuns_sendFile, (ctx, { params, query, file }) =>
    receiveTestFile(ctx, { uploadId: params.upload_id.toLowerCase(), token: query.token, runId: query.run }, file),
  ),
];
