import semver from 'semver';
import type { AppCtx } from '../../context.ts';
import { type Counts, listCounts } from './counts.store.ts';
import { getDeployment } from './deployments.ts';

export interface Metrics extends Counts {
  label: string;
  isBinary: boolean;
}

const numberOf = (label: string): number => Number(/^v(\d+)$/.exec(label)?.[1] ?? 0);

/** By version of a binary, and then by release, oldest first. */
export async function getMetrics(ctx: AppCtx, name: string): Promise<Metrics[]> {
  const { id } = await getDeployment(ctx, name);
  const rows = await listCounts.all(ctx.db, { deploymentId: id });
  const metrics = rows.map(({ label, active, downloaded, installed, failed }) => ({
    label,
    isBinary: numberOf(label) === 0,
    // A device may leave what it was never counted for.
    active: Math.max(0, active),
    downloaded,
    installed,
    failed,
  }));
  const binaries = metrics.filter(({ isBinary }) => isBinary).sort((a, b) => semver.compare(a.label, b.label));
  const releases = metrics.filter(({ isBinary }) => !isBinary).sort((a, b) => numberOf(a.label) - numberOf(b.label));
  return [...binaries, ...releases];
}
