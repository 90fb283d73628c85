import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Deps } from '../../context.ts';
import type { ExportFile } from './destinations/index.ts';
import type { Attachment, Entity, ExportRecord } from './records.ts';
import type { Format } from './windows.ts';

const compress = promisify(gzip);

/** Records as a file: the same bytes whenever they are written. */
export async function recordFile(
  { telemetry }: Pick<Deps, 'telemetry'>,
  { entity, records, format }: { entity: Entity; records: readonly ExportRecord[]; format: Format },
  toPath: (name: string) => string,
  tag: string,
): Promise<ExportFile> {
  if (format === 'minutes') {
    const bytes = Buffer.from(JSON.stringify(records));
    return { path: toPath(`${entity}.v1.data`), bytes, type: 'application/json', tag };
  }
  if (format === 'parquet') {
    const bytes = await telemetry.toParquet(Object.keys(records[0] ?? {}), records);
    return { path: toPath(`${entity}.v1.parquet`), bytes, type: 'application/vnd.apache.parquet', tag };
  }
  const bytes = await compress(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return { path: toPath(`${entity}.v1.jsonl.gz`), bytes, type: 'application/gzip', tag };
}

export const attachmentFile = ({ bytes, contentType }: Attachment, path: string, tag: string): ExportFile => ({
  ...{ path, bytes, type: contentType },
  tag: `${tag}.${hash('sha256', bytes, 'hex').slice(0, 16)}`,
});
