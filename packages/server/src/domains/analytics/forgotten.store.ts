import { statement, type Tables } from './analytics.tables.ts';

type Kind = Tables['analytics_forgotten']['kind'];

export const saveForgotten = statement((q, p: { appId: string; kind: Kind; value: string; upTo: number }) =>
  q
    .insertInto('analytics_forgotten')
    .values({ app_id: p.appId, kind: p.kind, value: p.value, up_to: p.upTo })
    .onConflict((c) => c.columns(['app_id', 'kind', 'value']).doUpdateSet({ up_to: p.upTo })),
);

export const findLastBatch = statement((q, p: { appId: string }) =>
  q.selectFrom('ingest_apps').select(['last_number', 'last_received_at']).where('app_id', '=', p.appId),
);

export const listForgotten = statement((q, p: { appId: string }) =>
  q.selectFrom('analytics_forgotten').select(['kind', 'value', 'up_to']).where('app_id', '=', p.appId),
);

/** Those of which no batch is left. */
export const deleteForgotten = statement((q, p: { appId: string }) =>
  q
    .deleteFrom('analytics_forgotten')
    .where('app_id', '=', p.appId)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('ingest_batches')
            .select('number')
            .where('ingest_batches.app_id', '=', p.appId)
            .whereRef('ingest_batches.number', '<=', 'analytics_forgotten.up_to'),
        ),
      ),
    ),
);
