import { insertInto, statement } from '../apps.tables.ts';

export const insertFavorite = insertInto('app_favorites', (insert) => insert.onConflict((c) => c.doNothing()));

export const deleteFavorite = statement((q, p: { userId: string; appId: string }) =>
  q.deleteFrom('app_favorites').where('user_id', '=', p.userId).where('app_id', '=', p.appId),
);

export const countFavorites = statement((q, p: { userId: string }) =>
  q
    .selectFrom('app_favorites')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', p.userId),
);
