import {
  artifactBundles_assemble,
  debugFiles_assemble,
  debugFiles_upload,
  SYMBOL_CHUNK_BYTES,
  SYMBOL_CHUNKS_PER_REQUEST,
  SYMBOL_FILE_MAX_BYTES,
  SYMBOL_REQUEST_BYTES,
  symbolChunks_getOptions,
  symbolChunks_send,
} from '@mooring/contract';
import type { FormFile } from '../../../http/kinds/incoming-file.ts';
import { route } from '../../../http/mount.ts';
import { toIso } from '../../../kernel/clock.ts';
import { getResponseUrl } from '../../../kernel/response-url.ts';
import { assembleBundle, assembleFiles } from './assembling.ts';
import { receiveChunks, type SentChunk } from './chunks.ts';
import { type DebugFile, describeUploads, toDebugDigits, uploadDebugFiles } from './debug-files.ts';

/** Kinds of files, as tools name them. They skip files of other kinds. */
const ACCEPTED = [
  'debug_files',
  'release_files',
  'pdbs',
  'portablepdbs',
  'sources',
  'proguard',
  'artifact_bundles',
  'artifact_bundles_v2',
  'il2cpp',
  'dartsymbolmap',
];
const CONCURRENCY = 4;

const toWire = (file: DebugFile) => ({
  id: file.id,
  uuid: file.debugId,
  debugId: file.debugId,
  objectName: file.name,
  cpuName: file.cpu,
  symbolType: file.kind,
  sha1: file.sha1,
  size: file.size,
  data: { type: file.isDebug ? 'dbg' : 'exe', features: file.features },
  headers: {},
  dateCreated: toIso(file.createdAt),
});

async function* toChunks(files: AsyncIterable<FormFile>): AsyncGenerator<SentChunk> {
  for await (const { field, name, content } of files) yield { name, content, isCompressed: field === 'file_gzip' };
}

export const sentryCliRoutes = [
  route(symbolChunks_getOptions, async (ctx) => ({
    url: `${getResponseUrl(ctx)}/api/0/organizations/${ctx.owner.name}/chunk-upload/`,
    chunkSize: SYMBOL_CHUNK_BYTES,
    chunksPerRequest: SYMBOL_CHUNKS_PER_REQUEST,
    maxFileSize: Math.min(SYMBOL_FILE_MAX_BYTES, ctx.config.uploadLimitMb * 2 ** 20),
    maxRequestSize: SYMBOL_REQUEST_BYTES,
    concurrency: CONCURRENCY,
    hashAlgorithm: 'sha1' as const,
    compression: ['gzip'],
    accept: ACCEPTED,
  })),
  route(symbolChunks_send, async (ctx, { files }) => {
    await receiveChunks(ctx, toChunks(files));
    return {};
  }),
  route(debugFiles_assemble, async (ctx, { body }) => {
    const files = Object.entries(body).map(([sha1, { name, debug_id, chunks }]) => ({
      sha1,
      name,
      debugId: toDebugDigits(debug_id),
      chunks,
    }));
    const assemblies = await assembleFiles(
      ctx,
      files.map((file) => ({ ...file, type: 'Breakpad' as const })),
    );
    const stored = await describeUploads(
      ctx,
      [...assemblies.values()].flatMap(({ upload }) => upload ?? []),
    );
    return Object.fromEntries(
      [...assemblies].map(([sha1, { state, missing, detail, upload }]) => {
        const file = upload && stored.get(upload.id);
        return [sha1, { state, missingChunks: missing, detail, dif: file ? toWire({ ...file, sha1 }) : null }];
      }),
    );
  }),
  route(debugFiles_upload, async (ctx, { file }) => (await uploadDebugFiles(ctx, file.name, file)).map(toWire)),
  route(artifactBundles_assemble, async (ctx, { body: { checksum, chunks, projects, version, dist } }) => {
    const { state, missing, detail } = await assembleBundle(ctx, {
      sha1: checksum,
      chunks,
      projects,
      version: version ?? undefined,
      dist: dist ?? undefined,
    });
    return { state, missingChunks: missing, detail };
  }),
];
