import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  ApiError,
  analytics_getStorage,
  type Client,
  history_import,
  history_read,
  historyEntities,
  type OutputOf,
} from '@mooring/contract';
import { wrongUsage } from '../framework/errors.ts';
import type { Output } from '../output.ts';
import { isPresent, readJsonFile, writeJson } from './folder.ts';

type Ref = { owner_name: string; app_name: string };

const SECOND = 1000;
const DAY = 24 * 60 * 60 * SECOND;
/** Reports of crashes are kept for so long at most, also where no telemetry is. */
const REPORTS_DAYS = 90;
/** Devices send what is older no more. */
const CHANGING_DAYS = 28;

const archiveOf = (app: string): string => path.join(app, 'archive');
const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Writes what is kept of a day; all of it or nothing is there. Says how many records it has. */
async function exportDay(call: Client, params: Ref, folder: string, day: string): Promise<number> {
  const part = `${folder}.part`;
  rmSync(part, { recursive: true, force: true });
  let count = 0;
  for (const entity of historyEntities) {
    for (let skip: number | undefined = 0, page = 0; skip !== undefined; page += 1) {
      const answer: OutputOf<typeof history_read> = await call(history_read, { params, query: { entity, day, skip } });
      const { records } = answer;
      skip = answer.next_skip;
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

/** Writes what devices sent, as far as it is kept, in the folders of a continuous export. */
export async function exportHistory(
  call: Client,
  params: Ref,
  app: string,
  tell: (what: string) => void,
): Promise<number> {
  const now = Date.now();
  const { oldest_day, newest_day } = await call(analytics_getStorage, { params });
  const first = Math.min(Date.parse(oldest_day ?? dateOf(now)), now - REPORTS_DAYS * DAY);
  const last = Math.max(Date.parse(newest_day ?? dateOf(now)), now);
  let count = 0;
  for (let time = first; dateOf(time) <= dateOf(last); time += DAY) {
    const day = dateOf(time);
    const folder = path.join(archiveOf(app), ...day.split('-'));
    if (existsSync(folder) && time < now - CHANGING_DAYS * DAY) continue;
    tell(`what devices sent on ${day}`);
    count += await exportDay(call, params, folder, day);
  }
  return count;
}

/** Files of a day, in an order that is always the same. */
export interface SavedDay {
  day: string;
  files: string[];
}

const isRecords = /(^|[.])(logs|crashes|errors)[.]v1[.]data$/;

/** What was exported: a file for each minute or so, whatever is in front of its year. */
export function readArchive(app: string): SavedDay[] {
  const archive = archiveOf(app);
  if (!isPresent(archive)) return [];
  // Links to folders are listed, not followed.
  const entries = readdirSync(archive, { recursive: true, withFileTypes: true });
  for (const { name, parentPath } of entries.filter((entry) => entry.isSymbolicLink())) {
    isPresent(path.join(parentPath, name));
  }
  const files = entries
    .filter((entry) => entry.isFile() && isRecords.test(entry.name))
    .map(({ name, parentPath }) => path.relative(archive, path.join(parentPath, name)))
    .filter((name) => !name.includes('.part'))
    .sort();
  const dayOf = (name: string): string => {
    const [, year, month, day] = /(?:^|[\\/])(\d{4})[\\/](\d\d)[\\/](\d\d)[\\/]/.exec(name) ?? [];
    return year ? `${year}-${month}-${day}` : 'unknown';
  };
  return [...Map.groupBy(files, dayOf)]
    .map(([day, names]) => ({ day, files: names.map((name) => path.join(archive, name)) }))
    .sort((one, other) => (one.day < other.day ? -1 : 1));
}

/** In one request: half of what the server takes. */
const MOST_BYTES = 8 * 1024 * 1024;
const MOST_RECORDS = 5000;
const TRIES = 8;

type Taken = Omit<OutputOf<typeof history_import>, 'is_repeated'>;

/** A server that is busy is waited for. */
async function send(call: Client, params: Ref, body: Uint8Array<ArrayBuffer>): Promise<Taken> {
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

/** The records of some files, as bodies of requests: many files are small. */
function* bodiesOf(files: readonly string[]): Generator<Uint8Array<ArrayBuffer>> {
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
    if (!Array.isArray(records)) throw wrongUsage(`${file} is not an array of records, as exports write them.`);
    for (const record of records) {
      const text = JSON.stringify(record);
      if (texts.length > 0 && (texts.length === MOST_RECORDS || size + text.length > MOST_BYTES)) yield take();
      texts.push(text);
      size += Buffer.byteLength(text);
    }
  }
  if (texts.length > 0) yield take();
}

/** What devices sent on a day; the same again is taken once. */
export async function importDay(call: Client, params: Ref, { day, files }: SavedDay, out: Output): Promise<void> {
  const sum: Taken = { accepted: 0, invalid: 0, dropped: 0 };
  for (const body of bodiesOf(files)) {
    const { accepted, invalid, dropped } = await send(call, params, body);
    sum.accepted += accepted;
    sum.invalid += invalid;
    sum.dropped += dropped;
  }
  if (sum.invalid + sum.dropped === 0) return;
  const app = `${params.owner_name}/${params.app_name}`;
  out.note(
    `${sum.invalid} records of ${app} of ${day} were not understood, and ${sum.dropped} were too old or too far ahead; "mooring ingest show ${app}" tells why.`,
  );
}

/** Tells of days that an app would not keep. */
export async function noteRetention(call: Client, params: Ref, days: readonly SavedDay[], out: Output): Promise<void> {
  const { retention_days, max_retention_days } = await call(analytics_getStorage, { params });
  const before = dateOf(Date.now() - retention_days * DAY);
  const count = days.filter(({ day }) => day < before).length;
  if (count === 0) return;
  const app = `${params.owner_name}/${params.app_name}`;
  out.note(
    `${app} keeps telemetry for ${retention_days} days: ${count} days before ${before} go again within minutes. It may keep ${max_retention_days}: "mooring analytics keep ${app} ${max_retention_days}".`,
  );
}
