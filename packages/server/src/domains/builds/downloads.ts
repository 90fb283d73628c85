import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import yazl from 'yazl';
import type { AppCtx } from '../../context.ts';
import { notFound } from '../../kernel/errors.ts';
import { downloadLink } from '../../uploads/index.ts';
import { type JobFile, keepJobFile, listJobFiles, readWholeLog } from '../runners/index.ts';
import { getBuild } from './builds.ts';

export type DownloadType = 'build' | 'symbols' | 'logs' | 'mapping' | 'bundle';

type Entry = { name: string; content: Readable };

/** The log as one file, and cut where a stage begins. */
function logEntries(log: string): Entry[] {
  const stages = log.split(/^(?=== )/m).filter((part) => part.startsWith('== '));
  const parts = stages.map((text, at) => {
    const [, title = 'stage'] = /^== ([^\n]{1,60})/.exec(text) ?? [];
    return { name: `build/${at + 1}_${title.replaceAll(/[^\w -]/g, '').trim()}.txt`, text };
  });
  return [{ name: '1_build.txt', text: log }, ...parts].map(({ name, text }) => ({
    name,
    content: Readable.from([Buffer.from(text)]),
  }));
}

async function* summed(content: AsyncIterable<Buffer>, sum: ReturnType<typeof createHash>): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    sum.update(chunk);
    yield chunk;
  }
}

/** Packages are compressed already. */
async function pack(ctx: AppCtx, key: string, entries: Entry[], compress: boolean) {
  const zip = new yazl.ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  const write = async () => {
    for (const { name, content } of entries) {
      content.once('error', (error) => output.destroy(error));
      zip.addReadStream(content, name, { compress });
      await Promise.race([once(content, 'end'), once(content, 'close')]);
    }
    zip.end();
  };
  const written = write();
  const sum = createHash('sha256');
  const options = { type: 'application/zip', maxBytes: Number.MAX_SAFE_INTEGER };
  const { size } = await ctx.blobs.put(key, summed(output as AsyncIterable<Buffer>, sum), options);
  await written;
  return { size, sha256: sum.digest('hex') };
}

const packedKind = (type: DownloadType): string => `packed-${type}`;

async function openFiles(ctx: AppCtx, files: readonly JobFile[]): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const [at, { key, name }] of files.entries()) {
    const blob = await ctx.blobs.get(key);
    if (!blob) throw notFound('file', name);
    const isTwice = files.findIndex((one) => one.name === name) !== at;
    entries.push({ name: isTwice ? `${at + 1}/${name}` : name, content: blob.stream });
  }
  return entries;
}

/** Made when it is first asked for, and kept with what it is made of. */
export async function getDownload(ctx: AppCtx, id: number, type: DownloadType): Promise<string> {
  const { row } = await getBuild(ctx, id);
  const all = row.status === 'completed' ? await listJobFiles(ctx, row.job_id) : [];
  const link = ({ key, name }: { key: string; name: string }) => downloadLink(ctx, { key, name });
  const known = all.find(({ kind }) => kind === packedKind(type));
  if (known) return link(known);
  const files = all.filter(({ kind }) => kind === type);
  const [only] = files;
  // Clients look into the zip of a build; others come as they are.
  if (type !== 'build' && only && files.length === 1 && /\.zip$/i.test(only.name)) return link(only);
  if (row.status !== 'completed' || (type !== 'logs' && files.length === 0)) {
    throw notFound('download of this kind', `${type} of build ${id}`);
  }
  const entries = type === 'logs' ? logEntries(await readWholeLog(ctx, row.job_id)) : await openFiles(ctx, files);
  const fileId = ctx.newId();
  const file = {
    id: fileId,
    key: `builds/${fileId}`,
    name: `${ctx.app.name}_${id}_${type}.zip`,
    kind: packedKind(type),
  };
  const packed = await pack(ctx, file.key, entries, type === 'logs');
  await keepJobFile(ctx, row.job_id, { ...file, ...packed });
  return link(file);
}
