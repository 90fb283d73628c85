import type { AppCtx, Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { conflict, notFound } from '../../kernel/errors.ts';
import { appSubject } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { findVerdict, noteReleaseOfPackage } from '../runners/index.ts';
import { findReleaseRow } from './releases.store.ts';
import { findGate, findNewestBySum, saveGate } from './test-gates.store.ts';

/** Whether what failed its tests is held back. */
export const holdsFailed = async ({ db, app }: Pick<AppCtx, 'db' | 'app'>): Promise<boolean> =>
  (await findGate.first(db, { appId: app.id }))?.holds_failed === 1;

export const setHoldsFailed = (ctx: AppCtx, isHeld: boolean): Promise<void> =>
  tx(ctx, async (ctx) => {
    const before = await holdsFailed(ctx);
    await saveGate.run(ctx.db, { app_id: ctx.app.id, holds_failed: isHeld ? 1 : 0 });
    await record(ctx, 'release.set_gate', appSubject(ctx.app), {
      before: { hold_failed: before },
      after: { hold_failed: isHeld },
    });
  });

/** A release whose newest tests failed, or still run, goes nowhere, if its app says so. */
export async function refuseWhileRed(ctx: AppCtx, release: { id: number; sha256: string }): Promise<void> {
  if (!(await holdsFailed(ctx))) return;
  const verdict = await findVerdict(ctx, ctx.app.id, release);
  if (!verdict || verdict.result === 'passed') return;
  const why = verdict.result === 'pending' ? 'its tests still run' : 'its tests did not pass';
  throw conflict(
    `This release is held back, because ${why} (test run ${verdict.runId}). Run them again, or let the app release it anyway: its setting hold_failed.`,
  );
}

interface Tested {
  appId: string;
  sha256?: string;
  releaseId?: number;
}

/** Tests of a package begin: if it is that of a release, both lead to each other from now on. */
export async function noteTested(ctx: Ctx, { appId, sha256, releaseId }: Tested): Promise<void> {
  if (releaseId !== undefined && !(await findReleaseRow.first(ctx.db, { appId, id: releaseId }))) {
    throw notFound('release', String(releaseId));
  }
  if (sha256 === undefined || releaseId !== undefined) return;
  const found = await findNewestBySum.first(ctx.db, { appId, sha256 });
  if (found) await noteReleaseOfPackage(ctx, appId, sha256, found.id);
}
