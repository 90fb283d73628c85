import { type HeldReleasesTable, insertInto, statement } from './releases.tables.ts';

export const findGate = statement((q, p: { appId: string }) =>
  q.selectFrom('release_gates').select('holds_failed').where('app_id', '=', p.appId),
);

export const saveGate = insertInto('release_gates', (insert, p) =>
  insert.onConflict((c) => c.column('app_id').doUpdateSet({ holds_failed: p.holds_failed })),
);

export const saveBlockedRelease = insertInto('held_releases', (insert, p) =>
  insert.onConflict((c) =>
    c
      .columns(['app_id', 'release_id', 'type', 'destination'])
      .doUpdateSet({ is_mandatory: p.is_mandatory, is_told: p.is_told }),
  ),
);

export const listBlockedReleases = statement((q, p: { appId: string }) =>
  q
    .selectFrom('held_releases')
    .selectAll()
    .where('app_id', '=', p.appId)
    .orderBy('release_id')
    .orderBy('held_at')
    .orderBy('destination')
    .limit(1000),
);

export const deleteBlockedRelease = statement(
  (q, p: Pick<HeldReleasesTable, 'app_id' | 'release_id' | 'type' | 'destination'>) =>
    q
      .deleteFrom('held_releases')
      .where('app_id', '=', p.app_id)
      .where('release_id', '=', p.release_id)
      .where('type', '=', p.type)
      .where('destination', '=', p.destination),
);

export const findNewestBySum = statement((q, p: { appId: string; sha256: string }) =>
  q
    .selectFrom('releases')
    .select('id')
    .where('app_id', '=', p.appId)
    .where('sha256', '=', p.sha256)
    .orderBy('id', 'desc')
    .limit(1),
);
