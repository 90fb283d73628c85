import type { AppCtx } from '../../../context.ts';
import { MINUTE } from '../../../kernel/clock.ts';
import { formatCount } from '../../../kernel/text/format-count.ts';
import { deviceCodec } from '../devices/devices.ts';
import { explainWaiting } from './live-run.ts';
import { isDone } from './run-events.ts';
import type { RunStats } from './run-stats.ts';
import { listRunDevices, type RunRow } from './test-runs.store.ts';
import { getRunRow, parseStats } from './test-runs.ts';

export interface RunState {
  message: string[];
  /** In seconds. */
  waitTime: number;
  /** Set once the run has finished. */
  exitCode: 0 | 1 | 2 | undefined;
}

/** Existing clients fail on 1 and 2, and treat every other code as success. */
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

/** Clients poll young runs more often. */
const getPollSeconds = ({ clock }: Pick<AppCtx, 'clock'>, { started_at }: RunRow): number =>
  started_at === null || clock.now() - started_at < MINUTE ? 2 : 10;

export async function readState(ctx: AppCtx, id: string): Promise<RunState> {
  const row = await getRunRow(ctx, id);
  const waitTime = getPollSeconds(ctx, row);
  const devices = await listRunDevices.all(ctx.db, { runId: id });
  if (row.status === 'finished') {
    const failures = devices.flatMap(({ failure, device }) =>
      failure === null ? [] : [`${deviceCodec.parse(device).name}: ${failure}`],
    );
    const message = [
      row.result === 'stopped' ? 'The test run was stopped.' : 'Done!',
      ...(row.failure === null ? [] : [row.failure]),
      ...failures,
      ...(devices.length === 0 ? [] : summary(parseStats(row))),
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
  const message = `Running on ${formatCount(running, 'device')} (${done} / ${devices.length} completed, ${pending} pending)`;
  return { message: [message], waitTime, exitCode: undefined };
}
