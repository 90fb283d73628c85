import type { UserCtx } from '../../context.ts';
import type { Finder } from '../../extensions/finders.ts';
import { shownAvatar } from '../avatars/index.ts';
import { countPeople, findOrgsByTerms, findPeopleByTerms, walkPeople, walksFor } from './account-finders.store.ts';

const orgFinder: Finder = {
  async find(ctx, terms, limit) {
    const rows = await findOrgsByTerms(ctx.db, { userId: ctx.actor.user.id, terms, limit });
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

/** Beyond this number it is faster to scan all people of the server in order than those of each organization. */
const MANY = 10_000;

async function findPeople(
  { db, actor: { user } }: UserCtx,
  terms: readonly string[],
  limit: number,
): Promise<Awaited<ReturnType<typeof walkPeople>>> {
  const userId = user.isAdmin ? undefined : user.id;
  const params = { userId, terms, limit };
  if (userId !== undefined) {
    const people = await countPeople.first(db, { userId, limit: MANY });
    const count = Number(people?.count);
    if (count === 0) return [];
    if (count < MANY) return findPeopleByTerms(db, { ...params, userId });
  }
  const [beginning, ...others] = walksFor(terms);
  const first = await walkPeople(db, beginning, params);
  if (first.length === limit) return first;
  const seenIds = new Set(first.map(({ id }) => id));
  const rest = (await Promise.all(others.map((walk) => walkPeople(db, walk, params)))).flat();
  const further = rest.filter(({ id }) => !seenIds.has(id) && seenIds.add(id));
  const order = ({ display_name_key, id }: (typeof rest)[number]) => `${display_name_key}\n${id}`;
  return [...first, ...further.sort((a, b) => (order(a) < order(b) ? -1 : 1))].slice(0, limit);
}

const personFinder: Finder = {
  async find(ctx, terms, limit) {
    const rows = await findPeople(ctx, terms, limit);
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
