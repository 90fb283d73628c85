import { sql } from 'kysely';
import { statement } from './analytics.tables.ts';

export const addCuts = statement((q, p: { appId: string; day: number; name: string; count: number }) =>
  q
    .insertInto('analytics_cuts')
    .values({ app_id: p.appId, day: p.day, limit_name: p.name, count: p.count })
    .onConflict((c) =>
      c
        .columns(['app_id', 'day', 'limit_name'])
        .doUpdateSet({ count: sql<number>`analytics_cuts.count + excluded.count` }),
    ),
);

export const listCuts = statement((q, p: { appId: string; since: number }) =>
  q
    .selectFrom('analytics_cuts')
    .select((e) => ['limit_name', e.fn.sum<number>('count').as('count')])
    .where('app_id', '=', p.appId)
    .where('day', '>=', p.since)
    .groupBy('limit_name'),
);

export const deleteCuts = statement((q, p: { before: number }) =>
  q.deleteFrom('analytics_cuts').where('day', '<', p.before),
);
