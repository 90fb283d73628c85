import type { Finder } from '../../extensions/finders.ts';
import { shownAvatar } from '../avatars/index.ts';
import { findAppById, findAppsByTerms } from './apps.store.ts';

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const appFinder: Finder = {
  async find(ctx, terms, limit) {
    const userId = ctx.actor.user.id;
    const [id = ''] = terms;
    const byId = terms.length === 1 && ID.test(id) ? await findAppById.all(ctx.db, { userId, id }) : [];
    const rows = byId.length > 0 ? byId : await findAppsByTerms(ctx.db, { userId, terms, limit });
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
