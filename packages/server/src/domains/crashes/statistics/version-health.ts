import { STORY_MIN_DEVICES } from '@mooring/contract';
import type { AppCtx } from '../../../context.ts';
import { compareVersions } from '../../../kernel/versions.ts';
import { toDay } from '../../../telemetry/index.ts';
import { queryTelemetry } from '../../analytics/index.ts';
import { listStableVersions } from './overview.ts';

/** Devices with a version and build, and how many of them had a crash. */
export interface VersionHealth {
  version: string;
  app_build: string;
  devices: number;
  crashed_devices: number;
  crash_free_devices: number;
}

export interface HealthVerdict {
  outcome: 'healthier' | 'as_healthy' | 'less_healthy' | 'unknown';
  points?: number;
  previous?: VersionHealth;
}

/** Two-sided, at a confidence of 95%. */
const SIGNIFICANT = 1.96;

/** How many standard errors the crash-free shares of two versions differ. */
function standardErrors(a: VersionHealth, b: VersionHealth): number {
  const pooled = (a.crashed_devices + b.crashed_devices) / (a.devices + b.devices);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / a.devices + 1 / b.devices));
  const difference = b.crashed_devices / b.devices - a.crashed_devices / a.devices;
  return error === 0 ? 0 : difference / error;
}

/** Compares a version with the newest earlier one that has enough devices. */
export function judgeVersion(current: VersionHealth | undefined, all: readonly VersionHealth[]): HealthVerdict {
  if (!current) return { outcome: 'unknown' };
  const [previous] = all
    .filter(({ version, devices }) => devices >= STORY_MIN_DEVICES && compareVersions(version, current.version) < 0)
    // Of the builds of one version, the one on most devices.
    .sort((a, b) => compareVersions(b.version, a.version) || b.devices - a.devices);
  if (!previous || current.devices < STORY_MIN_DEVICES) return { outcome: 'unknown', ...(previous && { previous }) };
  const points = Math.round((current.crash_free_devices - previous.crash_free_devices) * 10) / 10;
  const errors = standardErrors(current, previous);
  const outcome = errors >= SIGNIFICANT ? 'healthier' : errors <= -SIGNIFICANT ? 'less_healthy' : 'as_healthy';
  return { outcome, points, previous };
}

/** Adoption and stability of a version in the last days, with the verdict against the previous version. */
export async function describeVersionHealth(
  ctx: AppCtx,
  { version, build, days }: { version: string; build: string; days: number },
) {
  const today = toDay(ctx.clock.now());
  const range = { from: today - days + 1, to: today };
  const [versions, { total }] = await Promise.all([
    listStableVersions(ctx, range),
    queryTelemetry(ctx, ctx.app.id, { kind: 'crashes', range, filter: {} }),
  ]);
  const current = versions.find((one) => one.version === version && one.app_build === build);
  return { current, allDevices: total.activeDevices, verdict: judgeVersion(current, versions) };
}
