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
import { badRequest, conflict, notFound } from '../kernel/errors.ts';
import { getResponseUrl } from '../kernel/response-url.ts';
import { readBlockList } from './block-list.ts';
import {
  CHUNK_BYTES,
  finishBlocks,
  finishChunks,
  listChunkNumbers,
  receiveBlock,
  receiveChunk,
  receiveFile,
} from './chunks.ts';
import { areDownloadsBlocked, countDownload, PACKED, readDownloadLink } from './download-links.ts';
import { cleanFileName, getFileContentType } from './file-names.ts';
import { announceFile, cancelUpload, openUpload } from './uploads.ts';

export const uploadRoutes = [
  route(uploads_setMetadata, async (ctx, { params, query }) => {
    const upload = await openUpload(ctx, params.asset_id, query.token);
    const announced = await announceFile(ctx, upload, { fileName: query.file_name, size: query.file_size });
    return {
      error: false,
      id: upload.id,
      chunk_size: CHUNK_BYTES,
      chunk_list: listChunkNumbers(announced),
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
    const location = `${getResponseUrl(ctx)}/upload/${upload.id}`;
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
    const message = `${missing.length} chunks are missing. Send them, then finish again.`;
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
    if (!isCancelled) throw conflict("This upload is finished and can't be canceled.");
    return { error: false, message: 'The upload was canceled.' };
  }),
  route(uploads_sendForm, async (ctx, { params, query, file }) => {
    const upload = await openUpload(ctx, params.asset_id, query.token);
    await receiveFile(ctx, { ...upload, fileName: upload.fileName ?? cleanFileName(file.name ?? '') }, file);
    return { error: false, message: 'Upload complete' };
  }),
  route(uploads_putBlob, async (ctx, { params, query, file }) => {
    const upload = await openUpload(ctx, params.asset_id, query.token);
    if (query.comp === 'block') {
      if (query.blockid === undefined) throw badRequest('blockid is missing. Send the ID of the block.');
      await receiveBlock(ctx, upload, query.blockid, file);
    } else if (query.comp === 'blocklist') {
      await finishBlocks(ctx, upload, await readBlockList(file));
    } else await receiveFile(ctx, upload, file);
  }),
  route(downloads_get, async (ctx, { params }) => {
    const match = readDownloadLink(ctx, params.link, params.file_name);
    const isGone = !match || (!match.isUnblocked && (await areDownloadsBlocked(ctx, match.key)));
    if (isGone) throw notFound('file at this link. It may have expired');
    const { key, name, etag } = match;
    const isPacked = key.endsWith(PACKED);
    const location =
      ctx.config.downloadRedirect && !isPacked ? await ctx.blobs.signedUrl(key, { seconds: 300, name }) : undefined;
    if (location !== undefined) countDownload(ctx, key);
    const onSent = () => countDownload(ctx, key);
    return { key, name, etag, type: getFileContentType(name), what: 'file', location, onSent, isPacked };
  }),
];
