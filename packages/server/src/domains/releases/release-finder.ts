import type { Finder } from '../../context.ts';
import { searchNewest } from '../apps/index.ts';
import { findReleasesByWords, sampleReleases } from './release-finder.store.ts';

export const releaseFinder: Finder = {
  async find(ctx, words, limit) {
    const rows = await searchNewest(ctx, limit, {
      sample: (sample) => sampleReleases(ctx.db, sample),
      find: (reader, most) => findReleasesByWords(ctx.db, { reader, words, limit, most }),
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
