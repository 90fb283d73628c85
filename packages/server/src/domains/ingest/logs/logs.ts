import type { Deps } from '../../../context.ts';
import type { Job } from '../../../jobs/index.ts';
import { SECOND } from '../../../kernel/clock.ts';
import { badRequest, Failure } from '../../../kernel/errors.ts';
import { createFairPool } from '../../../kernel/fair-pool.ts';
import { inflateLarge, inflateSmall, type SentBytes } from '../../../kernel/inflate.ts';
import { isTooDeep } from '../../../kernel/json.ts';
import { createBlockMemory } from '../blocks/blocks.ts';
import { noCounts } from '../counts.store.ts';
import { createWriting, type Received, type WriteDeps } from '../intake/batch-writing.ts';
import { createHourLimit } from '../intake/hour-limit.ts';
import { createReceiver } from '../intake/receiver.ts';
import { MAX_BODY_DEPTH, parseJson } from './body-outline.ts';
import { readInstallId } from './install-id.ts';
import { type InvalidReason, type Judged, judgeLogs, showLog } from './judged-logs.ts';
import { type Examined, examineLarge } from './large-body.ts';
import { textOf, toStored } from './stored-body.ts';

/** One request of a device. */
export interface Sending {
  appId: string;
  installId: string | undefined;
  sent: SentBytes;
}

/** What became of the logs in it. */
export interface Outcome {
  accepted: number;
  invalid: number;
  /** Why logs are invalid, each reason once; absent if none is. */
  invalid_reasons?: InvalidReason[];
  dropped: number;
}

/** A body below this cannot be deep enough to take much memory; looking costs half of what parsing does. */
const LOOKED_INTO_FROM = 256 * 1024;

/** A body that somebody else has made, which may be anything. */
export function parseBody(body: Uint8Array): unknown {
  const text = textOf(body);
  if (text.length > LOOKED_INTO_FROM && isTooDeep(text, MAX_BODY_DEPTH))
    throw badRequest(`The body is nested more than ${MAX_BODY_DEPTH} levels deep.`);
  return parseJson(text);
}

const nothing: Judged = {
  valid: [],
  types: new Set(),
  invalid: [],
  invalidCount: 0,
  reasons: [],
  droppedCount: 0,
  sender: undefined,
};

/** What cannot be read as a batch at all is one invalid log: nothing but broken JSON is refused. */
export function judgeBody(
  value: unknown,
  installId: string | undefined,
  now: number,
  options?: Parameters<typeof judgeLogs>[2],
): Judged & { count: number } {
  const logs: unknown = (value as { logs?: unknown } | null)?.logs;
  if (!Array.isArray(logs)) {
    const invalid = [{ reason: 'no_logs', log: showLog(value) } as const];
    return { ...nothing, invalid, invalidCount: 1, reasons: ['no_logs'], count: 1 };
  }
  if (installId === undefined) {
    const invalid = logs.slice(0, 1).map((log) => ({ reason: 'no_install_id', log: showLog(log) }) as const);
    const reasons = invalid.map(({ reason }) => reason);
    return { ...nothing, invalid, invalidCount: logs.length, reasons, count: logs.length };
  }
  return { ...judgeLogs(logs, now, options), count: logs.length };
}

async function examine(sent: SentBytes, body: Uint8Array, installId: string | undefined, now: number) {
  const { valid, types, ...judged } = judgeBody(parseBody(body), installId, now);
  const examined: Examined = { ...judged, batches: [] };
  if (valid.length === 0) return examined;
  const isWhole = valid.length === judged.count;
  const plain = isWhole ? body : Buffer.from(JSON.stringify({ logs: valid }));
  const stored =
    isWhole && sent.encoding === 'gzip'
      ? ({ encoding: 'gzip', body: sent.bytes, size: body.length } as const)
      : await toStored(plain);
  examined.batches.push({ stored, types, logs: valid.length });
  return examined;
}

/** The batches of one request, the first with everything that was set aside. */
function toReceived(
  common: Pick<Received, 'appId' | 'installId' | 'sender'>,
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

export type TakeLogs = (sending: Sending) => Promise<Outcome>;

/** What it needs, so that it can run in a thread of its own. */
export type IntakeDeps = WriteDeps & Pick<Deps, 'config' | 'versionsNow'>;

/** Requests beyond the limit of an hour are counted together, so that an app that sends too much costs little. */
const LIMITED_EVERY = SECOND;

function createLimitedCount({ clock }: IntakeDeps, receiver: ReturnType<typeof createReceiver>) {
  const waiting = new Map<string, { count: number; since: number }>();
  return async (appId: string): Promise<void> => {
    const now = clock.now();
    const { count, since } = waiting.get(appId) ?? { count: 0, since: Number.NEGATIVE_INFINITY };
    const isDue = Math.abs(now - since) >= LIMITED_EVERY;
    waiting.set(appId, isDue ? { count: 0, since: now } : { count: count + 1, since });
    if (isDue) await receiver.add({ appId, installId: '', counts: { ...noCounts(), limited: count + 1 }, invalid: [] });
  };
}

/** Takes what devices send to this process; what it answers for is on the disk. */
export function createIntake(deps: IntakeDeps, consumers?: () => readonly Job<{ appId: string }>[]): TakeLogs {
  // One at a time, since each may take some 64 MiB. Apps take turns, so one that floods does not delay the others.
  const large = createFairPool({ slots: 1 });
  const receiver = createReceiver(deps, createWriting(consumers));
  const isBlocked = createBlockMemory(deps);
  const limit = createHourLimit(deps);
  const noteLimited = createLimitedCount(deps, receiver);
  const refused = (appId: string): Received => ({
    appId,
    installId: '',
    counts: { ...noCounts(), refused: 1 },
    invalid: [],
  });

  return async ({ appId, sent, ...sending }: Sending): Promise<Outcome> => {
    receiver.refuseIfFull(appId);
    await limit.refuseIfShort();
    if (await limit.isReached(appId)) {
      await noteLimited(appId);
      throw limit.refusal();
    }
    const installId = readInstallId(sending.installId);
    const id = installId ?? '';
    const isDropped = await isBlocked(appId, id);
    /** A body that is no JSON is refused, and counted as that. */
    const countRefused = async (error: unknown): Promise<never> => {
      if (error instanceof Failure && error.code === 'BadRequest') await receiver.add(refused(appId));
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
    const { count, invalidCount, reasons, droppedCount, sender } = examined;
    if (isDropped) {
      await receiver.add({ appId, installId: id, counts: { ...noCounts(), blocked: count }, invalid: [] });
      return { accepted: 0, invalid: 0, dropped: count };
    }
    const received = toReceived({ appId, installId: id, sender }, examined);
    await Promise.all(received.map((one) => receiver.add(one)));
    let accepted = 0;
    for (const { counts } of received) {
      accepted += counts.logs;
      limit.add(appId, counts.bytes);
    }
    const named = reasons.length === 0 ? {} : { invalid_reasons: reasons };
    return { accepted, invalid: invalidCount, ...named, dropped: droppedCount };
  };
}
