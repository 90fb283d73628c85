import { type Finder, MAX_SEARCHED } from '../../context.ts';
import { findBuildsByWords } from './build-finder.store.ts';

export const buildFinder: Finder = {
  async find(ctx, words, limit) {
    const rows = await findBuildsByWords(ctx.db, { userId: ctx.actor.user.id, words, limit, most: MAX_SEARCHED });
    return rows.map(({ app_id, id, branch, commit_sha, app_name, app_display_name, owner_name }) => ({
      kind: 'build',
      id: `${app_id}/${id}`,
      title: `${app_display_name}: build ${id} of ${branch}`,
      detail: `${owner_name}/${app_name} · ${commit_sha.slice(0, 7)}`,
      path: { owner_name, app_name, build_id: String(id) },
    }));
  },
};
