import type { Ctx } from '../../../context.ts';
import { toIso } from '../../../kernel/clock.ts';
import { getApp, getAppRef } from '../../apps/index.ts';
import { publicAvatar } from '../../avatars/index.ts';
import { announceForApp } from '../../webhooks/index.ts';
import { type BuildRow, findPreviousBuild } from '../builds.store.ts';

/** Values of App Center. */
const outcomes = { succeeded: 'Succeeded', failed: 'Failed', canceled: 'Canceled' } as const;

const getOutcome = ({ result }: Pick<BuildRow, 'result'>) => outcomes[result === 'none' ? 'canceled' : result];

/** Announces a finished build, in the transaction that finishes it. */
export async function announceBuild(ctx: Ctx, row: BuildRow): Promise<void> {
  const { os, iconUrl } = await getApp({ ...ctx, app: await getAppRef(ctx, row.app_id), permission: 'viewer' });
  const icon = publicAvatar(ctx, iconUrl);
  const before = await findPreviousBuild.first(ctx.db, { appId: row.app_id, branch: row.branch, id: row.id });
  await announceForApp(ctx, 'buildFinished', row.app_id, ({ page }) => ({
    url: page(`builds/${row.id}`),
    branch: row.branch,
    build_id: String(row.id),
    build_status: getOutcome(row),
    ...(before ? { previous_status: getOutcome(before) } : {}),
    build_reason: row.reason,
    build_link: page(`builds/${row.id}`),
    ...(row.started_at === null ? {} : { start_time: toIso(row.started_at) }),
    finish_time: toIso(row.finished_at ?? ctx.clock.now()),
    source_version: row.commit_sha,
    ...(row.failure === null ? {} : { failure: row.failure }),
    os,
    ...(icon === undefined ? {} : { icon_link: icon }),
    notification_settings_link: page('notifications'),
  }));
}
