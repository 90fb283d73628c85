import {
  Analytics_DeviceCounts,
  Analytics_LanguageCounts,
  Analytics_ModelCounts,
  Analytics_OperatingSystemCounts,
  Analytics_PlaceCounts,
  Analytics_Versions,
} from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { countActiveDevices, countDevicesBy, countVersions, DEFAULT_TOP } from './devices.ts';

interface Row {
  value: string;
  count: number;
  previous: number;
}

/** Rows with the value under the name that the operation uses. */
const named = <const N extends string>(rows: readonly Row[], name: N) =>
  rows.map(({ value, count, previous }) => ({ ...nameValue(name, value), count, previous_count: previous }));

const nameValue = <const N extends string>(name: N, value: string) => ({ [name]: value }) as Record<N, string>;

export const deviceRoutes = [
  route(Analytics_DeviceCounts, (ctx, { query }) => countActiveDevices(ctx, query)),
  route(Analytics_Versions, async (ctx, { query }) => {
    const { total, rows } = await countVersions(ctx, query, query.$top ?? DEFAULT_TOP);
    return { total, versions: named(rows, 'version') };
  }),
  route(Analytics_ModelCounts, async (ctx, { query }) => {
    const { total, rows } = await countDevicesBy(ctx, 'model', query, query.$top ?? DEFAULT_TOP);
    return { total, models: named(rows, 'model_name') };
  }),
  route(Analytics_OperatingSystemCounts, async (ctx, { query }) => {
    const { total, rows } = await countDevicesBy(ctx, 'os', query, query.$top ?? DEFAULT_TOP);
    return { total, oses: named(rows, 'os_name') };
  }),
  route(Analytics_LanguageCounts, async (ctx, { query }) => {
    const { total, rows } = await countDevicesBy(ctx, 'language', query, query.$top ?? DEFAULT_TOP);
    return { total, languages: named(rows, 'language_name') };
  }),
  route(Analytics_PlaceCounts, async (ctx, { query }) => {
    const { total, rows } = await countDevicesBy(ctx, 'country', query, query.$top ?? DEFAULT_TOP);
    return { total, places: named(rows, 'code') };
  }),
];
