import type { AppCtx } from '../../context.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { explainWaiting } from './live-run.ts';
import { isDone } from './run-events.ts';
import type { RunStats } from './run-stats.ts';
import { listRunDevices, type RunRow } from './test-runs.store.ts';
import { getRunRow, statsOf } from './test-runs.ts';

export interface RunState {
  message: string[];
  /** In seconds. */
  waitTime: number;
  /** Once it has finished. */
  exitCode: 0 | 1 | 2 | undefined;
}

/** NOTE: clients fail with 1 and 2, and take every other code for success. */
const exitCodes: Readonly<Record<RunRow['result'], 0 | 1 | 2>> = {
  pending: 2,
  passed: 0,
  failed: 1,
  stopped: 2,
  error: 2,
};

const summary = ({ total, passed, failed, skipped, steps }: RunStats): string[] => [
  `Total scenarios: ${total}`,
  `${passed} passed`,
  `${failed} failed`,
  ...(skipped > 0 ? [`${skipped} skipped`] : []),
  `Total steps: ${steps}`,
];

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** A run that is young is looked at often. */
const waitOf = ({ clock }: Pick<AppCtx, 'clock'>, { started_at }: RunRow): number =>
  started_at === null || clock.now() - started_at < MINUTE ? 2 : 10;

export async function readState(ctx: AppCtx, id: string): Promise<RunState> {
  const row = await getRunRow(ctx, id);
  const waitTime = waitOf(ctx, row);
  const devices = await listRunDevices.all(ctx.db, { runId: id });
  if (row.status === 'finished') {
    const failures = devices.flatMap(({ failure, device }) =>
      failure === null ? [] : [`${(JSON.parse(device) as { name: string }).name}: ${failure}`],
    );
    const message = [
      row.result === 'stopped' ? 'The test run was stopped.' : 'Done!',
      ...(row.failure === null ? [] : [row.failure]),
      ...failures,
      ...(devices.length === 0 ? [] : summary(statsOf(row))),
    ];
    return { message, waitTime, exitCode: exitCodes[row.result] };
  }
  if (row.status === 'created') return { message: ['Validating'], waitTime, exitCode: undefined };
  const running = devices.filter(({ state }) => state === 'running').length;
  const done = devices.filter(isDone).length;
  const pending = devices.length - running - done;
  if (running === 0 && done === 0) {
    const waiting = await explainWaiting(ctx, devices);
    const message = ['Validation completed. Waiting for devices', ...(waiting === undefined ? [] : [waiting])];
    return { message, waitTime, exitCode: undefined };
  }
  const message = `Running on ${plural(running, 'device')} (${done} / ${devices.length} completed, ${pending} pending)`;
  return { message: [message], waitTime, exitCode: undefined };
}
