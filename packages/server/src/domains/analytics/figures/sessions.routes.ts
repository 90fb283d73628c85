import {
  Analytics_PerDeviceCounts,
  Analytics_SessionCounts,
  Analytics_SessionDurationsDistribution,
} from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { countSessions, countSessionsPerDevice, measureSessions } from './sessions.ts';

export const sessionRoutes = [
  route(Analytics_SessionCounts, (ctx, { query }) => countSessions(ctx, query, query.interval)),
  route(Analytics_PerDeviceCounts, async (ctx, { query }) => {
    const { now, previous, buckets } = await countSessionsPerDevice(ctx, query, query.interval);
    return {
      average_sessions_per_user: now.average,
      previous_average_sessions_per_user: previous.average,
      total_count: now.total,
      previous_total_count: previous.total,
      sessions_per_user: buckets,
    };
  }),
  route(Analytics_SessionDurationsDistribution, async (ctx, { query }) => {
    const { distribution, average, previousAverage } = await measureSessions(ctx, query);
    return { distribution, average_duration: average, previous_average_duration: previousAverage };
  }),
];
