import type { Finder, UserCtx } from '../../context.ts';
import { shownAvatar } from '../avatars/index.ts';
import { countPeople, findOrgsByWords, findPeopleByWords, walkPeople, walksFor } from './account-finders.store.ts';

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

/** From here on all people of the server are looked at in their order, instead of those of each organization. */
const MANY = 10_000;

async function findPeople(
  { db, actor: { user } }: UserCtx,
  words: readonly string[],
  limit: number,
): Promise<Awaited<ReturnType<typeof walkPeople>>> {
  const userId = user.isAdmin ? undefined : user.id;
  const wanted = { userId, words, limit };
  if (userId !== undefined) {
    const people = await countPeople.first(db, { userId, limit: MANY });
    const count = Number(people?.count);
    if (count === 0) return [];
    if (count < MANY) return findPeopleByWords(db, { ...wanted, userId });
  }
  const [beginning, ...others] = walksFor(words);
  const first = await walkPeople(db, beginning, wanted);
  if (first.length === limit) return first;
  const known = new Set(first.map(({ id }) => id));
  const rest = (await Promise.all(others.map((walk) => walkPeople(db, walk, wanted)))).flat();
  const further = rest.filter(({ id }) => !known.has(id) && known.add(id));
  const order = ({ display_name_key, id }: (typeof rest)[number]) => `${display_name_key}\n${id}`;
  return [...first, ...further.sort((a, b) => (order(a) < order(b) ? -1 : 1))].slice(0, limit);
}

const personFinder: Finder = {
  async find(ctx, words, limit) {
    const rows = await findPeople(ctx, words, limit);
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
