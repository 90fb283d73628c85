import type { Deps } from '../../../context.ts';
import type { Job } from '../../../jobs/index.ts';
import { badRequest } from '../../../kernel/errors.ts';
import { inflate, type SentBytes } from '../../../kernel/inflate.ts';
import { isTooDeep } from '../../../kernel/json.ts';
import { createBlockMemory } from '../blocks/blocks.ts';
import { noCounts } from '../counts.store.ts';
import { createWriting, type Received, type WriteDeps } from '../intake/batch-writing.ts';
import { createReceiver } from '../intake/receiver.ts';
import { readInstallId } from './install-id.ts';
import { type Judged, judgeLogs, showLog } from './judged-logs.ts';
import { type StoredBody, textOf, toStored } from './stored-body.ts';

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
  dropped: number;
}

/** A body below this cannot be deep enough to take much memory; looking costs half of what parsing does. */
const LOOKED_INTO_FROM = 256 * 1024;
const MAX_DEPTH = 1000;

/** A body that somebody else has made, which may be anything. */
export function parseBody(body: Uint8Array): unknown {
  const text = textOf(body);
  if (text.length > LOOKED_INTO_FROM && isTooDeep(text, MAX_DEPTH))
    throw badRequest(`The body is nested more than ${MAX_DEPTH} levels deep.`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRequest(`The body is not valid JSON: ${(error as Error).message.slice(0, 200)}.`);
  }
}

const nothing: Judged = {
  valid: [],
  types: new Set(),
  invalid: [],
  invalidCount: 0,
  droppedCount: 0,
  sender: undefined,
};

/** What cannot be read as a batch at all is one invalid log: nothing but broken JSON is refused. */
export function judgeBody(
  value: unknown,
  installId: string | undefined,
  now: number,
  oldestDays?: number,
): Judged & { count: number } {
  const logs: unknown = (value as { logs?: unknown } | null)?.logs;
  if (!Array.isArray(logs)) {
    return { ...nothing, invalid: [{ reason: 'no_logs', log: showLog(value) }], invalidCount: 1, count: 1 };
  }
  if (installId === undefined) {
    const invalid = logs.slice(0, 1).map((log) => ({ reason: 'no_install_id', log: showLog(log) }) as const);
    return { ...nothing, invalid, invalidCount: logs.length, count: logs.length };
  }
  return { ...judgeLogs(logs, now, oldestDays), count: logs.length };
}

/** What is to be known of a body once it is written: the logs themselves would only be carried along by the collector. */
interface Examined extends Omit<Judged, 'valid'> {
  count: number;
  accepted: number;
  /** What is kept instead of the body as it came, if something in it is left out. */
  rest?: Buffer;
}

function examine(body: Uint8Array, installId: string | undefined, now: number): Examined {
  const { valid, ...judged } = judgeBody(parseBody(body), installId, now);
  const accepted = valid.length;
  if (accepted === 0 || accepted === judged.count) return { ...judged, accepted };
  return { ...judged, accepted, rest: Buffer.from(JSON.stringify({ logs: valid })) };
}

/** As it came, unless something in it is left out. */
function toKeep({ encoding, bytes }: SentBytes, size: number, rest: Buffer | undefined): Promise<StoredBody> {
  if (rest) return toStored(rest);
  return encoding === 'gzip' ? Promise.resolve({ encoding, body: bytes, size }) : toStored(bytes);
}

export type TakeLogs = (sending: Sending) => Promise<Outcome>;

/** What it needs, so that it can run in a thread of its own. */
export type IntakeDeps = WriteDeps & Pick<Deps, 'config' | 'versionsNow'>;

/** Takes what devices send to this process; what it answers for is on the disk. */
export function createIntake(deps: IntakeDeps, consumers?: () => readonly Job<{ appId: string }>[]): TakeLogs {
  const receiver = createReceiver(deps, createWriting(consumers));
  const isBlocked = createBlockMemory(deps);
  const refused = (appId: string): Received => ({
    appId,
    installId: '',
    counts: { ...noCounts(), refused: 1 },
    invalid: [],
  });

  return async ({ appId, sent, ...sending }: Sending): Promise<Outcome> => {
    receiver.refuseIfFull(appId);
    const installId = readInstallId(sending.installId);
    const id = installId ?? '';
    const isDropped = await isBlocked(appId, id);
    const body = await inflate(sent);
    let examined: Examined;
    try {
      examined = examine(body, installId, deps.clock.now());
    } catch (error) {
      await receiver.add(refused(appId));
      throw error;
    }
    const { accepted, count, types, invalid, invalidCount, droppedCount, sender, rest } = examined;
    if (isDropped) {
      await receiver.add({ appId, installId: id, counts: { ...noCounts(), blocked: count }, invalid: [] });
      return { accepted: 0, invalid: 0, dropped: count };
    }
    const counts = { ...noCounts(), logs: accepted, invalid: invalidCount, dropped: droppedCount };
    if (accepted === 0) await receiver.add({ appId, installId: id, counts, invalid });
    else {
      const stored = await toKeep(sent, body.length, rest);
      const kept = { ...counts, batches: 1, bytes: stored.size };
      await receiver.add({ appId, installId: id, stored, types, counts: kept, invalid, sender });
    }
    return { accepted, invalid: invalidCount, dropped: droppedCount };
  };
}
