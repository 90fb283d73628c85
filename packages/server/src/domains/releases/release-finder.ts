import { type Finder, MAX_SEARCHED } from '../../context.ts';
import { findReleasesByWords } from './release-finder.store.ts';

export const releaseFinder: Finder = {
  async find(ctx, words, limit) {
    const rows = await findReleasesByWords(ctx.db, { userId: ctx.actor.user.id, words, limit, most: MAX_SEARCHED });
    return rows.map(({ app_id, id, version, short_version, app_name, app_display_name, owner_name }) => ({
      kind: 'release',
      id: `${app_id}/${id}`,
      title: `${app_display_name} ${short_version} (${version})`,
      detail: `${owner_name}/${app_name} · release ${id}`,
      path: { owner_name, app_name, release_id: String(id) },
    }));
  },
};
