import type { Deps } from '../../../context.ts';
import type { Job } from '../../../jobs/index.ts';
import { SECOND } from '../../../kernel/clock.ts';
import { createFairPool } from '../../../kernel/concurrency/fair-pool.ts';
import { Failure } from '../../../kernel/errors.ts';
import { inflateLarge, inflateSmall, type SentBytes } from '../../../kernel/files/inflate.ts';
import { toStored } from '../batches/stored-body.ts';
import { createBlockMemory } from '../blocks/blocks.ts';
import { noCounts } from '../counts.store.ts';
import { createEnvelopeIntake, type EnvelopeOutcome, type EnvelopeSending } from '../sentry/envelope-intake.ts';
import { readInstallId } from '../validation/install-id.ts';
import { type InvalidReason, validateBody } from '../validation/log-validation.ts';
import { parseBody } from '../validation/parse-body.ts';
import { createWriting, type Received, type WriteDeps } from './batch-writing.ts';
import { createHourLimit } from './hour-limit.ts';
import { type Examined, examineLarge } from './large-body.ts';
import { createLogQueue, type LogQueue } from './log-queue.ts';

/** One request of a device. */
export interface Sending {
  appId: string;
  installId: string | undefined;
  sent: SentBytes;
}

/** Result for the logs in it. */
export interface Outcome {
  accepted: number;
  invalid: number;
  /** Why logs are invalid, each reason once; absent if none is. */
  invalid_reasons?: InvalidReason[];
  dropped: number;
}

async function examine(sent: SentBytes, body: Uint8Array, installId: string | undefined, now: number) {
  const { valid, types, ...validation } = validateBody(parseBody(body), installId, now);
  const examined: Examined = { ...validation, batches: [] };
  if (valid.length === 0) return examined;
  const isWhole = valid.length === validation.count;
  const plain = isWhole ? body : Buffer.from(JSON.stringify({ logs: valid }));
  const stored =
    isWhole && sent.encoding === 'gzip'
      ? ({ encoding: 'gzip', body: sent.bytes, size: body.length } as const)
      : await toStored(plain);
  examined.batches.push({ stored, types, logs: valid.length });
  return examined;
}

/** The batches of one request; the first includes the invalid logs. */
function toReceived(
  common: Pick<Received, 'appId' | 'installId' | 'source'>,
  { batches, invalid, invalidCount, droppedCount }: Examined,
): Received[] {
  const setAside = { ...noCounts(), invalid: invalidCount, dropped: droppedCount };
  if (batches.length === 0) return [{ ...common, counts: setAside, invalid }];
  return batches.map(({ stored, types, logs }, at) => {
    const isFirst = at === 0;
    const counts = isFirst ? setAside : noCounts();
    counts.batches = 1;
    counts.logs = logs;
    counts.bytes = stored.size;
    return { ...common, stored, types, counts, invalid: isFirst ? invalid : [] };
  });
}

/** Accepts requests of devices. */
export interface Intake {
  (sending: Sending): Promise<Outcome>;
  (sending: EnvelopeSending): Promise<EnvelopeOutcome>;
}

export type AnySending = Sending | EnvelopeSending;
export type AnyOutcome = Outcome | EnvelopeOutcome;

/** Dependencies that are available in a separate thread. */
export type IntakeDeps = WriteDeps & Pick<Deps, 'config' | 'versionsNow'>;

/** Requests beyond the hourly limit are counted together, so that an app that sends too much costs little. */
const LIMITED_EVERY = SECOND;

function createLimitedCount({ clock }: IntakeDeps, queue: LogQueue) {
  const waiting = new Map<string, { count: number; since: number }>();
  return async (appId: string): Promise<void> => {
    const now = clock.now();
    const { count, since } = waiting.get(appId) ?? { count: 0, since: Number.NEGATIVE_INFINITY };
    const isDue = Math.abs(now - since) >= LIMITED_EVERY;
    waiting.set(appId, isDue ? { count: 0, since: now } : { count: count + 1, since });
    if (isDue) await queue.add({ appId, installId: '', counts: { ...noCounts(), limited: count + 1 }, invalid: [] });
  };
}

/** Accepts requests of devices in this process; an accepted log is durable. */
export function createIntake(deps: IntakeDeps, consumers?: () => readonly Job<{ appId: string }>[]): Intake {
  // One at a time, since each may need about 64 MiB. Apps take turns, so one that floods does not delay the others.
  const large = createFairPool({ slots: 1 });
  const queue = createLogQueue(deps, createWriting(consumers));
  const isBlocked = createBlockMemory(deps);
  const limit = createHourLimit(deps);
  const noteLimited = createLimitedCount(deps, queue);
  const refused = (appId: string): Received => ({
    appId,
    installId: '',
    counts: { ...noCounts(), refused: 1 },
    invalid: [],
  });

  const takeEnvelope = createEnvelopeIntake({ clock: deps.clock, queue, limit, isBlocked, noteLimited, large });

  const takeLogs = async ({ appId, sent, ...sending }: Sending): Promise<Outcome> => {
    queue.refuseIfFull(appId);
    await limit.refuseIfShort();
    if (await limit.isReached(appId)) {
      await noteLimited(appId);
      throw limit.refusal();
    }
    const installId = readInstallId(sending.installId);
    const id = installId ?? '';
    const isDropped = await isBlocked(appId, id);
    /** Counts a body that is not JSON as invalid before refusing it. */
    const countRefused = async (error: unknown): Promise<never> => {
      if (error instanceof Failure && error.code === 'BadRequest') await queue.add(refused(appId));
      throw error;
    };
    const now = deps.clock.now();
    const small = inflateSmall(sent);
    const examined = small
      ? await examine(sent, small, installId, now).catch(countRefused)
      : await large(appId, async () => {
          const body = await inflateLarge(sent, appId);
          return examineLarge(body, installId, now).catch(countRefused);
        });
    const { count, invalidCount, reasons, droppedCount, source } = examined;
    if (isDropped) {
      await queue.add({ appId, installId: id, counts: { ...noCounts(), blocked: count }, invalid: [] });
      return { accepted: 0, invalid: 0, dropped: count };
    }
    const received = toReceived({ appId, installId: id, source }, examined);
    await Promise.all(received.map((one) => queue.add(one)));
    let accepted = 0;
    for (const { counts } of received) {
      accepted += counts.logs;
      limit.add(appId, counts.bytes);
    }
    const named = reasons.length === 0 ? {} : { invalid_reasons: reasons };
    return { accepted, invalid: invalidCount, ...named, dropped: droppedCount };
  };

  const take = (sending: AnySending): Promise<AnyOutcome> =>
    'format' in sending ? takeEnvelope(sending) : takeLogs(sending);
  return take as Intake;
}
