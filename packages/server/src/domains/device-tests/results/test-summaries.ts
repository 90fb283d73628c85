import type { AppCtx, Ctx } from '../../../context.ts';
import { loadEvents } from '../runs/run-events.ts';
import { listOutcomes, listRunDevices, listRunsBefore, type RunRow } from '../runs/test-runs.store.ts';
import type { PastRun } from './results-work.ts';

export async function readPastRun(ctx: Pick<Ctx, 'db'>, runId: string): Promise<PastRun> {
  const stored = await listOutcomes.all(ctx.db, { runId });
  const summaries = stored.flatMap(({ outcomes }) => outcomes ?? []);
  if (summaries.length === stored.length) return { summaries };
  return { devices: (await loadEvents(ctx, await listRunDevices.all(ctx.db, { runId }))).map(({ events }) => events) };
}

const MAX_RUNS = 8;
/** Characters of all runs together: enough for eight runs of thousands of tests, so only the largest have fewer. */
const MAX_HISTORY = 16 * 1024 * 1024;

/** Reads the results of earlier runs, newest first. */
export async function readHistory(ctx: AppCtx, run: RunRow): Promise<PastRun[]> {
  const which = { appId: ctx.app.id, id: run.id, framework: run.framework ?? '', limit: MAX_RUNS };
  const history: PastRun[] = [];
  let length = 0;
  for (const { id, length: own } of await listRunsBefore.all(ctx.db, which)) {
    length += Number(own ?? 0);
    if (length > MAX_HISTORY) break;
    history.push(await readPastRun(ctx, id));
  }
  return history;
}
