import type { AppCtx } from '../../../context.ts';
import { compareVersions } from '../../../kernel/versions.ts';
import type { Dimension } from '../../../telemetry/index.ts';
import { type Asked, filterFrom, namesFrom, rangeOf, series } from '../asked.ts';
import { ask } from '../questions.ts';

/** Active devices by day, and over the 7 and 28 days that end with each. */
export async function countActiveDevices(ctx: AppCtx, asked: Asked & { app_build?: string }) {
  const range = rangeOf(ctx, asked);
  const { app_build: build } = asked;
  // NOTE: one client puts the version into app_build; taken at its word, it would see no device.
  const isBuild = build !== undefined && build !== '' && !namesFrom(asked.versions).includes(build);
  const filter = { ...filterFrom(asked), ...(isBuild ? { build: [build] } : {}) };
  const { daily, weekly, monthly } = await ask(ctx, ctx.app.id, { ask: 'activeDevices', range, filter });
  return { daily: series(range, daily), weekly: series(range, weekly), monthly: series(range, monthly) };
}

export const DEFAULT_TOP = 30;

/** Active devices by something that they say of themselves, most first. */
export function countDevicesBy(ctx: AppCtx, dimension: Dimension, asked: Asked, limit: number) {
  const range = rangeOf(ctx, asked);
  return ask(ctx, ctx.app.id, { ask: 'devicesBy', range, filter: filterFrom(asked), dimension, limit });
}

/** The same by version, in their order. */
export async function countVersions(ctx: AppCtx, asked: Asked, limit: number) {
  const { total, rows } = await countDevicesBy(ctx, 'version', asked, 0);
  const ordered = rows.toSorted((a, b) => compareVersions(a.value, b.value));
  return { total, rows: limit > 0 ? ordered.slice(0, limit) : ordered };
}
