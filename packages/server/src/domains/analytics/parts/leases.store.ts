import { statement } from '../analytics.tables.ts';

/** Taken if nobody holds it, or whoever did gave no sign of life until now. */
export const takeLease = statement((q, p: { appId: string; holder: string; now: number; until: number }) =>
  q
    .insertInto('analytics_leases')
    .values({ app_id: p.appId, holder: p.holder, until: p.until })
    .onConflict((c) =>
      c
        .column('app_id')
        .doUpdateSet({ holder: p.holder, until: p.until })
        .where((e) => e.or([e('analytics_leases.until', '<', p.now), e('analytics_leases.holder', '=', p.holder)])),
    ),
);

/** Whoever lost it changes nothing any more. */
export const renewLease = statement((q, p: { appId: string; holder: string; until: number }) =>
  q
    .updateTable('analytics_leases')
    .set({ until: p.until })
    .where('app_id', '=', p.appId)
    .where('holder', '=', p.holder),
);

export const endLease = statement((q, p: { appId: string; holder: string }) =>
  q.deleteFrom('analytics_leases').where('app_id', '=', p.appId).where('holder', '=', p.holder),
);
