import { statement } from './analytics.tables.ts';

export const saveForgotten = statement((q, p: { appId: string; name: string; upTo: number }) =>
  q
    .insertInto('analytics_forgotten_events')
    .values({ app_id: p.appId, name: p.name, up_to: p.upTo })
    .onConflict((c) => c.columns(['app_id', 'name']).doUpdateSet({ up_to: p.upTo })),
);

export const findLastBatch = statement((q, p: { appId: string }) =>
  q.selectFrom('ingest_apps').select('last_number').where('app_id', '=', p.appId),
);

export const listForgotten = statement((q, p: { appId: string }) =>
  q.selectFrom('analytics_forgotten_events').select(['name', 'up_to']).where('app_id', '=', p.appId),
);

export const deleteForgotten = statement((q, p: { appId: string; passed: number }) =>
  q.deleteFrom('analytics_forgotten_events').where('app_id', '=', p.appId).where('up_to', '<=', p.passed),
);
