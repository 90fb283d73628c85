import {
  App_BlockLogs,
  App_UnblockLogs,
  Devices_BlockLogs,
  Devices_UnblockLogs,
  ingestion_get,
  logs_check,
  logs_send,
} from '@mooring/contract';
import type { Deps } from '../../context.ts';
import { route } from '../../http/mount.ts';
import { toIso } from '../../kernel/clock.ts';
import { blockLogs, unblockLogs } from './blocks/blocks.ts';
import { getIngestion, type Ingestion } from './intake/ingestion.ts';
import { startIntakeThread } from './intake/intake-thread.ts';
import { createIntake } from './logs/logs.ts';

const ingestionToWire = (address: string, ingestion: Ingestion) => ({
  address,
  is_blocked: ingestion.isBlocked,
  hour_limit_bytes: ingestion.hourLimit,
  last_received_at: ingestion.lastReceivedAt === undefined ? undefined : toIso(ingestion.lastReceivedAt),
  hour: ingestion.hour,
  day: ingestion.day,
  minutes: ingestion.minutes.map(({ at, ...counts }) => ({ at: toIso(at), ...counts })),
  senders: ingestion.senders.map(({ sdk, sdkVersion, appVersion, logs, lastAt }) => ({
    sdk,
    sdk_version: sdkVersion,
    app_version: appVersion,
    logs,
    last_at: toIso(lastAt),
  })),
  consumers: ingestion.consumers.map(({ name, waiting, waitingSince }) => ({
    name,
    waiting,
    waiting_since: waitingSince === undefined ? undefined : toIso(waitingSince),
  })),
  invalid_logs: ingestion.invalidLogs.map(({ receivedAt, installId, reason, log }) => ({
    received_at: toIso(receivedAt),
    install_id: installId,
    reason,
    log,
  })),
});

/** A text alone is not taken for JSON that is still to be written. */
const written = (text: string): string => JSON.stringify(text);

/** The routes of one process, which share its queue. */
export function ingestRoutes(deps: Deps) {
  const takeLogs = deps.config.ingestThread ? startIntakeThread(deps) : createIntake(deps);
  return [
    route(logs_send, ({ app }, { headers, sent }) =>
      takeLogs({ appId: app.id, installId: headers['install-id'], sent }),
    ),
    // Whoever comes this far has a secret that holds.
    route(logs_check, async () => undefined),
    route(ingestion_get, async (ctx) => ingestionToWire(ctx.publicUrl(), await getIngestion(ctx))),
    route(App_BlockLogs, async (ctx) => {
      await blockLogs(ctx);
      return written(`Logs of ${ctx.app.ownerName}/${ctx.app.name} are dropped from now on.`);
    }),
    route(App_UnblockLogs, async (ctx) => {
      await unblockLogs(ctx);
      return written(`Logs of ${ctx.app.ownerName}/${ctx.app.name} are taken again.`);
    }),
    route(Devices_BlockLogs, async (ctx, { params }) => {
      await blockLogs(ctx, params.install_id);
      return written(`Logs of the install ${params.install_id} are dropped from now on.`);
    }),
    route(Devices_UnblockLogs, async (ctx, { params }) => {
      await unblockLogs(ctx, params.install_id);
      return written(`Logs of the install ${params.install_id} are taken again.`);
    }),
  ];
}
