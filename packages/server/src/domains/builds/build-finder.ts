import type { Finder } from '../../extensions/finders.ts';
import { searchNewest } from '../apps/index.ts';
import { findBuildsByTerms, sampleBuilds } from './build-finder.store.ts';

export const buildFinder: Finder = {
  async find(ctx, terms, limit) {
    const rows = await searchNewest(ctx, limit, {
      sample: (sample) => sampleBuilds(ctx.db, sample),
      find: (reader, most) => findBuildsByTerms(ctx.db, { reader, terms, limit, most }),
    });
    return rows.map(({ app_id, id, branch, commit_sha, app_name, app_display_name, owner_name }) => ({
      kind: 'build',
      id: `${app_id}/${id}`,
      title: `${app_display_name}: build ${id} of ${branch}`,
      detail: `${owner_name}/${app_name} · ${commit_sha.slice(0, 7)}`,
      path: { owner_name, app_name, build_id: String(id) },
    }));
  },
};
