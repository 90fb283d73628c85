import type { AppCtx, Ctx, OrgCtx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { DAY } from '../../../kernel/clock.ts';
import { type AppRef, getAppRef } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import { countNewerReleases, lockReleaseRow } from '../releases.store.ts';
import type { ReleaseRetentionTable } from '../releases.tables.ts';
import { type DistributedRelease, findRelease, listAllReleases, removeRelease } from '../releases.ts';
import { deleteOrphanRules, findRule, listRuledApps, listUnruledApps, saveRule } from './retention.store.ts';

/** A retention rule for releases. */
export interface RetentionRule {
  keepLast: number | undefined;
  keepDays: number | undefined;
  /** The latest release of each group, and releases in stores, are retained regardless of the rule. */
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

async function getEffectiveRule(
  { db }: Pick<Ctx, 'db'>,
  appId: string | undefined,
  ownerId: string,
): Promise<EffectiveRule> {
  const own = appId === undefined ? undefined : await findRule.first(db, { id: appId });
  if (own) return { ...toRule(own), source: 'app' };
  const shared = await findRule.first(db, { id: ownerId });
  if (shared) return { ...toRule(shared), source: 'organization' };
  return { keepLast: undefined, keepDays: undefined, keepLatest: true, source: 'none' };
}

export const getAppRule = (ctx: AppCtx): Promise<EffectiveRule> => getEffectiveRule(ctx, ctx.app.id, ctx.app.ownerId);
export const getOrgRule = (ctx: OrgCtx): Promise<EffectiveRule> => getEffectiveRule(ctx, undefined, ctx.org.id);

const toRow = (id: string, { keepLast, keepDays, keepLatest }: RetentionRule): ReleaseRetentionTable => ({
  id,
  keep_last: keepLast ?? null,
  keep_days: keepDays ?? null,
  keep_latest: keepLatest ? 1 : 0,
});

const toAuditFields = ({ keepLast, keepDays, keepLatest }: RetentionRule) => ({
  keep_last: keepLast,
  keep_days: keepDays,
  keep_latest: keepLatest,
});

export const setAppRule = (ctx: AppCtx, rule: RetentionRule): Promise<EffectiveRule> =>
  tx(ctx, async (ctx) => {
    const { app } = ctx;
    const before = await getAppRule(ctx);
    await saveRule.run(ctx.db, toRow(app.id, rule));
    const subject = {
      kind: 'release',
      id: app.id,
      name: `${app.ownerName}/${app.name}`,
      appId: app.id,
      orgId: app.ownerId,
    } as const;
    await record(ctx, 'release.set_retention', subject, { before: toAuditFields(before), after: toAuditFields(rule) });
    return getAppRule(ctx);
  });

export const setOrgRule = (ctx: OrgCtx, rule: RetentionRule): Promise<EffectiveRule> =>
  tx(ctx, async (ctx) => {
    const { org } = ctx;
    const before = await getOrgRule(ctx);
    await saveRule.run(ctx.db, toRow(org.id, rule));
    const subject = { kind: 'release', id: org.id, name: org.name, orgId: org.id } as const;
    await record(ctx, 'release.set_retention', subject, { before: toAuditFields(before), after: toAuditFields(rule) });
    return getOrgRule(ctx);
  });

type InApp = Ctx & { app: AppRef };

/** Lists releases that the rule does not retain, newest first. */
export async function listSuperfluous(ctx: InApp, rule: RetentionRule): Promise<DistributedRelease[]> {
  if (!hasLimit(rule)) return [];
  const releases = await listAllReleases(ctx);
  return releases.slice(rule.keepLast ?? 0).filter((release) => !isRecentOrLatest(ctx, rule, release));
}

const hasLimit = ({ keepLast, keepDays }: RetentionRule): boolean => keepLast !== undefined || keepDays !== undefined;

function isRecentOrLatest(ctx: InApp, rule: RetentionRule, { uploadedAt, destinations }: DistributedRelease): boolean {
  const { keepDays, keepLatest } = rule;
  const isRecent = keepDays !== undefined && uploadedAt >= ctx.clock.now() - keepDays * DAY;
  return isRecent || (keepLatest && destinations.some(({ isLatest }) => isLatest));
}

async function isSuperfluous(ctx: InApp, rule: RetentionRule, release: DistributedRelease): Promise<boolean> {
  if (!hasLimit(rule) || isRecentOrLatest(ctx, rule, release)) return false;
  const newer = await countNewerReleases.first(ctx.db, { appId: ctx.app.id, id: release.id });
  return Number(newer?.count ?? 0) >= (rule.keepLast ?? 0);
}

/** Lists the releases that a rule of an organization would delete, by app without its own rule. */
export async function previewOrgRule(ctx: OrgCtx, rule: RetentionRule) {
  const found: { name: string; releases: DistributedRelease[] }[] = [];
  for (const { id, name } of await listUnruledApps.all(ctx.db, { ownerId: ctx.org.id })) {
    const releases = await listSuperfluous({ ...ctx, app: await getAppRef(ctx, id) }, rule);
    if (releases.length > 0) found.push({ name, releases });
  }
  return found;
}

/** Deletes releases that no rule retains. Checks each release again in the transaction that deletes it. */
export async function applyRetention(ctx: Ctx): Promise<void> {
  for (const { id, owner_id } of await listRuledApps.all(ctx.db)) {
    const app = await getAppRef(ctx, id);
    const superfluous = await listSuperfluous({ ...ctx, app }, await getEffectiveRule(ctx, id, owner_id));
    for (const { id: releaseId } of superfluous) {
      await tx(ctx, async (ctx) => {
        const inApp = { ...ctx, app };
        // A concurrent distribution to a group would make it the latest of that group.
        await lockReleaseRow.first(ctx.db, { appId: id, id: releaseId });
        const release = await findRelease(inApp, releaseId);
        const rule = await getEffectiveRule(ctx, id, owner_id);
        if (release && (await isSuperfluous(inApp, rule, release))) await removeRelease(inApp, release);
      });
    }
  }
  await tx(ctx, ({ db }) => deleteOrphanRules.run(db));
}
