import type { AppCtx, Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { Failure } from '../../kernel/errors.ts';
import { getAppRef } from '../apps/index.ts';
import { findVerdict } from '../runners/index.ts';
import { giveTo } from './release-destinations.ts';
import { findReleaseRow } from './releases.store.ts';
import type { HeldReleasesTable } from './releases.tables.ts';
import { deleteHeld, listHeld } from './test-gates.store.ts';
import { holdsFailed } from './test-gates.ts';

const give = (ctx: AppCtx, { type, destination, ...held }: HeldReleasesTable): Promise<void> =>
  giveTo(
    ctx,
    Number(held.release_id),
    { type, id: destination },
    { isMandatory: held.is_mandatory === 1, isTold: held.is_told === 1 },
  );

async function mayGo(ctx: AppCtx, { release_id }: HeldReleasesTable): Promise<boolean> {
  if (!(await holdsFailed(ctx))) return true;
  const release = await findReleaseRow.first(ctx.db, { appId: ctx.app.id, id: Number(release_id) });
  const verdict = release && (await findVerdict(ctx, ctx.app.id, release));
  return verdict?.result === 'passed';
}

/** Gives away what waited for tests that have passed; what failed goes on waiting, as they may be run again. */
export async function letGo(ctx: Ctx, appId: string): Promise<void> {
  const waiting = await listHeld.all(ctx.db, { appId });
  if (waiting.length === 0) return;
  // The server itself does what somebody asked for when they gave it away.
  const inApp = { ...ctx, app: await getAppRef(ctx, appId), permission: 'manager' } as AppCtx;
  for (const held of waiting) {
    if (!(await mayGo(inApp, held))) continue;
    try {
      await tx(inApp, async (ctx) => {
        // Two that look at once give it once.
        if ((await deleteHeld.run(ctx.db, held)) > 0) await give(ctx, held);
      });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      // Whom it was for is gone meanwhile, or it is disabled: nobody waits for it any more.
      ctx.log.info({ appId, release: held.release_id, reason: error.message }, 'a release that waited was not given');
      await tx(ctx, ({ db }) => deleteHeld.run(db, held));
    }
  }
}
