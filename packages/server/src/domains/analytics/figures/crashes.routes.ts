import { Analytics_CrashCounts, Analytics_CrashFreeDevicePercentages } from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { filterFrom } from '../query-range.ts';
import { countCrashes } from './crashes.ts';

export const crashRoutes = [
  route(Analytics_CrashCounts, async (ctx, { query }) => {
    const { count, crashes } = await countCrashes(ctx, query, filterFrom(query));
    return { count, crashes };
  }),
  route(Analytics_CrashFreeDevicePercentages, async (ctx, { query }) => {
    const { crashFree, crashFreeDaily } = await countCrashes(ctx, query, { version: [query.version] });
    return { average_percentage: crashFree, daily_percentages: crashFreeDaily };
  }),
];
