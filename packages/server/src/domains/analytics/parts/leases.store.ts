import { statement } from '../analytics.tables.ts';

/** Succeeds if the lease is free or has expired. */
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

/** No effect for a holder that has lost the lease. */
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
