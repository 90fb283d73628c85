import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { AppCtx, Ctx } from '../../../../context.ts';
import { lock } from '../../../../db/locks.ts';
import { tx } from '../../../../db/tx.ts';
import { enqueue } from '../../../../jobs/index.ts';
import { appSubject } from '../../../apps/index.ts';
import { record } from '../../../audit/index.ts';
import { countReportsWaitingFor, listReportsWaitingFor } from '../../../symbols/index.ts';
import type { CrashReportsTable } from '../../crashes.tables.ts';
import { groupReport } from '../../grouping/grouping-key.ts';
import { readSettings } from '../../issues/app-settings.ts';
import type { GroupRef } from '../../issues/assigned.ts';
import { assignGroups } from '../../issues/assignment.ts';
import { deleteGroup, findGroups, insertAlias, moveAliases } from '../../issues/issues.store.ts';
import { getIssue, getIssueGroups, recountIssue } from '../../issues/issues.ts';
import { countReports, uncountReport } from '../../statistics/counting.ts';
import { unpackJson } from '../bodies.ts';
import {
  countReportsToProcess,
  listBodies,
  listReportsById,
  listReportsToProcess,
  updateProcessed,
  updateStack,
} from '../reports.store.ts';
import type { Fields } from '../values.ts';
import type { FoundNames } from './naming.ts';
import { type ReadyReport, readReport, sayNeeds } from './processing.ts';
import { type Run, reportsReprocess, type Scope } from './reprocess-job.ts';
import { beginProgress } from './reprocessings.ts';

/** Reports per transaction; each may be in another group. */
const BATCH_SIZE = 20;

/** Parses the stored logs again. */
async function readAgain(ctx: Ctx, appId: string, rows: readonly CrashReportsTable[]): Promise<ReadyReport[]> {
  const ids = rows.map(({ id }) => id);
  const bodies = new Map((await listBodies(ctx.db, appId, ids)).map((body) => [body.report_id, body]));
  const ready: ReadyReport[] = [];
  const names: FoundNames = new Map();
  for (const row of rows) {
    const body = bodies.get(row.id);
    if (!body) continue;
    const log = await unpackJson<Fields>(body.log);
    const { batch, type, at, install_id: installId, received_at: receivedAt } = row;
    const read = await readReport(ctx, appId, { batch, installId, receivedAt, type, at, log }, { names });
    ready.push({ ...read, row });
    await setImmediate();
  }
  return ready;
}

/** Moves a report and its counts to its new group. */
async function moveReport(ctx: Ctx, appId: string, row: CrashReportsTable, ref: GroupRef | undefined): Promise<void> {
  const [old] = row.group_id === null ? [] : await findGroups(ctx.db, appId, [row.group_id]);
  if (old) await uncountReport(ctx, appId, { ...row, group_id: old.id, issueId: old.issue_id });
  if (ref) await countReports(ctx, appId, [{ ...row, group_id: ref.groupId, issueId: ref.issueId }]);
  const isEmpty = old && (await findGroups(ctx.db, appId, [old.id])).every(({ count }) => count <= 0);
  if (!old || !isEmpty || !ref) return;
  await deleteGroup.run(ctx.db, { appId, id: old.id });
  await moveAliases.run(ctx.db, { appId, from: old.id, to: ref.groupId });
  await insertAlias.run(ctx.db, { app_id: appId, id: old.id, group_id: ref.groupId });
  await recountIssue(ctx, appId, old.issue_id);
}

async function processAgain(ctx: Ctx, appId: string, rows: readonly CrashReportsTable[]): Promise<void> {
  const ready = await readAgain(ctx, appId, rows);
  await tx(ctx, async (ctx) => {
    await lock(ctx, 'crash-reports', appId);
    const { rules } = await readSettings(ctx, appId);
    const ids = ready.map(({ row }) => row.id);
    const current = new Map((await listReportsById(ctx.db, appId, ids)).map((row) => [row.id, row]));
    for (const { row: known, stack, packedStack, note, isSymbolicated } of ready) {
      const row = current.get(known.id);
      // Deleted in the meantime.
      if (!row) continue;
      const grouping = stack && groupReport(row.kind, stack, rules);
      const [ref] = grouping ? await assignGroups(ctx, appId, [{ report: row, grouping, from: row.group_id }]) : [];
      await updateProcessed.run(ctx.db, {
        appId,
        id: row.id,
        groupId: ref?.groupId ?? null,
        state: stack ? 'processed' : 'failed',
        note,
        isSymbolicated: isSymbolicated ? 1 : 0,
      });
      await updateStack.run(ctx.db, { appId, id: row.id, stack: packedStack });
      if (row.group_id !== (ref?.groupId ?? null)) await moveReport(ctx, appId, row, ref);
      if (stack) await sayNeeds(ctx, row, stack);
    }
  });
}

/** Reprocesses reports in batches; repeating it is harmless. */
export async function reprocess(
  ctx: Ctx,
  { appId, scope, run }: { appId: string; scope: Scope; run?: Run },
): Promise<void> {
  const total = run ? await countReportsToProcess(ctx.db, appId, scope) : 0;
  const progress = await beginProgress(ctx, appId, run, total);
  for (let after = ''; ; ) {
    const rows = await listReportsToProcess(ctx.db, appId, { ...scope, after, limit: BATCH_SIZE });
    if (rows.length > 0) await processAgain(ctx, appId, rows);
    await progress.add(rows.length);
    const last = rows.at(-1);
    if (!last || rows.length < BATCH_SIZE) break;
    after = last.id;
  }
  await progress.end();
}

/** Reprocesses reports whose missing symbols have arrived. */
export async function resymbolicate(
  ctx: Ctx,
  { appId, symbolIds }: { appId: string; symbolIds: readonly string[] },
): Promise<void> {
  const run = { id: hash('sha256', symbolIds.join(), 'hex'), reason: 'symbols' } as const;
  const progress = await beginProgress(ctx, appId, run, await countReportsWaitingFor(ctx, appId, symbolIds));
  for (let after = ''; ; ) {
    const ids = await listReportsWaitingFor(ctx, appId, symbolIds, { after, limit: BATCH_SIZE });
    const last = ids.at(-1);
    if (last === undefined) break;
    const rows = await listReportsById(ctx.db, appId, ids);
    if (rows.length > 0) await processAgain(ctx, appId, rows);
    await progress.add(ids.length);
    after = last;
  }
  await progress.end();
}

/** Requests reprocessing of an issue, of failed reports, or of all. */
export const requestReprocessing = (
  ctx: AppCtx,
  { issueId, isFailed }: { issueId?: string | undefined; isFailed?: boolean | undefined },
): Promise<void> =>
  tx(ctx, async (ctx) => {
    if (issueId !== undefined) await getIssue(ctx, issueId);
    const groupIds = issueId === undefined ? undefined : (await getIssueGroups(ctx, issueId)).map(({ id }) => id);
    const scope = { ...(groupIds ? { groupIds } : {}), ...(isFailed ? { isFailed } : {}) };
    const run = { id: ctx.newId(), reason: 'requested' } as const;
    await enqueue(ctx, reportsReprocess, { appId: ctx.app.id, scope, run });
    const what = issueId ?? (isFailed ? 'failed' : 'all');
    await record(ctx, 'crash_report.reprocess', appSubject(ctx.app), { after: { reports: what } });
  });
