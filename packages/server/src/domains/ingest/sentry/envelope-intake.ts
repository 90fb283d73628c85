import { setImmediate } from 'node:timers/promises';
import type { Deps } from '../../../context.ts';
import type { FairPool } from '../../../kernel/concurrency/fair-pool.ts';
import { badRequest, forbidden } from '../../../kernel/errors.ts';
import { inflateSmall, type SentBytes } from '../../../kernel/files/inflate.ts';
import { toStored } from '../batches/stored-body.ts';
import { noCounts } from '../counts.store.ts';
import type { Received } from '../intake/batch-writing.ts';
import type { HourLimit } from '../intake/hour-limit.ts';
import type { LogQueue } from '../intake/log-queue.ts';
import { createLogValidator, describeDevice, type LogTypes, type Source } from '../validation/log-validation.ts';
import type { EnvelopeLogs } from './convert-envelope.ts';
import { readEnvelope, readMinidumpReport, readStoredEvent } from './envelope-logs.ts';
import type { InstallLogs } from './session-logs.ts';

const readers = { envelope: readEnvelope, event: readStoredEvent, minidump: readMinidumpReport };

/** One request of a Sentry SDK. */
export interface EnvelopeSending {
  appId: string;
  format: keyof typeof readers;
  sent: SentBytes;
  sdk: {
    projectId: number;
    /** In the headers or the query. */
    publicKey: string | undefined;
    client: string | undefined;
    acceptedKeys: readonly string[];
  };
}

export interface EnvelopeOutcome {
  /** Undefined if the envelope belongs to no event. */
  eventId: string | undefined;
  /** Only events are stored for now; the others were counted as dropped. */
  isNearLimit: boolean;
}

export interface EnvelopeIntakeDeps {
  clock: Deps['clock'];
  queue: LogQueue;
  limit: HourLimit;
  isBlocked(appId: string, installId: string): Promise<boolean>;
  noteLimited(appId: string): Promise<void>;
  /** Large bodies, one at a time. */
  large: FairPool;
}

/** Types of logs that envelopes become. */
const logTypes: LogTypes = new Set([
  'managedError',
  'handledError',
  'errorAttachment',
  'startSession',
  'sessionCrash',
  'sessionEnd',
  'feedback',
  'feedbackPicture',
  'event',
]);

/** Characters of JSON per batch, unless a single log is larger. */
const MAX_BATCH_LENGTH = 256 * 1024;
/** Logs that are serialized before other work gets a turn. */
const LOGS_AT_ONCE = 500;

function checkKeys({ sdk }: EnvelopeSending, sent: EnvelopeLogs['sent']): void {
  if (sent === undefined) {
    if (sdk.publicKey === undefined) {
      throw forbidden(
        'The request has no key. Send it in the header X-Sentry-Auth, as sentry_key, or in the envelope.',
      );
    }
    return;
  }
  if (Number(sent.projectId) !== sdk.projectId) {
    throw forbidden('The DSN in the envelope has another project ID than the path. Send both to the same project.');
  }
  if (sdk.publicKey !== undefined && sdk.publicKey !== sent.publicKey) {
    throw forbidden('The DSN in the envelope has another key than the request. Send one key.');
  }
  if (!sdk.acceptedKeys.includes(sent.publicKey)) {
    throw forbidden('The key in the envelope does not exist, is disabled, or belongs to another project.');
  }
}

/** The logs of one install in stored form. */
async function toReceived(
  appId: string,
  { installId, logs }: InstallLogs,
  source: Source,
  now: number,
): Promise<Received[]> {
  const validator = createLogValidator(now, { types: logTypes });
  const received: Received[] = [];
  let texts: string[] = [];
  let types = new Set<string>();
  let length = 0;
  async function endBatch(): Promise<void> {
    if (texts.length === 0) return;
    const stored = await toStored(Buffer.from(`{"logs":[${texts.join()}]}`));
    const counts = { ...noCounts(), batches: 1, logs: texts.length, bytes: stored.size };
    received.push({ appId, installId, stored, types, counts, invalid: [], source });
    [texts, types, length] = [[], new Set(), 0];
  }
  for (const [at, log] of logs.entries()) {
    if (at % LOGS_AT_ONCE === LOGS_AT_ONCE - 1) await setImmediate();
    if (!validator.accepts(log)) continue;
    const text = JSON.stringify(log);
    if (length + text.length > MAX_BATCH_LENGTH) await endBatch();
    texts.push(text);
    types.add(log.type as string);
    length += text.length;
  }
  await endBatch();
  const { invalid, invalidCount, droppedCount } = validator.result();
  if (invalidCount + droppedCount > 0) {
    const counts = { ...noCounts(), invalid: invalidCount, dropped: droppedCount };
    received.push({ appId, installId, counts, invalid });
  }
  return received;
}

/** Accepts envelopes of Sentry SDKs: their items become logs in the same batches as those of other SDKs. */
export function createEnvelopeIntake({ clock, queue, limit, isBlocked, noteLimited, large }: EnvelopeIntakeDeps) {
  async function takeEnvelope(sending: EnvelopeSending): Promise<EnvelopeOutcome> {
    const { appId, format, sent, sdk } = sending;
    const now = clock.now();
    const onlyEvents = await limit.isNear(appId);
    const envelope = await readers[format](sent, { client: sdk.client, now, onlyEvents });
    checkKeys(sending, envelope.sent);
    const source: Source = { sdk: envelope.sdk.name || 'sentry', sdkVersion: envelope.sdk.version, appVersion: '' };
    const received: Received[] = [];
    async function take(installId: string, count: number, getLogs: () => InstallLogs['logs']): Promise<void> {
      if (await isBlocked(appId, installId)) {
        received.push({ appId, installId, counts: { ...noCounts(), blocked: count }, invalid: [] });
        return;
      }
      const logs = getLogs();
      const device = logs[0]?.device as ({ appVersion?: string } & Record<string, unknown>) | undefined;
      const of = { ...source, appVersion: device?.appVersion ?? '', device: device && describeDevice(device) };
      received.push(...(await toReceived(appId, { installId, logs }, of, now)));
    }
    for (const { installId, logs } of envelope.installs) await take(installId, logs.length, () => logs);
    for (const { installId, toLog } of envelope.attachments) await take(installId, 1, () => [toLog()]);
    const items = envelope.counts.list();
    const [first = { appId, installId: '', counts: noCounts(), invalid: [] }, ...others] = received;
    if (received.length > 0 || items.length > 0) {
      await Promise.all([{ ...first, items }, ...others].map((one) => queue.add(one)));
    }
    for (const { counts } of received) limit.add(appId, counts.bytes);
    return { eventId: envelope.eventId, isNearLimit: onlyEvents };
  }

  return async (sending: EnvelopeSending): Promise<EnvelopeOutcome> => {
    const { appId, sent } = sending;
    queue.refuseIfFull(appId);
    await limit.refuseIfShort();
    if (await limit.isReached(appId)) {
      await noteLimited(appId);
      throw limit.refusal();
    }
    if (sent.bytes.length === 0) throw badRequest('The body is empty. Send at least the header of an envelope.');
    const small = inflateSmall(sent);
    if (!small) return large(appId, () => takeEnvelope(sending));
    return takeEnvelope({ ...sending, sent: { ...sent, encoding: 'identity', bytes: small } });
  };
}
