import { insertInto, statement } from './releases.tables.ts';

export const findGate = statement((q, p: { appId: string }) =>
  q.selectFrom('release_gates').select('holds_failed').where('app_id', '=', p.appId),
);

export const saveGate = insertInto('release_gates', (insert, p) =>
  insert.onConflict((c) => c.column('app_id').doUpdateSet({ holds_failed: p.holds_failed })),
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
