import type { AppCtx, Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { Failure } from '../../kernel/errors.ts';
import { getAppRef } from '../apps/index.ts';
import { findVerdict } from '../packages/index.ts';
import { distributeTo } from './release-destinations.ts';
import { findReleaseRow } from './releases.store.ts';
import type { HeldReleasesTable } from './releases.tables.ts';
import { deleteBlockedRelease, listBlockedReleases } from './test-gates.store.ts';
import { blocksFailed } from './test-gates.ts';

const distribute = (ctx: AppCtx, { type, destination, ...blocked }: HeldReleasesTable): Promise<void> =>
  distributeTo(
    ctx,
    Number(blocked.release_id),
    { type, id: destination },
    { isMandatory: blocked.is_mandatory === 1, notifyTesters: blocked.is_told === 1 },
  );

async function mayGo(ctx: AppCtx, { release_id }: HeldReleasesTable): Promise<boolean> {
  if (!(await blocksFailed(ctx))) return true;
  const release = await findReleaseRow.first(ctx.db, { appId: ctx.app.id, id: Number(release_id) });
  const verdict = release && (await findVerdict(ctx, ctx.app.id, release));
  return verdict?.result === 'passed';
}

/**
 * Distributes releases whose tests have passed; releases whose tests failed stay blocked, because the tests may be run again.
 */
export async function letGo(ctx: Ctx, appId: string): Promise<void> {
  const waiting = await listBlockedReleases.all(ctx.db, { appId });
  if (waiting.length === 0) return;
  // The server acts for the user who distributed the release.
  const inApp = { ...ctx, app: await getAppRef(ctx, appId), permission: 'manager' } as AppCtx;
  for (const blocked of waiting) {
    if (!(await mayGo(inApp, blocked))) continue;
    try {
      await tx(inApp, async (ctx) => {
        // Of two concurrent runs, only one distributes it.
        if ((await deleteBlockedRelease.run(ctx.db, blocked)) > 0) await distribute(ctx, blocked);
      });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      // The destination no longer exists, or the release is disabled: the distribution is dropped.
      ctx.log.info(
        { appId, release: blocked.release_id, reason: error.message },
        'a blocked release was not distributed',
      );
      await tx(ctx, ({ db }) => deleteBlockedRelease.run(db, blocked));
    }
  }
}
