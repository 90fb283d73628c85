import { statement } from '../analytics.tables.ts';

export const findRetention = statement((q, p: { appId: string }) =>
  q.selectFrom('analytics_retention').select('days').where('app_id', '=', p.appId),
);

export const saveRetention = statement((q, p: { appId: string; days: number }) =>
  q
    .insertInto('analytics_retention')
    .values({ app_id: p.appId, days: p.days })
    .onConflict((c) => c.column('app_id').doUpdateSet({ days: p.days })),
);

export const deleteRetention = statement((q, p: { appId: string }) =>
  q.deleteFrom('analytics_retention').where('app_id', '=', p.appId),
);
