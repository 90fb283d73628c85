import { setImmediate } from 'node:timers/promises';
import { Type } from '@mooring/contract';
import type { Ctx } from '../../context.ts';
import { lock } from '../../db/locks.ts';
import { tx } from '../../db/tx.ts';
import { defineJob, defineSchedule, enqueue } from '../../jobs/index.ts';
import { DAY, MINUTE, SECOND, toIso } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/errors.ts';
import { jsonCodec, objectOutline } from '../../kernel/text/json-codec.ts';
import { logArchive } from '../analytics/index.ts';
import { appSubject, findWorkOwner, getAppRef } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { reportArchive } from '../crashes/index.ts';
import { type Batch, findReading, type Log, passBatches, readBatches } from '../ingest/index.ts';
import { announceForApp } from '../webhooks/index.ts';
import { writeArchivedLogs } from './backfill.ts';
import { writeReports } from './backfill-reports.ts';
import {
  type ConfigurationRow,
  claimDue,
  failRow,
  findConfiguration,
  finishPlan,
  restRow,
  savePlan,
  setDue,
  stopRow,
} from './configurations.store.ts';
import {
  createBatchReader,
  entitiesCodec,
  getFailureReason,
  letGo,
  openDestination,
  readSettings,
} from './configurations.ts';
import { type Content, createDeliveries } from './deliveries.ts';
import { type Destination, type ExportFile, type FileStore, getFormat, getPrefix } from './destinations/index.ts';
import { attachmentFile, recordFile } from './files.ts';
import { type Attachment, type Entity, type ExportRecord, getEntity, toAttachment, toRecord } from './records.ts';
import { type Format, isOver, toFolder, toWindow } from './windows.ts';

const planCodec = jsonCodec(
  'export_configurations.plan',
  objectOutline<Plan>({ from: Type.Integer(), to: Type.Integer(), window: Type.Integer() }),
);

export const exportsRun = defineSchedule('exports.run', 30 * SECOND);
/** The schedule restarts interrupted runs. */
export const exportWrite = defineJob<{ id: string }>('export.write', { maxAttempts: 3, lane: 'remote' });

const LOOK_EVERY = 30 * SECOND;
/** A killed process is replaced after this long. */
const CLAIMED = 5 * MINUTE;
/** Then other exports get their turn. */
const MAX_RUN_MS = 3 * MINUTE;
const MAX_WAIT_MS = 15 * MINUTE;
/** Bytes of JSON per file, and in memory: records are about three times as large as logs. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Batches and names of the next files. Saved first, so that an interrupted process writes the same again. */
interface Plan {
  from: number;
  to: number;
  window: number;
  /** How often names were in use by other files. */
  taken: number;
  /** Whether its window has no file yet. */
  isFirst: boolean;
  /** Names that were free before the first attempt: a file with such a name was written by an attempt that was interrupted. */
  begun?: readonly string[];
}

/** Enqueues a job for each export that is due. */
export async function runExports(ctx: Ctx): Promise<void> {
  await tx(ctx, async (ctx) => {
    const now = ctx.clock.now();
    for (const { id, app_id } of await claimDue.all(ctx.db, { now, until: now + CLAIMED })) {
      await enqueue(ctx, exportWrite, { id }, { owner: await findWorkOwner(ctx, app_id) });
    }
  });
}

/** Writes the waiting data of an export, window by window. */
export async function writeExport(ctx: Ctx, id: string): Promise<void> {
  const until = ctx.clock.now() + MAX_RUN_MS;
  try {
    for (;;) {
      const row = await findConfiguration.first(ctx.db, { id });
      if (!row) return;
      if (row.state !== 'Pending' && row.state !== 'Enabled') return await endRetries(ctx, row);
      const now = ctx.clock.now();
      if (!(await writeNext(ctx, row)) && !(await writeArchivedLogs(ctx, row)) && !(await writeReports(ctx, row))) {
        await tx(ctx, ({ db }) => restRow.run(db, { id, now, dueAt: now + LOOK_EVERY }));
        return;
      }
      if (now > until) {
        await tx(ctx, ({ db }) => setDue.run(db, { id, dueAt: now }));
        return;
      }
    }
  } catch (error) {
    // Another process has written it.
    if (error instanceof Failure && error.code === 'Conflict') return;
    await noteFailure(ctx, id, error);
  }
}

/** Writes the batches of the saved or the next plan. Returns whether there were any. */
async function writeNext(ctx: Ctx, row: ConfigurationRow): Promise<boolean> {
  const settings = readSettings(ctx, row);
  const destination = openDestination(ctx, row, settings);
  const format = getFormat(settings.open);
  const reader = createBatchReader(row.id);
  const reading = await findReading(ctx, reader, row.app_id);
  if (!reading) return false;
  const known = row.plan === null ? undefined : planCodec.parse(row.plan);
  // The plan may be from an earlier version with larger files.
  const limits = known ? { limit: known.to - known.from, maxBytes: Number.MAX_SAFE_INTEGER } : { maxBytes: MAX_BYTES };
  const { from, batches, isMore } = await readBatches(ctx, reader, row.app_id, limits);
  let plan = known ?? makePlan({ from, batches, isMore }, destination, format, row.last_window, ctx.clock.now());
  if (!plan) return false;
  const { to } = plan;
  const planned = batches.filter(({ number }) => number <= to);
  if (plan.from !== from || planned.at(-1)?.number !== to) {
    const latest = await findConfiguration.first(ctx.db, { id: row.id });
    if (latest?.plan !== row.plan)
      throw new Failure('Conflict', 'Another process has written this part of the export.');
    throw new Error(`Batches ${plan.from} to ${to} of the export ${row.id} no longer exist.`);
  }
  // Imported history is not exported.
  const newBatches = planned.filter(({ isHistory }) => !isHistory);
  const content = await loadContent(ctx, row, await logArchive.withoutDeleted(ctx, row.app_id, newBatches));
  if (destination.kind === 'records') {
    if (!known) await storePlan(ctx, row, undefined, plan);
    for (const delivery of createDeliveries(`${row.id}.${plan.from}.${plan.to}`, content)) {
      if (destination.takes(delivery.entity)) await destination.send(delivery);
    }
  } else {
    const folder = `${getPrefix(settings.open, row.app_id)}${toFolder(format, plan.window)}`;
    const files = await writeFiles(ctx, row, { ...plan, folder, format }, content);
    if (!known) {
      plan = { ...plan, begun: await findFree(destination, files) };
      await storePlan(ctx, row, undefined, plan);
    }
    for (const file of files) {
      // Its bytes may differ, because stacks were symbolicated since. A name with a number identifies this plan.
      const isOurs = plan.taken > 0 || (known?.begun ?? []).includes(file.path);
      if ((await destination.put(file, isOurs)) === 'written') continue;
      await storePlan(ctx, row, plan, { ...plan, taken: plan.taken + 1 });
      return true;
    }
  }
  const planWindow = plan.window;
  await tx(ctx, async (ctx) => {
    // The export may have been stopped, which released its batches; they must not be retained again.
    await lock(ctx, 'exports', row.app_id);
    if (!(await findReading(ctx, reader, row.app_id))) return;
    await passBatches(ctx, reader, { appId: row.app_id, from, to });
    const window = Math.max(planWindow, row.last_window);
    await finishPlan.run(ctx.db, { id: row.id, window, now: ctx.clock.now() });
  });
  return true;
}

/** Finds the names of record files that do not exist yet, in stores whose files carry no tag. */
async function findFree(store: FileStore, files: readonly ExportFile[]): Promise<string[]> {
  const free: string[] = [];
  for (const { path, isRecords } of files) {
    if (isRecords && store.exists && !(await store.exists(path))) free.push(path);
  }
  return free;
}

/** Plans the batches of one window, once it is over or a file is full. Receivers don't have to wait for the end of a window. */
function makePlan(
  { from, batches, isMore }: { from: number; batches: readonly Batch[]; isMore: boolean },
  { kind }: Destination,
  format: Format,
  lastWindow: number,
  now: number,
): Plan | undefined {
  const [first] = batches;
  if (!first) return undefined;
  const window = toWindow(format, first.receivedAt);
  const end = batches.findIndex(({ receivedAt }) => kind === 'files' && toWindow(format, receivedAt) !== window);
  const last = end < 0 ? batches.at(-1) : batches[end - 1];
  if (kind === 'files' && end < 0 && !isMore && !isOver(format, window, now)) return undefined;
  return { from, to: last?.number ?? from, window, taken: 0, isFirst: window > lastWindow };
}

/** A plan for batches that another process has already written would block the export forever. */
async function storePlan(ctx: Ctx, row: ConfigurationRow, before: Plan | undefined, plan: Plan): Promise<void> {
  const isSaved = await tx(ctx, async (ctx) => {
    await lock(ctx, 'exports', row.app_id);
    const reading = await findReading(ctx, createBatchReader(row.id), row.app_id);
    if (reading?.number !== plan.from) return false;
    const [id, known] = [row.id, before ? JSON.stringify(before) : ''];
    return (await savePlan.run(ctx.db, { id, plan: JSON.stringify(plan), before: known })) > 0;
  });
  if (!isSaved) throw new Failure('Conflict', 'Another process is planning this export.');
}

/** The symbolicated stacks of the crashes and errors in batches. */
async function stacksIn(ctx: Ctx, appId: string, batches: readonly Batch[], isIncluded: (entity: string) => boolean) {
  const broken = batches.flatMap(({ installId, logs }) =>
    logs
      .filter((log) => ['crashes', 'errors'].includes(getEntity(log)) && isIncluded(getEntity(log)))
      .map((log) => ({ installId, log })),
  );
  if (broken.length === 0) return new Map<Log, string>();
  const sent = broken.map(({ installId, log }) => ({ installId, log: log.value }));
  const stacks = await reportArchive.sentStacks(ctx, appId, sent);
  return new Map(broken.map(({ log }, at) => [log, stacks[at] ?? '']));
}

/** Logs to convert before yielding to other work. */
const TURN_AFTER = 300;

/** The content of batches that the export includes. */
async function loadContent(ctx: Ctx, row: ConfigurationRow, batches: readonly Batch[]): Promise<Content> {
  const entities = new Set<string>(entitiesCodec.parse(row.entities));
  const isIncluded = (entity: string) => (entity === 'logs' ? !entities.has('no_logs') : entities.has(entity));
  const stacks = await stacksIn(ctx, row.app_id, batches, isIncluded);
  const records = new Map<Entity, ExportRecord[]>();
  const attachments = new Map<string, Attachment>();
  let count = 0;
  for (const batch of batches) {
    for (const log of batch.logs) {
      count += 1;
      if (count % TURN_AFTER === 0) await setImmediate();
      const entity = getEntity(log);
      // Covered by the backfill.
      const isBackfilled = batch.number <= (entity === 'logs' ? row.logs_after : row.reports_after);
      if (!isIncluded(entity) || isBackfilled) continue;
      if (entity === 'attachments') {
        const attachment = toAttachment(batch, log, (id) => attachments.has(id));
        attachments.set(attachment.id, attachment);
      } else {
        const list = records.get(entity) ?? [];
        list.push(toRecord(row.app_id, batch, log, stacks.get(log)));
        records.set(entity, list);
      }
    }
  }
  return { records, attachments: [...attachments.values()] };
}

/** Later files of a window have the number of their first batch in the name; if the name is in use, further numbers too. */
function toFileName(row: ConfigurationRow, { from, to, taken, isFirst }: Plan, name: string): string {
  if (taken > 0) return `${row.id}.${from + 1}-${to}.${taken}.${name}`;
  return isFirst ? name : `${from + 1}.${name}`;
}

async function writeFiles(
  ctx: Ctx,
  row: ConfigurationRow,
  plan: Plan & { folder: string; format: Format },
  { records, attachments }: Content,
): Promise<ExportFile[]> {
  const tag = `${row.id}.${plan.from}.${plan.to}`;
  const files: ExportFile[] = [];
  for (const [entity, list] of records) {
    const toPath = (name: string) => `${plan.folder}/${toFileName(row, plan, name)}`;
    files.push(await recordFile(ctx, { entity, records: list, format: plan.format }, toPath, tag));
  }
  for (const one of attachments) {
    const name = plan.taken > 0 ? toFileName(row, plan, one.id) : one.id;
    files.push(attachmentFile(one, `${plan.folder}/attachments/${name}`, tag));
  }
  return files;
}

/** Runs `work` with the locked row: users may have disabled or fixed the export in the meantime. */
const withConfiguration = (
  ctx: Ctx,
  id: string,
  work: (ctx: Ctx, row: ConfigurationRow) => Promise<void>,
): Promise<void> =>
  tx(ctx, async (ctx) => {
    const known = await findConfiguration.first(ctx.db, { id });
    if (!known) return;
    await lock(ctx, 'exports', known.app_id);
    const row = await findConfiguration.first(ctx.db, { id });
    if (row) await work(ctx, row);
  });

const MAX_INFO_LENGTH = 500;

/** Schedules a retry, unless a user must act or the export has failed for too long. */
async function noteFailure(ctx: Ctx, id: string, error: unknown): Promise<void> {
  const known = getFailureReason(error);
  if (!known) ctx.log.error({ err: error, configuration: id }, 'an export failed because of an internal error');
  const reason = (known?.reason ?? 'Internal error while reading the records. See the server log.').slice(
    0,
    MAX_INFO_LENGTH,
  );
  await withConfiguration(ctx, id, async (ctx, row) => {
    if (row.state !== 'Pending' && row.state !== 'Enabled') return;
    const now = ctx.clock.now();
    const since = row.failing_since ?? now;
    const failures = row.failures + 1;
    const wait = Math.min(MAX_WAIT_MS, MINUTE * 2 ** Math.min(failures - 1, 10));
    await failRow.run(ctx.db, { id, error: reason, now, since, failures, dueAt: now + wait });
    const end = since + ctx.config.exportRetryDays * DAY;
    if (now >= end) await stopExport(ctx, row, `The export has failed since ${toIso(since)}. ${reason}`, null);
    // Data is retained for it, so that it can continue once a user has fixed it.
    else if (known?.isLasting) await stopExport(ctx, row, reason, end);
  });
}

async function stopExport(ctx: Ctx, row: ConfigurationRow, info: string, retryUntil: number | null): Promise<void> {
  if (retryUntil === null) await letGo(ctx, row);
  await stopRow.run(ctx.db, { id: row.id, state: 'Invalid', info, dueAt: retryUntil });
  const subject = appSubject(await getAppRef(ctx, row.app_id));
  await record(ctx, 'export_configuration.fail', subject, { after: { id: row.id, reason: info } });
  await announceForApp(ctx, 'exportFailed', row.app_id, ({ page }) => ({
    url: page('exports'),
    export_configuration_id: row.id,
    type: row.type,
    reason: info,
  }));
}

/** Releases the data of an export that was not fixed in time. */
async function endRetries(ctx: Ctx, { id }: ConfigurationRow): Promise<void> {
  await withConfiguration(ctx, id, async (ctx, row) => {
    if (row.state !== 'Invalid') return;
    await letGo(ctx, row);
    await stopRow.run(ctx.db, { id, state: 'Invalid', info: row.state_info, dueAt: null });
  });
}
