import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  ApiError,
  analytics_getStorage,
  type Client,
  type EndpointOutput,
  history_import,
  history_read,
  historyEntities,
} from '@mooring/contract';
import { wrongUsage } from '../framework/errors.ts';
import type { Output } from '../terminal/output.ts';
import { isPresent, readJsonFile, writeJson } from './folder.ts';

type Ref = { owner_name: string; app_name: string };

const SECOND = 1000;
const DAY = 24 * 60 * 60 * SECOND;
/** Crash reports are stored for at most this long, even without other telemetry. */
const REPORTS_DAYS = 90;
/** Devices don't send older logs, so older days no longer change. */
const CHANGING_DAYS = 28;

const getArchiveFolder = (app: string): string => path.join(app, 'archive');
const formatDate = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Writes the telemetry of a day atomically. Returns the number of records. */
async function exportDay(call: Client, params: Ref, folder: string, day: string): Promise<number> {
  const part = `${folder}.part`;
  rmSync(part, { recursive: true, force: true });
  let count = 0;
  for (const entity of historyEntities) {
    for (let skip: number | undefined = 0, page = 0; skip !== undefined; page += 1) {
      const response: EndpointOutput<typeof history_read> = await call(history_read, {
        params,
        query: { entity, day, skip },
      });
      const { records } = response;
      skip = response.next_skip;
      const [, hour = '00', minute = '00'] = /T(\d\d):(\d\d)/.exec(records[0]?.Timestamp ?? '') ?? [];
      const name = `${page === 0 ? '' : `${String(page).padStart(6, '0')}.`}${entity}.v1.data`;
      if (records.length > 0) writeJson(path.join(part, hour, minute, name), records);
      count += records.length;
    }
  }
  rmSync(folder, { recursive: true, force: true });
  if (count > 0) renameSync(part, folder);
  return count;
}

/** Writes all stored telemetry, in the folder layout of a continuous export. */
export async function exportHistory(
  call: Client,
  params: Ref,
  app: string,
  showProgress: (name: string) => void,
): Promise<number> {
  const now = Date.now();
  const { oldest_day, newest_day } = await call(analytics_getStorage, { params });
  const first = Math.min(Date.parse(oldest_day ?? formatDate(now)), now - REPORTS_DAYS * DAY);
  const last = Math.max(Date.parse(newest_day ?? formatDate(now)), now);
  let count = 0;
  for (let time = first; formatDate(time) <= formatDate(last); time += DAY) {
    const day = formatDate(time);
    const folder = path.join(getArchiveFolder(app), ...day.split('-'));
    if (existsSync(folder) && time < now - CHANGING_DAYS * DAY) continue;
    showProgress(`telemetry of ${day}`);
    count += await exportDay(call, params, folder, day);
  }
  return count;
}

/** The files of a day, in a stable order. */
export interface SavedDay {
  day: string;
  files: string[];
}

const isRecords = /(^|[.])(logs|crashes|errors)[.]v1[.]data$/;

/** Finds the files of a continuous export, with any path before the year. */
export function readArchive(app: string): SavedDay[] {
  const archive = getArchiveFolder(app);
  if (!isPresent(archive)) return [];
  // readdir lists links to folders, but doesn't follow them.
  const entries = readdirSync(archive, { recursive: true, withFileTypes: true });
  for (const { name, parentPath } of entries.filter((entry) => entry.isSymbolicLink())) {
    isPresent(path.join(parentPath, name));
  }
  const files = entries
    .filter((entry) => entry.isFile() && isRecords.test(entry.name))
    .map(({ name, parentPath }) => path.relative(archive, path.join(parentPath, name)))
    .filter((name) => !name.includes('.part'))
    .sort();
  const parseDay = (name: string): string => {
    const [, year, month, day] = /(?:^|[\\/])(\d{4})[\\/](\d\d)[\\/](\d\d)[\\/]/.exec(name) ?? [];
    return year ? `${year}-${month}-${day}` : 'unknown';
  };
  return [...Map.groupBy(files, parseDay)]
    .map(([day, names]) => ({ day, files: names.map((name) => path.join(archive, name)) }))
    .sort((one, other) => (one.day < other.day ? -1 : 1));
}

/** Half of the limit of the server. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;
const MAX_RECORDS = 5000;
const TRIES = 8;

type Counts = Omit<EndpointOutput<typeof history_import>, 'is_repeated'>;

/** Retries while the server is busy. */
async function send(call: Client, params: Ref, body: Uint8Array<ArrayBuffer>): Promise<Counts> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call(history_import, { params, body });
    } catch (error) {
      const mayPass = error instanceof ApiError && (error.status === 429 || error.status === 503);
      if (!mayPass || tries === TRIES) throw error;
      await setTimeout((error.retryAfter ?? 5) * SECOND);
    }
  }
}

/** Combines the records of several files into request bodies, as many files are small. */
function* toBodies(files: readonly string[]): Generator<Uint8Array<ArrayBuffer>> {
  let texts: string[] = [];
  let size = 0;
  const take = () => {
    const body = new TextEncoder().encode(`[${texts.join()}]`);
    texts = [];
    size = 0;
    return body;
  };
  for (const file of files) {
    const records = readJsonFile<unknown[]>(file);
    if (!Array.isArray(records)) throw wrongUsage(`${file} is invalid: it must be an array of exported records.`);
    for (const record of records) {
      const text = JSON.stringify(record);
      if (texts.length > 0 && (texts.length === MAX_RECORDS || size + text.length > MAX_BODY_BYTES)) yield take();
      texts.push(text);
      size += Buffer.byteLength(text);
    }
  }
  if (texts.length > 0) yield take();
}

/** Imports the telemetry of a day. The server ignores repeated records. */
export async function importDay(call: Client, params: Ref, { day, files }: SavedDay, out: Output): Promise<void> {
  const sum: Counts = { accepted: 0, invalid: 0, dropped: 0 };
  for (const body of toBodies(files)) {
    const { accepted, invalid, dropped } = await send(call, params, body);
    sum.accepted += accepted;
    sum.invalid += invalid;
    sum.dropped += dropped;
  }
  if (sum.invalid + sum.dropped === 0) return;
  const app = `${params.owner_name}/${params.app_name}`;
  out.note(
    `Rejected records of ${app} on ${day}: ${sum.invalid} invalid, ${sum.dropped} too old or in the future. See the reasons with "mooring ingest show ${app}".`,
  );
}

/** Warns about days that the retention of the app would delete. */
export async function noteRetention(call: Client, params: Ref, days: readonly SavedDay[], out: Output): Promise<void> {
  const { retention_days, max_retention_days } = await call(analytics_getStorage, { params });
  const before = formatDate(Date.now() - retention_days * DAY);
  const count = days.filter(({ day }) => day < before).length;
  if (count === 0) return;
  const app = `${params.owner_name}/${params.app_name}`;
  out.note(
    `${app} stores telemetry for ${retention_days} days, so ${count} imported days before ${before} will be deleted within minutes. To keep up to ${max_retention_days} days, run "mooring analytics data-retention ${app} ${max_retention_days}".`,
  );
}
