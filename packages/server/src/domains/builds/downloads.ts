import { createHash } from 'node:crypto';
import type { AppCtx } from '../../context.ts';
import { notFound } from '../../kernel/errors.ts';
import { downloadLink } from '../../uploads/index.ts';
import { type StreamedFile, streamZip } from '../../workers/zip-writer.ts';
import { addJobFile, type JobFile, listJobFiles, readWholeLog } from '../runners/index.ts';
import { getBuild } from './builds.ts';

export type DownloadType = 'build' | 'symbols' | 'logs' | 'mapping' | 'bundle';

const CHUNK = 256 * 1024;

async function* chunked(text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
}

/** The whole log, and one file per stage. */
function logEntries(log: string): StreamedFile[] {
  const stages = log.split(/^(?=== )/m).filter((part) => part.startsWith('== '));
  const parts = stages.map((text, at) => {
    const [, title = 'stage'] = /^== ([^\n]{1,60})/.exec(text) ?? [];
    return { name: `build/${at + 1}_${title.replaceAll(/[^\w -]/g, '').trim()}.txt`, text };
  });
  return [{ name: '1_build.txt', text: log }, ...parts].map(({ name, text }) => ({
    name,
    content: chunked(text),
  }));
}

async function* summed(content: AsyncIterable<Buffer>, sum: ReturnType<typeof createHash>): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    sum.update(chunk);
    yield chunk;
  }
}

async function pack(ctx: AppCtx, key: string, entries: StreamedFile[]) {
  const sum = createHash('sha256');
  const options = { type: 'application/zip', maxBytes: Number.MAX_SAFE_INTEGER };
  const { size } = await ctx.blobs.put(key, summed(streamZip(entries), sum), options);
  return { size, sha256: sum.digest('hex') };
}

const packedKind = (type: DownloadType): string => `packed-${type}`;

async function* openFile(ctx: AppCtx, { key, name }: JobFile): AsyncGenerator<Buffer> {
  const blob = await ctx.blobs.get(key);
  if (!blob) throw notFound('file', name);
  yield* blob.stream;
}

/** Opens each file only when it is added. Packages are compressed already. */
function fileEntries(ctx: AppCtx, files: readonly JobFile[]): StreamedFile[] {
  const names = new Set<string>();
  return files.map((file, at) => {
    const name = names.has(file.name) ? `${at + 1}/${file.name}` : file.name;
    names.add(file.name);
    return { name, content: openFile(ctx, file), isStored: true };
  });
}

/** Creates the archive on the first request, and stores it with the build. */
export async function getDownload(ctx: AppCtx, id: number, type: DownloadType): Promise<string> {
  const { row } = await getBuild(ctx, id);
  const all = row.status === 'completed' ? await listJobFiles(ctx, row.job_id) : [];
  const link = ({ key, name }: { key: string; name: string }) => downloadLink(ctx, { key, name });
  const known = all.find(({ kind }) => kind === packedKind(type));
  if (known) return link(known);
  const files = all.filter(({ kind }) => kind === type);
  const [only] = files;
  // Clients unpack the zip of a build, so a package that is a zip gets wrapped; other kinds are served directly.
  if (type !== 'build' && only && files.length === 1 && /\.zip$/i.test(only.name)) return link(only);
  if (row.status !== 'completed' || (type !== 'logs' && files.length === 0)) {
    throw notFound('download', `${type} of build ${id}`);
  }
  const entries = type === 'logs' ? logEntries(await readWholeLog(ctx, row.job_id)) : fileEntries(ctx, files);
  const fileId = ctx.newId();
  const file = {
    id: fileId,
    key: `builds/${fileId}`,
    name: `${ctx.app.name}_${id}_${type}.zip`,
    kind: packedKind(type),
  };
  const packed = await pack(ctx, file.key, entries);
  await addJobFile(ctx, row.job_id, { ...file, ...packed });
  return link(file);
}
