import type { Finder } from '../../context.ts';
import { shownAvatar } from '../avatars/index.ts';
import { findAppsByWords } from './apps.store.ts';

export const appFinder: Finder = {
  async find(ctx, words, limit) {
    const rows = await findAppsByWords(ctx.db, { userId: ctx.actor.user.id, words, limit });
    return rows.map(({ id, name, display_name, os, icon_url, owner_name }) => ({
      kind: 'app',
      id,
      title: display_name,
      detail: `${owner_name}/${name} · ${os}`,
      imageUrl: shownAvatar(ctx, icon_url ?? undefined),
      path: { owner_name, app_name: name },
    }));
  },
};
