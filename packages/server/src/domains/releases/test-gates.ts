import type { AppCtx, Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { defineJob, enqueue } from '../../jobs/index.ts';
import { conflict, notFound } from '../../kernel/errors.ts';
import { appSubject } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { findVerdict, noteReleaseOfPackage } from '../runners/index.ts';
import { findReleaseRow } from './releases.store.ts';
import type { HeldReleasesTable } from './releases.tables.ts';
import { findGate, findNewestBySum, listHeld, saveGate, saveHeld } from './test-gates.store.ts';

/** Whether what failed its tests is held back. */
export const holdsFailed = async ({ db, app }: Pick<AppCtx, 'db' | 'app'>): Promise<boolean> =>
  (await findGate.first(db, { appId: app.id }))?.holds_failed === 1;

export const setHoldsFailed = (ctx: AppCtx, isOn: boolean): Promise<void> =>
  tx(ctx, async (ctx) => {
    const before = await holdsFailed(ctx);
    await saveGate.run(ctx.db, { app_id: ctx.app.id, holds_failed: isOn ? 1 : 0 });
    // What waited for its tests does so no more.
    if (!isOn) await enqueue(ctx, releasesLetGo, { appId: ctx.app.id });
    await record(ctx, 'release.set_gate', appSubject(ctx.app), {
      before: { hold_failed: before },
      after: { hold_failed: isOn },
    });
  });

export interface Held {
  type: HeldReleasesTable['type'];
  destination: string;
  isMandatory: boolean;
  isTold: boolean;
}

/**
 * A release whose newest tests failed goes nowhere, if its app says so. While they run it waits: says whether it does, and then
 * it is given when they have passed.
 */
export async function isHeld(ctx: AppCtx, release: { id: number; sha256: string }, held: Held): Promise<boolean> {
  if (!(await holdsFailed(ctx))) return false;
  const verdict = await findVerdict(ctx, ctx.app.id, release);
  if (!verdict || verdict.result === 'passed') return false;
  if (verdict.result !== 'pending') {
    throw conflict(
      `This release is held back, because its tests did not pass (test run ${verdict.runId}). Run them again, or let the app release it anyway: its setting hold_failed.`,
    );
  }
  const { type, destination } = held;
  await saveHeld.run(ctx.db, {
    app_id: ctx.app.id,
    release_id: release.id,
    type,
    destination,
    is_mandatory: held.isMandatory ? 1 : 0,
    is_told: held.isTold ? 1 : 0,
    held_at: ctx.clock.now(),
  });
  const { ownerName, name, id, ownerId } = ctx.app;
  const subject = { id: String(release.id), name: `${ownerName}/${name} ${release.id}`, appId: id, orgId: ownerId };
  await record(
    ctx,
    'release.hold',
    { kind: 'release', ...subject },
    { after: { [type]: destination, test_run: verdict.runId } },
  );
  return true;
}

/** What waits for its tests. */
export const listWaiting = ({ db, app }: Pick<AppCtx, 'db' | 'app'>) => listHeld.all(db, { appId: app.id });

/** Looks through what waits in an app: something there may have changed for the better. */
export const releasesLetGo = defineJob<{ appId: string }>('releases.let_go');

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
