import type { AppCtx, Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { defineJob, enqueue } from '../../jobs/index.ts';
import { conflict, notFound } from '../../kernel/errors.ts';
import { appSubject } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { findVerdict, linkPackageRelease } from '../packages/index.ts';
import { findReleaseRow } from './releases.store.ts';
import type { HeldReleasesTable } from './releases.tables.ts';
import { findGate, findNewestBySum, listBlockedReleases, saveBlockedRelease, saveGate } from './test-gates.store.ts';

/** Checks whether the app blocks releases whose tests failed. */
export const blocksFailed = async ({ db, app }: Pick<AppCtx, 'db' | 'app'>): Promise<boolean> =>
  (await findGate.first(db, { appId: app.id }))?.holds_failed === 1;

export const setBlocksFailed = (ctx: AppCtx, isOn: boolean): Promise<void> =>
  tx(ctx, async (ctx) => {
    const before = await blocksFailed(ctx);
    await saveGate.run(ctx.db, { app_id: ctx.app.id, holds_failed: isOn ? 1 : 0 });
    // Distributes blocked releases after the gate was turned off.
    if (!isOn) await enqueue(ctx, releasesLetGo, { appId: ctx.app.id });
    await record(ctx, 'release.set_gate', appSubject(ctx.app), {
      before: { release_gate: before },
      after: { release_gate: isOn },
    });
  });

export interface BlockedDistribution {
  type: HeldReleasesTable['type'];
  destination: string;
  isMandatory: boolean;
  notifyTesters: boolean;
}

/**
 * Blocks a release whose newest tests failed, if its app has a gate. While the tests run, stores the distribution for later and
 * returns true.
 */
export async function blockDistribution(
  ctx: AppCtx,
  release: { id: number; sha256: string },
  distribution: BlockedDistribution,
): Promise<boolean> {
  if (!(await blocksFailed(ctx))) return false;
  const verdict = await findVerdict(ctx, ctx.app.id, release);
  if (!verdict || verdict.result === 'passed') return false;
  if (verdict.result !== 'pending') {
    throw conflict(
      `This release is blocked because its tests did not pass (test run ${verdict.runId}). Rerun the tests, or turn off the release gate of the app.`,
    );
  }
  const { type, destination } = distribution;
  await saveBlockedRelease.run(ctx.db, {
    app_id: ctx.app.id,
    release_id: release.id,
    type,
    destination,
    is_mandatory: distribution.isMandatory ? 1 : 0,
    is_told: distribution.notifyTesters ? 1 : 0,
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

/** Lists blocked distributions. */
export const listWaiting = ({ db, app }: Pick<AppCtx, 'db' | 'app'>) => listBlockedReleases.all(db, { appId: app.id });

/** Checks the blocked releases of an app again. */
export const releasesLetGo = defineJob<{ appId: string }>('releases.let_go');

interface Tested {
  appId: string;
  sha256?: string;
  releaseId?: number;
}

/** Links a tested package with its release, when tests of it start. */
export async function noteTested(ctx: Ctx, { appId, sha256, releaseId }: Tested): Promise<void> {
  if (releaseId !== undefined && !(await findReleaseRow.first(ctx.db, { appId, id: releaseId }))) {
    throw notFound('release', String(releaseId));
  }
  if (sha256 === undefined || releaseId !== undefined) return;
  const found = await findNewestBySum.first(ctx.db, { appId, sha256 });
  if (found) await linkPackageRelease(ctx, appId, sha256, found.id);
}
