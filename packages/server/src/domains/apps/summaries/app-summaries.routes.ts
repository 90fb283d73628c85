import { apps_listGlances, userApps_listSummaries } from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { toIso } from '../../../kernel/clock.ts';
import { listAppSummaries, summarizeApps } from './app-summaries.ts';

export const appSummaryRoutes = [
  route(userApps_listSummaries, async (ctx, { query }) => ({ values: await summarizeApps(ctx, query.ids.split(',')) })),
  route(apps_listGlances, async (ctx) => ({
    values: (await listAppSummaries(ctx)).map(({ displayName, iconUrl, updatedAt, ...rest }) => ({
      ...rest,
      display_name: displayName,
      icon_url: iconUrl,
      updated_at: toIso(updatedAt),
    })),
  })),
];
