import {
  orgReleaseRetention_get,
  orgReleaseRetention_preview,
  orgReleaseRetention_set,
  releaseRetention_get,
  releaseRetention_preview,
  releaseRetention_set,
  releases_deleteMany,
} from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { deleteReleases, type Release } from '../releases.ts';
import {
  type EffectiveRule,
  getAppRule,
  getOrgRule,
  listSuperfluous,
  previewOrgRule,
  type RetentionRule,
  setAppRule,
  setOrgRule,
} from './retention.ts';

interface RuleInput {
  keep_last?: number;
  keep_days?: number;
  keep_latest?: boolean;
}

const ruleIn = ({ keep_last, keep_days, keep_latest = true }: RuleInput): RetentionRule => ({
  keepLast: keep_last,
  keepDays: keep_days,
  keepLatest: keep_latest,
});

const toWire = ({ keepLast, keepDays, keepLatest, source }: EffectiveRule) => ({
  keep_last: keepLast,
  keep_days: keepDays,
  keep_latest: keepLatest,
  source,
});

const previewToWire = (releases: readonly Release[]) => ({
  releases: releases.map(({ id, version, shortVersion, size }) => ({ id, version, short_version: shortVersion, size })),
  size: releases.reduce((sum, { size }) => sum + size, 0),
});

export const retentionRoutes = [
  route(releaseRetention_get, async (ctx) => toWire(await getAppRule(ctx))),
  route(releaseRetention_set, async (ctx, { body }) => toWire(await setAppRule(ctx, ruleIn(body)))),
  route(releaseRetention_preview, async (ctx, { body }) => previewToWire(await listSuperfluous(ctx, ruleIn(body)))),
  route(orgReleaseRetention_preview, async (ctx, { body }) => {
    const apps = await previewOrgRule(ctx, ruleIn(body));
    const shown = apps.map(({ name, releases }) => ({ app_name: name, ...previewToWire(releases) }));
    return { apps: shown, size: shown.reduce((sum, { size }) => sum + size, 0) };
  }),
  route(orgReleaseRetention_get, async (ctx) => toWire(await getOrgRule(ctx))),
  route(orgReleaseRetention_set, async (ctx, { body }) => toWire(await setOrgRule(ctx, ruleIn(body)))),
  route(releases_deleteMany, async (ctx, { body }) => {
    const { deleted, missing } = await deleteReleases(ctx, body.release_ids);
    return { deleted, not_found: missing };
  }),
];
