import {
  App_BlockLogs,
  App_UnblockLogs,
  Devices_BlockLogs,
  Devices_UnblockLogs,
  envelopes_send,
  ingestion_get,
  ingestion_watch,
  logs_check,
  logs_send,
  minidumps_send,
  sentryEvents_store,
} from '@mooring/contract';
import type { Deps } from '../../context.ts';
import { route } from '../../http/mount.ts';
import { toIso } from '../../kernel/clock.ts';
import { watch } from '../../kernel/concurrency/watch.ts';
import { blockLogs, unblockLogs } from './blocks/blocks.ts';
import { createIntake, type Intake } from './intake/intake.ts';
import { startIntakeThread } from './intake/intake-thread.ts';
import { toUuid } from './sentry/sentry-values.ts';
import { firstDeviceVersion, getIngestionStatus, type IngestionStatus } from './status/ingestion-status.ts';

const ingestionToWire = (address: string, ingestion: IngestionStatus) => ({
  address,
  is_blocked: ingestion.isBlocked,
  hour_limit_bytes: ingestion.hourLimit,
  last_received_at: ingestion.lastReceivedAt === undefined ? undefined : toIso(ingestion.lastReceivedAt),
  first_device: ingestion.firstDevice && {
    model: ingestion.firstDevice.model,
    os: ingestion.firstDevice.os,
    received_at: toIso(ingestion.firstDevice.receivedAt),
  },
  hour: ingestion.hour,
  day: ingestion.day,
  minutes: ingestion.minutes.map(({ at, ...counts }) => ({ at: toIso(at), ...counts })),
  senders: ingestion.sources.map(({ sdk, sdkVersion, appVersion, logs, lastAt }) => ({
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
  items: ingestion.items,
  invalid_logs: ingestion.invalidLogs.map(({ receivedAt, installId, reason, log }) => ({
    received_at: toIso(receivedAt),
    install_id: installId,
    reason,
    log,
  })),
});

/** SDKs send no sessions and logs for ten minutes; those for .NET need a whole number and a scope. */
const eventsOnly = '600:session;log_item:project';

/** Serializes the text, because a plain string would be sent without quotes. */
const written = (text: string): string => JSON.stringify(text);

/** The routes of one process, which share its queue. */
export function ingestRoutes(deps: Deps) {
  const intake: Intake = deps.config.ingestThread ? startIntakeThread(deps) : createIntake(deps);
  return [
    route(logs_send, ({ app }, { headers, sent }) => intake({ appId: app.id, installId: headers['install-id'], sent })),
    route(envelopes_send, async ({ app, sdk }, { sent }, { setHeader }) => {
      const { eventId, isNearLimit } = await intake({ appId: app.id, format: 'envelope', sent, sdk });
      if (isNearLimit) setHeader('x-sentry-rate-limits', eventsOnly);
      return { id: eventId };
    }),
    route(sentryEvents_store, async ({ app, sdk }, { sent }) => {
      const { eventId } = await intake({ appId: app.id, format: 'event', sent, sdk });
      return { id: eventId };
    }),
    route(minidumps_send, async ({ app, sdk }, { sent }) => {
      const { eventId = '' } = await intake({ appId: app.id, format: 'minidump', sent, sdk });
      // Crashpad stores this text as the ID of its report.
      return { text: toUuid(eventId), etag: `"${eventId}"` };
    }),
    // The scope has verified the app secret.
    route(logs_check, async () => undefined),
    route(ingestion_get, async (ctx) => ingestionToWire(ctx.publicUrl(), await getIngestionStatus(ctx))),
    route(ingestion_watch, async (ctx, { query: { seconds } }, { signal, lastEventId }) =>
      watch(async () => ({ first_device: await firstDeviceVersion(ctx) }), { signal: signal(), lastEventId, seconds }),
    ),
    route(App_BlockLogs, async (ctx) => {
      await blockLogs(ctx);
      return written(`Logs of ${ctx.app.ownerName}/${ctx.app.name} are dropped from now on.`);
    }),
    route(App_UnblockLogs, async (ctx) => {
      await unblockLogs(ctx);
      return written(`Logs of ${ctx.app.ownerName}/${ctx.app.name} are accepted again.`);
    }),
    route(Devices_BlockLogs, async (ctx, { params }) => {
      await blockLogs(ctx, params.install_id);
      return written(`Logs of the install ${params.install_id} are dropped from now on.`);
    }),
    route(Devices_UnblockLogs, async (ctx, { params }) => {
      await unblockLogs(ctx, params.install_id);
      return written(`Logs of the install ${params.install_id} are accepted again.`);
    }),
  ];
}
