import type { Finder } from '../../extensions/finders.ts';
import { searchNewest } from '../apps/index.ts';
import { findReleasesByTerms, sampleReleases } from './release-finder.store.ts';

export const releaseFinder: Finder = {
  async find(ctx, terms, limit) {
    const rows = await searchNewest(ctx, limit, {
      sample: (sample) => sampleReleases(ctx.db, sample),
      find: (reader, most) => findReleasesByTerms(ctx.db, { reader, terms, limit, most }),
    });
    return rows.map(({ app_id, id, version, short_version, app_name, app_display_name, owner_name }) => ({
      kind: 'release',
      id: `${app_id}/${id}`,
      title: `${app_display_name} ${short_version} (${version})`,
      detail: `${owner_name}/${app_name} · release ${id}`,
      path: { owner_name, app_name, release_id: String(id) },
    }));
  },
};
