import {
  downloads_get,
  uploads_addChunk,
  uploads_cancel,
  uploads_finish,
  uploads_putBlob,
  uploads_sendForm,
  uploads_setMetadata,
} from '@mooring/contract';
import { route } from '../http/mount.ts';
import { answerUrl } from '../kernel/answer-url.ts';
import { badRequest, conflict, notFound } from '../kernel/errors.ts';
import { readBlockList } from './block-list.ts';
import { areDownloadsBlocked, countDownload, PACKED, readDownloadLink } from './download-links.ts';
import { cleanFileName, typeOfFile } from './file-names.ts';
import {
  CHUNK_BYTES,
  chunksOf,
  finishBlocks,
  finishChunks,
  receiveBlock,
  receiveChunk,
  receiveFile,
} from './pieces.ts';
import { announceFile, cancelUpload, openUpload } from './uploads.ts';

export const uploadRoutes = [
  route(uploads_setMetadata, async (ctx, { params, query }) => {
    const upload = await openUpload(ctx, params.asset_id, query.token);
    const announced = await announceFile(ctx, upload, { fileName: query.file_name, size: query.file_size });
    return {
      error: false,
      id: upload.id,
      chunk_size: CHUNK_BYTES,
      chunk_list: chunksOf(announced),
      resume_restart: false,
      blob_partitions: 1,
      status_code: 'Success',
    };
  }),
  route(uploads_addChunk, async (ctx, { params, query, file }) => {
    const upload = await openUpload(ctx, params.asset_id, query.token);
    await receiveChunk(ctx, upload, query.block_number, file);
    return { error: false, chunk_num: query.block_number, error_code: 'None' };
  }),
  route(uploads_finish, async (ctx, { params, query }) => {
    const upload = await openUpload(ctx, params.asset_id, query.token);
    const { missing } = await finishChunks(ctx, upload);
    const location = `${answerUrl(ctx)}/upload/${upload.id}`;
    const where = { location, raw_location: location, absolute_uri: location };
    if (missing.length === 0) {
      return {
        error: false,
        chunk_num: 0,
        error_code: 'None',
        state: 'Done' as const,
        message: 'Upload complete',
        ...where,
      };
    }
    const message = `${missing.length} chunks have not arrived; send them, and finish again.`;
    return {
      error: true,
      chunk_num: 0,
      error_code: 'MissingChunks',
      state: 'Error' as const,
      message,
      missing_chunks: missing,
    };
  }),
  route(uploads_cancel, async (ctx, { params, query }) => {
    const upload = await openUpload(ctx, params.asset_id, query.token);
    const isCancelled = (await cancelUpload(ctx, upload)) || upload.state === 'cancelled';
    if (!isCancelled) throw conflict('This upload is finished, so it cannot be cancelled.');
    return { error: false, message: 'The upload was cancelled.' };
  }),
  route(uploads_sendForm, async (ctx, { params, query, file }) => {
    const upload = await openUpload(ctx, params.asset_id, query.token);
    await receiveFile(ctx, { ...upload, fileName: upload.fileName ?? cleanFileName(file.name ?? '') }, file);
    return { error: false, message: 'Upload complete' };
  }),
  route(uploads_putBlob, async (ctx, { params, query, file }) => {
    const upload = await openUpload(ctx, params.asset_id, query.token);
    if (query.comp === 'block') {
      if (query.blockid === undefined) throw badRequest('A block needs its blockid.');
      await receiveBlock(ctx, upload, query.blockid, file);
    } else if (query.comp === 'blocklist') {
      await finishBlocks(ctx, upload, await readBlockList(file));
    } else await receiveFile(ctx, upload, file);
  }),
  route(downloads_get, async (ctx, { params }) => {
    const found = readDownloadLink(ctx, params.link, params.file_name);
    const isGone = !found || (!found.isUnblocked && (await areDownloadsBlocked(ctx, found.key)));
    if (isGone) throw notFound('file at this link; it may have expired');
    const { key, name, etag } = found;
    const isPacked = key.endsWith(PACKED);
    const location =
      ctx.config.downloadRedirect && !isPacked ? await ctx.blobs.signedUrl(key, { seconds: 300, name }) : undefined;
    if (location !== undefined) countDownload(ctx, key);
    const onSent = () => countDownload(ctx, key);
    return { key, name, etag, type: typeOfFile(name), what: 'file', location, onSent, isPacked };
  }),
];
