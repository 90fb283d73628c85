import type { AppCtx, Ctx, OrgCtx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { DAY } from '../../../kernel/clock.ts';
import { type AppRef, getAppRef } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import { lockReleaseRow } from '../releases.store.ts';
import type { ReleaseRetentionTable } from '../releases.tables.ts';
import { type GivenRelease, listAllReleases, removeRelease } from '../releases.ts';
import { deleteOrphanRules, findRule, listRuledApps, listUnruledApps, saveRule } from './retention.store.ts';

/** Which releases stay. */
export interface RetentionRule {
  keepLast: number | undefined;
  keepDays: number | undefined;
  /** What is the latest of a group, or in a store, stays anyway. */
  keepLatest: boolean;
}

export interface EffectiveRule extends RetentionRule {
  source: 'app' | 'organization' | 'none';
}

const toRule = (row: ReleaseRetentionTable): RetentionRule => ({
  keepLast: row.keep_last ?? undefined,
  keepDays: row.keep_days ?? undefined,
  keepLatest: row.keep_latest === 1,
});

async function ruleOf({ db }: Pick<Ctx, 'db'>, appId: string | undefined, ownerId: string): Promise<EffectiveRule> {
  const own = appId === undefined ? undefined : await findRule.first(db, { id: appId });
  if (own) return { ...toRule(own), source: 'app' };
  const shared = await findRule.first(db, { id: ownerId });
  if (shared) return { ...toRule(shared), source: 'organization' };
  return { keepLast: undefined, keepDays: undefined, keepLatest: true, source: 'none' };
}

export const getAppRule = (ctx: AppCtx): Promise<EffectiveRule> => ruleOf(ctx, ctx.app.id, ctx.app.ownerId);
export const getOrgRule = (ctx: OrgCtx): Promise<EffectiveRule> => ruleOf(ctx, undefined, ctx.org.id);

const rowOf = (id: string, { keepLast, keepDays, keepLatest }: RetentionRule): ReleaseRetentionTable => ({
  id,
  keep_last: keepLast ?? null,
  keep_days: keepDays ?? null,
  keep_latest: keepLatest ? 1 : 0,
});

const told = ({ keepLast, keepDays, keepLatest }: RetentionRule) => ({
  keep_last: keepLast,
  keep_days: keepDays,
  keep_latest: keepLatest,
});

export const setAppRule = (ctx: AppCtx, rule: RetentionRule): Promise<EffectiveRule> =>
  tx(ctx, async (ctx) => {
    const { app } = ctx;
    const before = await getAppRule(ctx);
    await saveRule.run(ctx.db, rowOf(app.id, rule));
    const subject = {
      kind: 'release',
      id: app.id,
      name: `${app.ownerName}/${app.name}`,
      appId: app.id,
      orgId: app.ownerId,
    } as const;
    await record(ctx, 'release.set_retention', subject, { before: told(before), after: told(rule) });
    return getAppRule(ctx);
  });

export const setOrgRule = (ctx: OrgCtx, rule: RetentionRule): Promise<EffectiveRule> =>
  tx(ctx, async (ctx) => {
    const { org } = ctx;
    const before = await getOrgRule(ctx);
    await saveRule.run(ctx.db, rowOf(org.id, rule));
    const subject = { kind: 'release', id: org.id, name: org.name, orgId: org.id } as const;
    await record(ctx, 'release.set_retention', subject, { before: told(before), after: told(rule) });
    return getOrgRule(ctx);
  });

type InApp = Ctx & { app: AppRef };

/** Releases that no part of a rule holds, the newest first. */
export async function listSuperfluous(ctx: InApp, rule: RetentionRule): Promise<GivenRelease[]> {
  const { keepLast, keepDays, keepLatest } = rule;
  if (keepLast === undefined && keepDays === undefined) return [];
  const since = keepDays === undefined ? Number.POSITIVE_INFINITY : ctx.clock.now() - keepDays * DAY;
  const releases = await listAllReleases(ctx);
  return releases
    .slice(keepLast ?? 0)
    .filter(({ uploadedAt }) => uploadedAt < since)
    .filter(({ destinations }) => !(keepLatest && destinations.some(({ isLatest }) => isLatest)));
}

/** What a rule of an organization would let go, of each app that has none of its own. */
export async function previewOrgRule(ctx: OrgCtx, rule: RetentionRule) {
  const found: { name: string; releases: GivenRelease[] }[] = [];
  for (const { id, name } of await listUnruledApps.all(ctx.db, { ownerId: ctx.org.id })) {
    const releases = await listSuperfluous({ ...ctx, app: await getAppRef(ctx, id) }, rule);
    if (releases.length > 0) found.push({ name, releases });
  }
  return found;
}

/** What each rule lets go. Every release is looked at again in its own transaction, in which it goes. */
export async function applyRetention(ctx: Ctx): Promise<void> {
  for (const { id, owner_id } of await listRuledApps.all(ctx.db)) {
    const app = await getAppRef(ctx, id);
    const superfluous = await listSuperfluous({ ...ctx, app }, await ruleOf(ctx, id, owner_id));
    for (const { id: releaseId } of superfluous) {
      await tx(ctx, async (ctx) => {
        const inApp = { ...ctx, app };
        // Who is just giving it to a group makes it the latest of that.
        await lockReleaseRow.first(ctx.db, { appId: id, id: releaseId });
        const now = await listSuperfluous(inApp, await ruleOf(ctx, id, owner_id));
        const release = now.find((one) => one.id === releaseId);
        if (release) await removeRelease(inApp, release);
      });
    }
  }
  await tx(ctx, ({ db }) => deleteOrphanRules.run(db));
}
