import { setImmediate } from 'node:timers/promises';
import type { Ctx } from '../../context.ts';
import { lock } from '../../db/locks.ts';
import { tx } from '../../db/tx.ts';
import { defineJob, defineSchedule, enqueue } from '../../jobs/index.ts';
import { DAY, MINUTE, SECOND, toIso } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/errors.ts';
import { appSubject, findWorkOwner, getAppRef } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { type Batch, findReading, type Log, passBatches, readBatches } from '../ingest/index.ts';
import { announceForApp } from '../webhooks/index.ts';
import { writeKept } from './backfill.ts';
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
import { letGo, openDestination, readerOf, reasonOf, settingsOf } from './configurations.ts';
import { type Content, deliveriesOf } from './deliveries.ts';
import { type Destination, type ExportFile, type FileStore, formatOf, prefixOf } from './destinations/index.ts';
import { attachmentFile, recordFile } from './files.ts';
import { type Attachment, type Entity, type ExportRecord, entityOf, toAttachment, toRecord } from './records.ts';
import { type Format, folderOf, isOver, windowOf } from './windows.ts';

export const exportsRun = defineSchedule('exports.run', 30 * SECOND);
/** A run that was cut off is found by the schedule again. */
export const exportWrite = defineJob<{ id: string }>('export.write', { maxAttempts: 3, lane: 'remote' });

const LOOK_EVERY = 30 * SECOND;
/** Whoever is killed is replaced after this long. */
const CLAIMED = 5 * MINUTE;
/** Then others have their turn. */
const LONGEST_RUN = 3 * MINUTE;
const LONGEST_WAIT = 15 * MINUTE;
/** Of JSON in one file, and in memory: records are about three times as large as what came. */
const MOST_BYTES = 8 * 1024 * 1024;

/** Which batches go into which files: written down first, so that whoever is cut off writes the same again. */
interface Plan {
  from: number;
  to: number;
  window: number;
  /** How often its names were found in use by somebody else. */
  taken: number;
  /** Whether its window has no file yet. */
  isFirst: boolean;
  /** Names that were free before the first attempt: a file with such a name was written by an attempt that was cut off. */
  begun?: readonly string[];
}

/** Sees to it that what is due is written, each export by a job of its own. */
export async function runExports(ctx: Ctx): Promise<void> {
  await tx(ctx, async (ctx) => {
    const now = ctx.clock.now();
    for (const { id, app_id } of await claimDue.all(ctx.db, { now, until: now + CLAIMED })) {
      await enqueue(ctx, exportWrite, { id }, { owner: await findWorkOwner(ctx, app_id) });
    }
  });
}

/** Writes what waits for an export, window by window. */
export async function writeExport(ctx: Ctx, id: string): Promise<void> {
  const until = ctx.clock.now() + LONGEST_RUN;
  try {
    for (;;) {
      const row = await findConfiguration.first(ctx.db, { id });
      if (!row) return;
      if (row.state !== 'Pending' && row.state !== 'Enabled') return await endPatience(ctx, row);
      const now = ctx.clock.now();
      if (!(await writeNext(ctx, row)) && !(await writeKept(ctx, row)) && !(await writeReports(ctx, row))) {
        await tx(ctx, ({ db }) => restRow.run(db, { id, now, dueAt: now + LOOK_EVERY }));
        return;
      }
      if (now > until) {
        await tx(ctx, ({ db }) => setDue.run(db, { id, dueAt: now }));
        return;
      }
    }
  } catch (error) {
    // Another process wrote it meanwhile.
    if (error instanceof Failure && error.code === 'Conflict') return;
    await noteFailure(ctx, id, error);
  }
}

/** The batches of a plan, or of the next one; says whether there were any to be written now. */
async function writeNext(ctx: Ctx, row: ConfigurationRow): Promise<boolean> {
  const settings = settingsOf(ctx, row);
  const destination = openDestination(ctx, row, settings);
  const format = formatOf(settings.open);
  const reader = readerOf(row.id);
  const reading = await findReading(ctx, reader, row.app_id);
  if (!reading) return false;
  const known = row.plan === null ? undefined : (JSON.parse(row.plan) as Plan);
  // A plan may be of a version that put more into one file.
  const limits = known
    ? { limit: known.to - known.from, mostBytes: Number.MAX_SAFE_INTEGER }
    : { mostBytes: MOST_BYTES };
  const { from, batches, isMore } = await readBatches(ctx, reader, row.app_id, limits);
  let plan = known ?? makePlan({ from, batches, isMore }, destination, format, row.last_window, ctx.clock.now());
  if (!plan) return false;
  const { to } = plan;
  const planned = batches.filter(({ number }) => number <= to);
  if (plan.from !== from || planned.at(-1)?.number !== to) {
    const latest = await findConfiguration.first(ctx.db, { id: row.id });
    if (latest?.plan !== row.plan) throw new Failure('Conflict', 'Another process wrote this part of the export.');
    throw new Error(`Batches ${plan.from} to ${to} of the export ${row.id} are not there any more.`);
  }
  // What was brought along from elsewhere is no news.
  const news = planned.filter(({ isHistory }) => !isHistory);
  const content = await contentOf(ctx, row, await ctx.keptLogs.withoutDeleted(ctx, row.app_id, news));
  if (destination.kind === 'records') {
    if (!known) await keepPlan(ctx, row, undefined, plan);
    for (const delivery of deliveriesOf(`${row.id}.${plan.from}.${plan.to}`, content)) {
      if (destination.takes(delivery.entity)) await destination.send(delivery);
    }
  } else {
    const folder = `${prefixOf(settings.open, row.app_id)}${folderOf(format, plan.window)}`;
    const files = await filesOf(ctx, row, { ...plan, folder, format }, content);
    if (!known) {
      plan = { ...plan, begun: await findFree(destination, files) };
      await keepPlan(ctx, row, undefined, plan);
    }
    for (const file of files) {
      // Symbols may have completed its stacks since, so its bytes can differ. A name with a number contains this plan.
      const isOurs = plan.taken > 0 || (known?.begun ?? []).includes(file.path);
      if ((await destination.put(file, isOurs)) === 'written') continue;
      await keepPlan(ctx, row, plan, { ...plan, taken: plan.taken + 1 });
      return true;
    }
  }
  const planWindow = plan.window;
  await tx(ctx, async (ctx) => {
    // Whoever stopped it meanwhile holds no batches any more, and nothing must hold them again.
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

/** Batches that came in one window, as soon as that is over or as many as fit into a file; a receiver waits for nothing. */
function makePlan(
  { from, batches, isMore }: { from: number; batches: readonly Batch[]; isMore: boolean },
  { kind }: Destination,
  format: Format,
  lastWindow: number,
  now: number,
): Plan | undefined {
  const [first] = batches;
  if (!first) return undefined;
  const window = windowOf(format, first.receivedAt);
  const end = batches.findIndex(({ receivedAt }) => kind === 'files' && windowOf(format, receivedAt) !== window);
  const last = end < 0 ? batches.at(-1) : batches[end - 1];
  if (kind === 'files' && end < 0 && !isMore && !isOver(format, window, now)) return undefined;
  return { from, to: last?.number ?? from, window, taken: 0, isFirst: window > lastWindow };
}

/** A plan for batches that another process has written meanwhile would hold up the export for ever. */
async function keepPlan(ctx: Ctx, row: ConfigurationRow, before: Plan | undefined, plan: Plan): Promise<void> {
  const isSaved = await tx(ctx, async (ctx) => {
    await lock(ctx, 'exports', row.app_id);
    const reading = await findReading(ctx, readerOf(row.id), row.app_id);
    if (reading?.number !== plan.from) return false;
    const [id, known] = [row.id, before ? JSON.stringify(before) : ''];
    return (await savePlan.run(ctx.db, { id, plan: JSON.stringify(plan), before: known })) > 0;
  });
  if (!isSaved) throw new Failure('Conflict', 'Another process plans this export.');
}

/** Of the crashes and errors in some batches, what was called where. */
async function stacksIn(ctx: Ctx, appId: string, batches: readonly Batch[], isWanted: (entity: string) => boolean) {
  const broken = batches.flatMap(({ installId, logs }) =>
    logs
      .filter((log) => ['crashes', 'errors'].includes(entityOf(log)) && isWanted(entityOf(log)))
      .map((log) => ({ installId, log })),
  );
  if (broken.length === 0) return new Map<Log, string>();
  const sent = broken.map(({ installId, log }) => ({ installId, log: log.value }));
  const stacks = await ctx.issues.stacksOf(ctx, appId, sent);
  return new Map(broken.map(({ log }, at) => [log, stacks[at] ?? '']));
}

/** Logs that are turned into records before other work has its turn. */
const TURN_AFTER = 300;

/** What is wanted of some batches. */
async function contentOf(ctx: Ctx, row: ConfigurationRow, batches: readonly Batch[]): Promise<Content> {
  const entities = new Set(JSON.parse(row.entities) as string[]);
  const isWanted = (entity: string) => (entity === 'logs' ? !entities.has('no_logs') : entities.has(entity));
  const stacks = await stacksIn(ctx, row.app_id, batches, isWanted);
  const records = new Map<Entity, ExportRecord[]>();
  const attachments = new Map<string, Attachment>();
  let count = 0;
  for (const batch of batches) {
    for (const log of batch.logs) {
      count += 1;
      if (count % TURN_AFTER === 0) await setImmediate();
      const entity = entityOf(log);
      // The back-fill has them.
      const isKept = batch.number <= (entity === 'logs' ? row.logs_after : row.reports_after);
      if (!isWanted(entity) || isKept) continue;
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

/** A later file of a window has the number of its first batch in its name; one whose name is in use, more than that. */
function nameOf(row: ConfigurationRow, { from, to, taken, isFirst }: Plan, name: string): string {
  if (taken > 0) return `${row.id}.${from + 1}-${to}.${taken}.${name}`;
  return isFirst ? name : `${from + 1}.${name}`;
}

async function filesOf(
  ctx: Ctx,
  row: ConfigurationRow,
  plan: Plan & { folder: string; format: Format },
  { records, attachments }: Content,
): Promise<ExportFile[]> {
  const tag = `${row.id}.${plan.from}.${plan.to}`;
  const files: ExportFile[] = [];
  for (const [entity, list] of records) {
    const toPath = (name: string) => `${plan.folder}/${nameOf(row, plan, name)}`;
    files.push(await recordFile(ctx, { entity, records: list, format: plan.format }, toPath, tag));
  }
  for (const one of attachments) {
    const name = plan.taken > 0 ? nameOf(row, plan, one.id) : one.id;
    files.push(attachmentFile(one, `${plan.folder}/attachments/${name}`, tag));
  }
  return files;
}

/** As it is once nobody else changes it: a person may have disabled or mended it meanwhile. */
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

const MOST_SHOWN = 500;

/** It is tried again, unless only a person can mend it or it has failed for too long. */
async function noteFailure(ctx: Ctx, id: string, error: unknown): Promise<void> {
  const known = reasonOf(error);
  if (!known) ctx.log.error({ err: error, configuration: id }, 'an export failed for a reason that is ours');
  const reason = (known?.reason ?? 'This server could not read what it should write; its log says why.').slice(
    0,
    MOST_SHOWN,
  );
  await withConfiguration(ctx, id, async (ctx, row) => {
    if (row.state !== 'Pending' && row.state !== 'Enabled') return;
    const now = ctx.clock.now();
    const since = row.failing_since ?? now;
    const failures = row.failures + 1;
    const wait = Math.min(LONGEST_WAIT, MINUTE * 2 ** Math.min(failures - 1, 10));
    await failRow.run(ctx.db, { id, error: reason, now, since, failures, dueAt: now + wait });
    const end = since + ctx.config.exportPatienceDays * DAY;
    if (now >= end) await giveUp(ctx, row, `It failed since ${toIso(since)}. ${reason}`, null);
    // What comes is kept for it meanwhile, so that it can go on once somebody has mended it.
    else if (known?.isLasting) await giveUp(ctx, row, reason, end);
  });
}

async function giveUp(ctx: Ctx, row: ConfigurationRow, info: string, heldUntil: number | null): Promise<void> {
  if (heldUntil === null) await letGo(ctx, row);
  await stopRow.run(ctx.db, { id: row.id, state: 'Invalid', info, dueAt: heldUntil });
  const subject = appSubject(await getAppRef(ctx, row.app_id));
  await record(ctx, 'export_configuration.fail', subject, { after: { id: row.id, reason: info } });
  await announceForApp(ctx, 'exportFailed', row.app_id, ({ page }) => ({
    url: page('exports'),
    export_configuration_id: row.id,
    type: row.type,
    reason: info,
  }));
}

/** What waited for one that nobody mended waits no longer. */
async function endPatience(ctx: Ctx, { id }: ConfigurationRow): Promise<void> {
  await withConfiguration(ctx, id, async (ctx, row) => {
    if (row.state !== 'Invalid') return;
    await letGo(ctx, row);
    await stopRow.run(ctx.db, { id, state: 'Invalid', info: row.state_info, dueAt: null });
  });
}
