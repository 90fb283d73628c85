import type { Finder } from '../../context.ts';
import { shownAvatar } from '../avatars/index.ts';
import { findOrgsByWords, findPeopleByWords, findUsersByWords } from './account-finders.store.ts';

const orgFinder: Finder = {
  async find(ctx, words, limit) {
    const rows = await findOrgsByWords(ctx.db, { userId: ctx.actor.user.id, words, limit });
    return rows.map(({ id, name, display_name, avatar_url }) => ({
      kind: 'organization',
      id,
      title: display_name,
      detail: name,
      imageUrl: shownAvatar(ctx, avatar_url ?? undefined),
      path: { org_name: name },
    }));
  },
};

const personFinder: Finder = {
  async find(ctx, words, limit) {
    const { id: userId, isAdmin } = ctx.actor.user;
    const wanted = { userId, words, limit };
    const rows = await (isAdmin ? findUsersByWords(ctx.db, wanted) : findPeopleByWords(ctx.db, wanted));
    return rows.map(({ id, name, display_name, email, avatar_url, org_name }) => ({
      kind: 'person',
      id,
      title: display_name,
      detail: email,
      imageUrl: avatar_url ?? undefined,
      path: { user_name: name, ...(org_name === null ? {} : { org_name }) },
    }));
  },
};

export const accountFinders = [orgFinder, personFinder];
