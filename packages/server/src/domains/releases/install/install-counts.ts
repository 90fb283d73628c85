import type { AppCtx, Ctx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { findAppGrant } from '../../apps/index.ts';
import { findReleaseForTester } from '../releases.store.ts';
import { countInstallers, countInstalls, findPublicRelease } from './install-counts.store.ts';
import { addInstalls, type InstallRow } from './install-rows.ts';

/** An installation that an install page reports. */
export interface NotedInstall {
  releaseId: number;
  groupId: string;
  /** Chosen by the page for a visitor without an account. */
  visitor: string;
}

/** Counts installs that the caller may make; others are ignored, so the response reveals nothing. */
export async function noteInstalls(ctx: Ctx, owner: string, app: string, installs: readonly NotedInstall[]) {
  const userId = ctx.actor.kind === 'user' ? ctx.actor.user.id : undefined;
  const grant = ctx.actor.kind === 'user' ? await findAppGrant(ctx, ctx.actor, owner, app) : undefined;
  const appId = grant?.app.id;
  const isTheirs = async ({ db }: Pick<Ctx, 'db'>, id: number): Promise<boolean> =>
    appId !== undefined && userId !== undefined && !!(await findReleaseForTester.first(db, { appId, userId, id }));
  await tx(ctx, async (ctx) => {
    const rows: InstallRow[] = [];
    for (const { releaseId, groupId, visitor } of installs) {
      const where = { ownerKey: owner.toLowerCase(), appKey: app.toLowerCase(), groupId, releaseId };
      const open = (await findPublicRelease.first(ctx.db, where))?.id;
      const counted = open ?? ((await isTheirs(ctx, releaseId)) ? appId : undefined);
      if (counted === undefined) continue;
      const row = { app_id: counted, release_id: releaseId, group_id: groupId };
      const address = ctx.origin?.address ?? '';
      rows.push({ ...row, address, installer: userId ?? visitor, isUser: userId !== undefined });
    }
    await addInstalls(ctx, rows);
  });
}

export interface CountQuery {
  release: string;
  groupId: string | undefined;
}

export async function countReleases(ctx: AppCtx, queries: readonly CountQuery[]) {
  const rows = await countInstalls.all(ctx.db, { appId: ctx.app.id });
  return Promise.all(
    queries.map(async ({ release, groupId }) => {
      const releaseId = Number(release);
      const found = rows.filter(
        ({ release_id, group_id }) => release_id === releaseId && (groupId === undefined || group_id === groupId),
      );
      const total = found.reduce((sum, row) => sum + Number(row.total), 0);
      if (groupId !== undefined || found.length < 2)
        return { release, groupId, total, unique: Number(found[0]?.unique ?? 0) };
      const unique = await countInstallers.first(ctx.db, { appId: ctx.app.id, releaseId });
      return { release, groupId, total, unique: Number(unique?.unique ?? 0) };
    }),
  );
}
