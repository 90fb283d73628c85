import { statement, type Tables } from '../analytics.tables.ts';

type Kind = Tables['analytics_forgotten']['kind'];
interface Saved {
  appId: string;
  kind: Kind;
  value: string;
  upTo: number;
  now: number;
  partCount: number;
}

export const saveErasure = statement((q, p: Saved) =>
  q
    .insertInto('analytics_forgotten')
    .values({
      app_id: p.appId,
      kind: p.kind,
      value: p.value,
      up_to: p.upTo,
      requested_at: p.now,
      part_count: p.partCount,
      cleaned_to: 0,
    })
    .onConflict((c) =>
      c
        .columns(['app_id', 'kind', 'value'])
        .doUpdateSet({ up_to: p.upTo, requested_at: p.now, part_count: p.partCount }),
    ),
);

export const listErasures = statement((q, p: { appId: string }) =>
  q
    .selectFrom('analytics_forgotten')
    .select(['kind', 'value', 'up_to', 'requested_at', 'part_count', 'cleaned_to'])
    .where('app_id', '=', p.appId)
    .orderBy('requested_at', 'desc')
    .orderBy('kind')
    .orderBy('value'),
);

export const listAppsWithErasures = statement((q) => q.selectFrom('analytics_forgotten').select('app_id').distinct());

/** Skipped if the same subject was erased again since. */
export const saveCleaned = statement((q, p: { appId: string; kind: Kind; value: string; upTo: number }) =>
  q
    .updateTable('analytics_forgotten')
    .set({ cleaned_to: p.upTo })
    .where('app_id', '=', p.appId)
    .where('kind', '=', p.kind)
    .where('value', '=', p.value)
    .where('up_to', '=', p.upTo),
);

/** Skipped if the same subject was erased again since. */
export const deleteErasure = statement((q, p: { appId: string; kind: Kind; value: string; upTo: number }) =>
  q
    .deleteFrom('analytics_forgotten')
    .where('app_id', '=', p.appId)
    .where('kind', '=', p.kind)
    .where('value', '=', p.value)
    .where('up_to', '=', p.upTo),
);
