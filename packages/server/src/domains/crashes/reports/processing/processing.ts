import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Ctx } from '../../../../context.ts';
import { lock } from '../../../../db/locks.ts';
import { isReferenceGone } from '../../../../db/portable.ts';
import { tx } from '../../../../db/tx.ts';
import { enqueue } from '../../../../jobs/index.ts';
import { Failure } from '../../../../kernel/errors.ts';
import { findDiskShortage } from '../../../../kernel/files/disk-space.ts';
import { listAppsWithNews, passBatches, streamBatches } from '../../../ingest/index.ts';
import { needSymbols } from '../../../symbols/index.ts';
import type { CrashAttachmentsTable, CrashReportsTable } from '../../crashes.tables.ts';
import { type Grouping, groupReport } from '../../grouping/grouping-key.ts';
import type { GroupingRule } from '../../grouping/rules.ts';
import { ensureApp, readSettings } from '../../issues/app-settings.ts';
import { assignGroups } from '../../issues/assignment.ts';
import type { MissingSymbols, Stack } from '../../stacks/stack.ts';
import { countReports } from '../../statistics/counting.ts';
import { createAttachedCheck, otherId, saveAttachments, storeAttachments } from '../attachments.ts';
import { CUT_NOTE, packJson, shortenLog } from '../bodies.ts';
import { findSent, insertBodies, insertProperties, insertReports } from '../reports.store.ts';
import { toObject, toText } from '../values.ts';
import { errorLogs } from './consumer.ts';
import { type Arrived, gatherChunks, type LogChunk } from './log-chunks.ts';
import { isMinidump, readMinidump } from './minidumps.ts';
import { type FoundNames, nameFrames } from './naming.ts';
import { bareReport, parseReport, type ReportDevice } from './parsed-report.ts';
import { reportsReprocess } from './reprocess-job.ts';
import { getSentryEvent, listSourceMapIds } from './sentry-stack.ts';

/** Number of reports in progress: one is symbolicated while another is compressed. */
const REPORTS_AT_ONCE = 16;
/** Limits how much one transaction writes, see `writeCost`: on SQLite other writers wait for it. */
const MAX_WRITE_COST = 100;
/** Cost of a group that no other report of the transaction has, in reports. */
const GROUP_COST = 10;

/** A processed report that has no group yet. */
export interface ReadyReport {
  row: CrashReportsTable;
  properties: Record<string, string>;
  /** Undefined if processing failed. */
  stack: Stack | undefined;
  /** Reason why processing failed. */
  note: string;
  isSymbolicated: boolean;
  isHistory: boolean;
  isSentry: boolean;
  log: Uint8Array;
  packedStack: Uint8Array;
}

const formatOs = ({ osName, osVersion }: ReportDevice): string => [osName, osVersion].filter(Boolean).join(' ');

/** Symbols that a user could still upload. */
export const getRequestedSymbols = ({ missing = [] }: Stack): MissingSymbols[] =>
  missing.filter(({ reason }) => reason !== 'ignored');

export const hasAllSymbols = (stack: Stack): boolean =>
  (stack.missing ?? []).length === 0 &&
  ![...stack.exceptions, ...stack.threads].some(({ frames }) =>
    frames.some(({ isApp, isUnsymbolicated }) => isApp && isUnsymbolicated),
  );

/** Parses a log. Logs that can't be parsed are stored with the reason. */
export async function readReport(
  ctx: Ctx,
  appId: string,
  { batch, installId, receivedAt, isHistory = false, type, at, log }: Arrived,
  { attachments = [], names }: { attachments?: readonly CrashAttachmentsTable[]; names: FoundNames },
): Promise<ReadyReport> {
  const shortened = shortenLog(log);
  // Each step takes some milliseconds for a log of thousands of frames.
  const takeTurn = async () => (shortened.isLarge ? setImmediate() : undefined);
  let parsed: ReturnType<typeof bareReport>;
  let stack: Stack | undefined;
  let note = '';
  try {
    const { stack: found, ...content } = parseReport(type, at, log);
    parsed = content;
    if (shortened.isCut) found.notes.push(CUT_NOTE);
    const { version, build } = content.device;
    const sent = [log.buildId, toObject(log.device).liveUpdatePackageHash, ...listSourceMapIds(log)];
    const buildIds = sent.flatMap((id) => toText(id, 128) ?? []);
    await takeTurn();
    const walked = await readMinidump(ctx, found, { appId, installId, sentId: content.sentId }, attachments);
    stack = await nameFrames(ctx, appId, { version, build, buildIds }, walked, names);
  } catch (error) {
    parsed = bareReport(type, at, log);
    note = (error as Error).message.slice(0, 1000);
  }
  await takeTurn();
  const packedLog = await packJson(shortened.log);
  await takeTurn();
  const { device, sentId, kind, userId, sessionId, properties } = parsed;
  const isSymbolicated = stack !== undefined && hasAllSymbols(stack);
  return {
    row: {
      app_id: appId,
      id: sentId,
      sent_id: sentId,
      install_id: installId,
      group_id: null,
      kind,
      type,
      state: stack ? 'processed' : 'failed',
      note,
      at,
      received_at: receivedAt,
      version: device.version,
      build: device.build,
      model: device.model,
      oem: device.oem,
      os: formatOs(device),
      os_name: device.osName,
      os_version: device.osVersion,
      country: device.country,
      language: device.language,
      user_id: userId ?? null,
      session_id: sessionId ?? null,
      properties: JSON.stringify(properties),
      has_attachments: 0,
      is_symbolicated: isSymbolicated ? 1 : 0,
      batch,
    },
    properties,
    stack,
    note,
    isSymbolicated,
    isHistory,
    isSentry: getSentryEvent(log) !== undefined,
    log: packedLog,
    packedStack: await packJson(stack ?? null),
  };
}

/** Removes stored reports, and makes the IDs of the others unique. */
async function withoutRepeats(
  { db }: Pick<Ctx, 'db'>,
  appId: string,
  ready: readonly ReadyReport[],
): Promise<ReadyReport[]> {
  const sentIds = [...new Set(ready.map(({ row }) => row.sent_id))];
  const seen = new Map(
    (await findSent(db, appId, sentIds)).map((one) => [JSON.stringify([one.install_id, one.sent_id]), one.id]),
  );
  const taken = new Set(seen.values());
  const fresh: ReadyReport[] = [];
  for (const one of ready) {
    const { install_id, sent_id } = one.row;
    const key = JSON.stringify([install_id, sent_id]);
    if (seen.has(key)) continue;
    // Sentry SDKs create random IDs of events, and may send one again from another install.
    if (one.isSentry && taken.has(sent_id)) continue;
    // A cloned device sends the same IDs, but counts as another device.
    const id = taken.has(sent_id) ? otherId(install_id, sent_id) : sent_id;
    seen.set(key, id);
    taken.add(id);
    fresh.push({ ...one, row: { ...one.row, id } });
  }
  return fresh;
}

/** Groupings computed with rules that were read before the transaction. */
interface Groupings {
  rules: readonly GroupingRule[];
  byStack: ReadonlyMap<Stack, Grouping>;
}

/** Approximate number of rows written for a report, besides its group. */
const writeCost = ({ properties, stack }: ReadyReport): number =>
  1 + (Object.keys(properties).length + (stack ? getRequestedSymbols(stack).length : 0)) / 10;

/** Splits reports into transactions. Reports of few groups fit into one, reports of many groups need several. */
function* toTransactions(ready: readonly ReadyReport[], { byStack }: Groupings): Generator<readonly ReadyReport[]> {
  let some: ReadyReport[] = [];
  let groups = new Set<string>();
  let cost = 0;
  for (const one of ready) {
    const grouping = one.stack && byStack.get(one.stack);
    const group = grouping ? JSON.stringify([grouping.key, one.row.version, one.row.build]) : '';
    const more = writeCost(one) + (group === '' || groups.has(group) ? 0 : GROUP_COST);
    if (some.length > 0 && cost + more > MAX_WRITE_COST) {
      yield some;
      [some, groups, cost] = [[], new Set(), 0];
    }
    some.push(one);
    groups.add(group);
    cost += more;
  }
  yield some;
}

/** Groups and counts reports. The caller's transaction holds the lock of the app's reports. */
async function saveReports(
  ctx: Ctx,
  appId: string,
  ready: readonly ReadyReport[],
  groupings: Groupings,
): Promise<readonly CrashReportsTable[]> {
  if (ready.length === 0) return [];
  const { db } = ctx;
  const fresh = await withoutRepeats(ctx, appId, ready);
  if (fresh.length === 0) return [];
  const { rules } = await readSettings(ctx, appId);
  const getGrouping = (stack: Stack, { kind }: CrashReportsTable): Grouping =>
    (isDeepStrictEqual(rules, groupings.rules) ? groupings.byStack.get(stack) : undefined) ??
    groupReport(kind, stack, rules);
  const isAttached = await createAttachedCheck(
    ctx,
    appId,
    fresh.map(({ row }) => row.sent_id),
  );
  const grouped = fresh.flatMap((one) => (one.stack ? { one, grouping: getGrouping(one.stack, one.row) } : []));
  const refs = await assignGroups(
    ctx,
    appId,
    grouped.map(({ one, grouping }) => ({ report: one.row, grouping, isHistory: one.isHistory })),
  );
  const refByReport = new Map(grouped.map(({ one }, at) => [one, refs[at]]));
  const rows = fresh.map((one) => ({
    ...one.row,
    group_id: refByReport.get(one)?.groupId ?? null,
    has_attachments: isAttached(one.row.install_id, one.row.sent_id) ? (1 as const) : (0 as const),
  }));
  await insertReports(db, rows);
  await insertBodies(
    db,
    fresh.map(({ row, log, packedStack }) => ({ app_id: appId, report_id: row.id, log, stack: packedStack })),
  );
  await insertProperties(
    db,
    fresh.flatMap(({ row, properties }) =>
      Object.entries(properties).map(([name, value]) => ({ app_id: appId, name, value, report_id: row.id })),
    ),
  );
  const counted = rows.flatMap((row, at) => {
    const ref = refByReport.get(fresh[at] as ReadyReport);
    return ref ? { ...row, group_id: ref.groupId, issueId: ref.issueId } : [];
  });
  await countReports(ctx, appId, counted);
  for (const [at, { stack }] of fresh.entries()) {
    const row = rows[at];
    if (row && stack && getRequestedSymbols(stack).length > 0) await sayNeeds(ctx, row, stack);
  }
  return rows;
}

/** Reports whose minidump arrives later are reprocessed. */
async function readLateMinidumps(
  ctx: Ctx,
  appId: string,
  attachments: readonly CrashAttachmentsTable[],
  fresh: readonly CrashReportsTable[],
): Promise<void> {
  const dumps = attachments.filter(isMinidump);
  if (dumps.length === 0) return;
  const known = new Set(fresh.map(({ id }) => id));
  const sent = await findSent(ctx.db, appId, [...new Set(dumps.map(({ error_id }) => error_id))]);
  const reportIds = sent
    .filter(
      ({ id, sent_id, install_id }) =>
        !known.has(id) && dumps.some((dump) => dump.error_id === sent_id && dump.install_id === install_id),
    )
    .map(({ id }) => id);
  if (reportIds.length > 0) await enqueue(ctx, reportsReprocess, { appId, scope: { reportIds } });
}

/** Registers the missing symbols of a report; it is reprocessed when they arrive. */
export const sayNeeds = (ctx: Ctx, { app_id: appId, id, version, build, kind }: CrashReportsTable, stack: Stack) =>
  needSymbols(ctx, { appId, id, version, build, isError: kind === 'error' }, getRequestedSymbols(stack));

/** In small groups, yielding to other work in between. */
async function readReports(
  ctx: Ctx,
  appId: string,
  reports: readonly Arrived[],
  attachments: readonly CrashAttachmentsTable[],
): Promise<ReadyReport[]> {
  const ready: ReadyReport[] = [];
  const names: FoundNames = new Map();
  for (let at = 0; at < reports.length; at += REPORTS_AT_ONCE) {
    const some = reports.slice(at, at + REPORTS_AT_ONCE);
    ready.push(...(await Promise.all(some.map((one) => readReport(ctx, appId, one, { attachments, names })))));
    await setImmediate();
  }
  return ready;
}

/**
 * Stores a chunk in small transactions; the last one advances past its batches. If a process is killed in between, the
 * batches are read again and missing reports are stored; each report is stored once.
 */
async function processChunk(ctx: Ctx, appId: string, { arrived, from, to }: LogChunk): Promise<void> {
  const isAttachment = ({ type }: Arrived): boolean => type === 'errorAttachment';
  const attachments = await storeAttachments(ctx, appId, arrived.filter(isAttachment));
  const reports = arrived.filter((one) => !isAttachment(one));
  const ready = await readReports(ctx, appId, reports, attachments);
  const { rules } = await readSettings(ctx, appId);
  const byStack = new Map(
    ready.flatMap(({ row, stack }) => (stack ? [[stack, groupReport(row.kind, stack, rules)]] : [])),
  );
  const groupings = { rules, byStack };
  const transactions = [...toTransactions(ready, groupings)];
  const last = transactions.length - 1;
  const fresh: CrashReportsTable[] = [];
  for (const [at, some] of transactions.entries()) {
    // Free of side effects outside the database, because PostgreSQL may repeat the transaction.
    const added = await tx(ctx, async (ctx) => {
      const hasAttachments = at === last && attachments.length > 0;
      let own: readonly CrashReportsTable[] = [];
      if (some.length > 0 || hasAttachments) {
        await lock(ctx, 'crash-reports', appId);
        await ensureApp(ctx, appId);
        own = await saveReports(ctx, appId, some, groupings);
      }
      if (hasAttachments) {
        const saved = await saveAttachments(ctx, appId, attachments);
        await readLateMinidumps(ctx, appId, saved, [...fresh, ...own]);
      }
      if (at === last) await passBatches(ctx, errorLogs, { appId, from, to });
      return own;
    });
    fresh.push(...added);
    await setImmediate();
  }
}

/** Turns all waiting batches of an app into reports. */
export async function processApp(ctx: Ctx, appId: string): Promise<void> {
  try {
    for (;;) {
      const stream = await streamBatches(ctx, errorLogs, appId);
      if (stream.to === stream.from) return;
      try {
        for await (const chunk of gatherChunks(stream)) await processChunk(ctx, appId, chunk);
      } catch (error) {
        // Another process did it at the same time; continue with the remaining batches.
        if (!(error instanceof Failure && error.code === 'Conflict')) throw error;
      }
    }
  } catch (error) {
    // The app was deleted.
    if (!isReferenceGone(error)) throw error;
  }
}

/** Apps that this process is processing, and whether more logs arrived meanwhile. */
const underWay = new WeakMap<Ctx['db'], Map<string, { hasMore: boolean }>>();

/**
 * Like `processApp`, triggered every few seconds while logs arrive. Runs once per app at a time: parallel runs would read
 * the same reports, and only one could save them.
 */
export async function processNewLogs(ctx: Ctx, appId: string): Promise<void> {
  // Logs wait until there is space; reports need far more.
  if (await findDiskShortage(ctx)) return;
  const apps = underWay.get(ctx.db) ?? new Map<string, { hasMore: boolean }>();
  underWay.set(ctx.db, apps);
  const other = apps.get(appId);
  if (other) {
    other.hasMore = true;
    return;
  }
  const own = { hasMore: false };
  apps.set(appId, own);
  try {
    do {
      own.hasMore = false;
      await processApp(ctx, appId);
    } while (own.hasMore);
  } finally {
    apps.delete(appId);
  }
}

/** Catches up for apps whose processing job has failed too often. */
export async function processRest(ctx: Ctx): Promise<void> {
  if (await findDiskShortage(ctx)) return;
  for (const appId of await listAppsWithNews(ctx, errorLogs)) await processApp(ctx, appId);
}
