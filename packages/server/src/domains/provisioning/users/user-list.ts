import { setImmediate } from 'node:timers/promises';
import type { DirectoryCtx } from '../directory.scope.ts';
import { countUsers } from '../org-domains.store.ts';
import { parseFilter, type ScimFilter } from '../protocol/filter.ts';
import { matches, requiredText } from '../protocol/matches.ts';
import { exactPaths } from '../protocol/schemas.ts';
import type { ListPage, ListRange } from '../resources.ts';
import { findUser, findUserByName, findUsersByExternalId, listUsersAfter, pageUsers } from './scim-users.store.ts';
import { type ScimUser, toScimUser, type UserRow } from './scim-users.ts';

const BATCH = 500;
/** Several users may have one external ID, but no directory has many. */
const MAX_SAME = 200;

const toFiltered = ({ id, attributes, createdAt, updatedAt }: ScimUser) => ({
  ...attributes,
  id,
  meta: { created: new Date(createdAt).toISOString(), lastModified: new Date(updatedAt).toISOString() },
});

/** Rows that an index finds for a filter; undefined if all must be read. */
async function findByIndex(ctx: DirectoryCtx, filter: ScimFilter): Promise<UserRow[] | undefined> {
  const orgId = ctx.org.id;
  const one = (row: UserRow | undefined) => (row ? [row] : []);
  const id = requiredText(filter, 'id');
  if (id !== undefined) return one(await findUser.first(ctx.db, { orgId, id }));
  const userName = requiredText(filter, 'username');
  if (userName !== undefined) return one(await findUserByName.first(ctx.db, { orgId, key: userName.toLowerCase() }));
  const externalId = requiredText(filter, 'externalid');
  if (externalId === undefined) return undefined;
  return findUsersByExternalId.all(ctx.db, { orgId, externalId, limit: MAX_SAME });
}

async function* readAll(ctx: DirectoryCtx): AsyncGenerator<UserRow[]> {
  for (let after = ''; ; ) {
    const rows = await listUsersAfter.all(ctx.db, { orgId: ctx.org.id, after, limit: BATCH });
    yield rows;
    const last = rows.at(-1);
    if (rows.length < BATCH || !last) return;
    after = last.user_id;
    // Other requests run between batches.
    await setImmediate();
  }
}

async function* readMatching(ctx: DirectoryCtx, filter: ScimFilter): AsyncGenerator<ScimUser[]> {
  const found = await findByIndex(ctx, filter);
  const batches = found ? [found] : readAll(ctx);
  for await (const rows of batches) {
    yield rows.map(toScimUser).filter((user) => matches(toFiltered(user), filter, exactPaths));
  }
}

export async function listUsers(
  ctx: DirectoryCtx,
  text: string | undefined,
  { offset, limit }: ListRange,
): Promise<ListPage<ScimUser>> {
  if (text === undefined) {
    const total = (await countUsers.first(ctx.db, { orgId: ctx.org.id }))?.count ?? 0;
    const rows = limit === 0 ? [] : await pageUsers.all(ctx.db, { orgId: ctx.org.id, offset, limit });
    return { total, values: rows.map(toScimUser) };
  }
  const values: ScimUser[] = [];
  let total = 0;
  for await (const users of readMatching(ctx, parseFilter(text))) {
    const skipped = Math.max(0, offset - total);
    values.push(...users.slice(skipped, skipped + limit - values.length));
    total += users.length;
  }
  return { total, values };
}
