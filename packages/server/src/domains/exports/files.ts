import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Deps } from '../../context.ts';
import type { ExportFile } from './destinations/index.ts';
import type { Attachment, Entity, ExportRecord } from './records.ts';
import type { Format } from './windows.ts';

const compress = promisify(gzip);

/** Records to write before yielding to other work. */
const TURN_AFTER = 300;

/** Serializes records with separators, in groups. */
async function toBytes(records: readonly ExportRecord[], [start, between, end]: readonly string[]): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let at = 0; at < records.length; at += TURN_AFTER) {
    const some = records.slice(at, at + TURN_AFTER).map((record) => JSON.stringify(record));
    chunks.push(Buffer.from(`${at === 0 ? start : between}${some.join(between)}`));
    await setImmediate();
  }
  return Buffer.concat([...chunks, Buffer.from(records.length === 0 ? `${start}${end}` : (end ?? ''))]);
}

/**
 * Records as a file. Writing the same records again results in the same bytes, except for stacks that were symbolicated
 * since.
 */
export async function recordFile(
  { telemetry }: Pick<Deps, 'telemetry'>,
  { entity, records, format }: { entity: Entity; records: readonly ExportRecord[]; format: Format },
  toPath: (name: string) => string,
  tag: string,
): Promise<ExportFile> {
  if (format === 'minutes') {
    const bytes = await toBytes(records, ['[', ',', ']']);
    return { path: toPath(`${entity}.v1.data`), bytes, type: 'application/json', tag, isRecords: true };
  }
  if (format === 'parquet') {
    const bytes = await telemetry.toParquet(Object.keys(records[0] ?? {}), records);
    return {
      path: toPath(`${entity}.v1.parquet`),
      bytes,
      type: 'application/vnd.apache.parquet',
      tag,
      isRecords: true,
    };
  }
  const bytes = await compress(await toBytes(records, ['', '\n', '\n']));
  return { path: toPath(`${entity}.v1.jsonl.gz`), bytes, type: 'application/gzip', tag, isRecords: true };
}

export const attachmentFile = ({ bytes, contentType }: Attachment, path: string, tag: string): ExportFile => ({
  ...{ path, bytes, type: contentType, isRecords: false },
  tag: `${tag}.${hash('sha256', bytes, 'hex').slice(0, 16)}`,
});
