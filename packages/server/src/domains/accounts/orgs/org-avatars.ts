import type { OrgCtx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { record } from '../../audit/index.ts';
import { claimAvatar, discardAvatar, type ImageFile, storeAvatar } from '../../avatars/index.ts';
import { updateOwner } from '../users/users.store.ts';
import { lockOrgAvatar } from './orgs.store.ts';
import { getOrg, type Org } from './orgs.ts';

export async function setOrgAvatar(ctx: OrgCtx, file: ImageFile): Promise<Org> {
  const stored = await storeAvatar(ctx, file);
  return tx(ctx, async (ctx) => {
    await claimAvatar(ctx, stored);
    return replaceAvatar(ctx, 'org.set_avatar', stored.path);
  });
}

export const deleteOrgAvatar = (ctx: OrgCtx): Promise<Org> =>
  tx(ctx, (ctx) => replaceAvatar(ctx, 'org.delete_avatar', undefined));

async function replaceAvatar(
  ctx: OrgCtx,
  action: 'org.set_avatar' | 'org.delete_avatar',
  path: string | undefined,
): Promise<Org> {
  const { id, name } = ctx.org;
  const before = (await lockOrgAvatar.first(ctx.db, { id }))?.avatar_url ?? undefined;
  if (path !== before) {
    await updateOwner.run(ctx.db, { id, avatar_url: path ?? null, updated_at: ctx.clock.now() });
    await discardAvatar(ctx, before);
    const changes = { before: { avatar_url: before }, after: { avatar_url: path } };
    await record(ctx, action, { kind: 'org', id, name, orgId: id }, changes);
  }
  return getOrg(ctx);
}
