import type { AppCtx } from '../../../context.ts';
import { compareVersions } from '../../../kernel/versions.ts';
import type { Dimension } from '../../../telemetry/index.ts';
import { filterFrom, namesFrom, parseDayRange, type QueryRange, series } from '../query-range.ts';
import { queryTelemetry } from '../telemetry-queries.ts';

/** Active devices by day, and over the 7 and 28 days that end with each day. */
export async function countActiveDevices(ctx: AppCtx, params: QueryRange & { app_build?: string }) {
  const range = parseDayRange(ctx, params);
  const { app_build: build } = params;
  // One client sends the version as app_build; filtering by it would match no device.
  const isBuild = build !== undefined && build !== '' && !namesFrom(params.versions).includes(build);
  const filter = { ...filterFrom(params), ...(isBuild ? { build: [build] } : {}) };
  const { daily, weekly, monthly } = await queryTelemetry(ctx, ctx.app.id, { kind: 'activeDevices', range, filter });
  return { daily: series(range, daily), weekly: series(range, weekly), monthly: series(range, monthly) };
}

export const DEFAULT_TOP = 30;

/** Active devices by a dimension, highest count first. */
export function countDevicesBy(ctx: AppCtx, dimension: Dimension, params: QueryRange, limit: number) {
  const range = parseDayRange(ctx, params);
  return queryTelemetry(ctx, ctx.app.id, { kind: 'devicesBy', range, filter: filterFrom(params), dimension, limit });
}

/** Active devices by version, in the order of versions. */
export async function countVersions(ctx: AppCtx, params: QueryRange, limit: number) {
  const { total, rows } = await countDevicesBy(ctx, 'version', params, 0);
  const ordered = rows.toSorted((a, b) => compareVersions(a.value, b.value));
  return { total, rows: limit > 0 ? ordered.slice(0, limit) : ordered };
}
