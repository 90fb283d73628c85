import {
  analytics_deleteInstall,
  analytics_deleteUser,
  analytics_getStorage,
  analytics_limits,
  analytics_listDeletions,
  analytics_updateStorage,
  MAX_DELETIONS,
} from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { toIso } from '../../../kernel/clock.ts';
import { getDayStart, OTHER_EVENTS } from '../../../telemetry/index.ts';
import { type Deletion, deleteInstallLogs, deleteUserLogs, listDeletions } from '../deletion/erasures.ts';
import { getStorage, setRetention } from '../deletion/retention.ts';
import { listLimits } from '../limits.ts';

const toDate = (day: number | undefined): string | undefined =>
  day === undefined ? undefined : toIso(getDayStart(day)).slice(0, 10);

const storageToWire = ({ days, serverDays, mostDays, isOwn, ...storage }: Awaited<ReturnType<typeof getStorage>>) => ({
  retention_days: days,
  server_retention_days: serverDays,
  max_retention_days: mostDays,
  is_own: isOwn,
  log_count: storage.logCount,
  bytes: storage.bytes,
  oldest_day: toDate(storage.oldestDay),
  newest_day: toDate(storage.newestDay),
});

const deletionToWire = (deletion: Deletion) => ({
  kind: deletion.kind,
  value: deletion.value,
  requested_at: deletion.requestedAt === undefined ? undefined : toIso(deletion.requestedAt),
  file_count: deletion.partCount,
  files_left: deletion.partsLeft,
  former_files: deletion.previousParts,
  has_batches: deletion.hasBatches,
});

export const storedDataRoutes = [
  route(analytics_deleteInstall, (ctx, { params }) => deleteInstallLogs(ctx, params.install_id)),
  route(analytics_deleteUser, (ctx, { params }) => deleteUserLogs(ctx, params.user_id)),
  route(analytics_listDeletions, async (ctx) => {
    const deletions = await listDeletions(ctx, ctx.app.id);
    return { total: deletions.length, values: deletions.slice(0, MAX_DELETIONS).map(deletionToWire) };
  }),
  route(analytics_getStorage, async (ctx) => storageToWire(await getStorage(ctx))),
  route(analytics_updateStorage, async (ctx, { body }) => {
    await setRetention(ctx, body.retention_days);
    return storageToWire(await getStorage(ctx));
  }),
  route(analytics_limits, async (ctx) => ({ limits: await listLimits(ctx), other_event_name: OTHER_EVENTS })),
];
