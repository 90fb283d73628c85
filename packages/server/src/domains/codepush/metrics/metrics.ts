import { metricsIntervals } from '@mooring/contract';
import semver from 'semver';
import type { AppCtx, Ctx } from '../../../context.ts';
import { sweep } from '../../../db/rows/sweep.ts';
import { DAY, HOUR } from '../../../kernel/clock.ts';
import { badRequest } from '../../../kernel/errors.ts';
import { getDeployment } from '../deployments/deployments.ts';
import { type Counts, countNames, deleteHoursBefore, listCounts, listHours } from './counts.store.ts';

export interface Metrics extends Counts {
  label: string;
  isBinary: boolean;
}

const parseLabelNumber = (label: string): number => Number(/^v(\d+)$/.exec(label)?.[1] ?? 0);

const isBinary = (label: string): boolean => parseLabelNumber(label) === 0;

/** Binary versions first, then releases, oldest first. */
const compareLabels = (a: string, b: string): number =>
  Number(isBinary(b)) - Number(isBinary(a)) ||
  (isBinary(a) ? semver.compare(a, b) : parseLabelNumber(a) - parseLabelNumber(b));

export async function getMetrics(ctx: AppCtx, name: string): Promise<Metrics[]> {
  const { id } = await getDeployment(ctx, name);
  const rows = await listCounts.all(ctx.db, { deploymentId: id });
  return rows
    .map(({ label, active, downloaded, installed, failed }) => ({
      label,
      isBinary: isBinary(label),
      // A device may report leaving a version that it was never counted for.
      active: Math.max(0, active),
      downloaded,
      installed,
      failed,
    }))
    .sort((a, b) => compareLabels(a.label, b.label));
}

export interface MetricsPeriod {
  start: number;
  labels: (Counts & { label: string })[];
}

/** Counts for each of the last hours or days, including zeros. */
export async function listMetricsOverTime(
  ctx: AppCtx,
  name: string,
  { interval, days }: { interval: keyof typeof metricsIntervals; days: number },
): Promise<MetricsPeriod[]> {
  const most = metricsIntervals[interval];
  if (days > most)
    throw badRequest(`The interval ${interval} covers at most ${most} days. Request fewer days or a longer interval.`);
  const { id } = await getDeployment(ctx, name);
  const width = interval === 'PT1H' ? HOUR : DAY;
  const now = ctx.clock.now();
  const until = now - (now % width) + width;
  const from = until - days * DAY;
  const rows = await listHours.all(ctx.db, { deploymentId: id, from, until });
  const byPeriod = Map.groupBy(rows, ({ hour }) => hour - (hour % width));
  return Array.from({ length: (until - from) / width }, (_, at) => {
    const start = from + at * width;
    const byLabel = Map.groupBy(byPeriod.get(start) ?? [], ({ label }) => label);
    const labels = [...byLabel].map(([label, some]) => {
      const sums = countNames.map((count) => [count, some.reduce((sum, row) => sum + row[count], 0)]);
      return { label, ...(Object.fromEntries(sums) as Counts) };
    });
    return { start, labels: labels.sort((a, b) => compareLabels(a.label, b.label)) };
  });
}

export async function sweepHours(ctx: Ctx): Promise<void> {
  const before = ctx.clock.now() - ctx.config.codepushMetricsDays * DAY;
  await sweep(ctx, (db, limit) => deleteHoursBefore.run(db, { before, limit }));
}
