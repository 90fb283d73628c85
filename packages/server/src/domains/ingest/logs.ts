import type { Deps } from '../../context.ts';
import { badRequest } from '../../kernel/errors.ts';
import { isTooDeep } from '../../kernel/json.ts';
import type { Received } from './batch-writing.ts';
import type { createBlockMemory } from './blocks.ts';
import { noCounts } from './counts.store.ts';
import { readInstallId } from './install-id.ts';
import { type Judged, judgeLogs, showLog } from './judged-logs.ts';
import type { Receiver } from './receiver.ts';
import { type StoredBody, textOf, toStored } from './stored-body.ts';

/** One request of a device. */
export interface Sending {
  appId: string;
  installId: string | undefined;
  /** Inflated. */
  body: Uint8Array;
  /** As it came. */
  sent: { encoding: 'identity' | 'gzip'; bytes: Uint8Array };
}

/** What became of the logs in it. */
export interface Outcome {
  accepted: number;
  odd: number;
  dropped: number;
}

/** A body below this cannot be deep enough to take much memory; looking costs half of what parsing does. */
const LOOKED_INTO_FROM = 256 * 1024;
const MAX_DEPTH = 1000;

function parse(body: Uint8Array): unknown {
  const text = textOf(body);
  if (text.length > LOOKED_INTO_FROM && isTooDeep(text, MAX_DEPTH))
    throw badRequest(`The body is nested more than ${MAX_DEPTH} levels deep.`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRequest(`The body is not valid JSON: ${(error as Error).message.slice(0, 200)}.`);
  }
}

/** What cannot be read as a batch at all is one odd log: nothing but broken JSON is refused. */
function judgeBody(value: unknown, installId: string | undefined, now: number): Judged & { count: number } {
  const logs: unknown = (value as { logs?: unknown } | null)?.logs;
  if (!Array.isArray(logs)) {
    return { ...nothing, odd: [{ reason: 'no_logs', log: showLog(value) }], oddCount: 1, count: 1 };
  }
  if (installId === undefined) {
    const odd = logs.slice(0, 1).map((log) => ({ reason: 'no_install_id', log: showLog(log) }) as const);
    return { ...nothing, odd, oddCount: logs.length, count: logs.length };
  }
  return { ...judgeLogs(logs, now), count: logs.length };
}

const nothing: Judged = { sound: [], odd: [], oddCount: 0, droppedCount: 0, sender: undefined };

/** As it came, unless something in it is left out. */
async function toKeep({ body, sent }: Sending, sound: readonly unknown[], count: number): Promise<StoredBody> {
  if (sound.length < count) return toStored(Buffer.from(JSON.stringify({ logs: sound })));
  if (sent.encoding === 'gzip') return { encoding: 'gzip', body: sent.bytes, size: body.length };
  return toStored(body);
}

/** Takes what devices send; what it answers for is on the disk. */
export function createLogIntake(
  deps: Pick<Deps, 'clock'>,
  { receiver, isBlocked }: { receiver: Receiver; isBlocked: ReturnType<typeof createBlockMemory> },
) {
  const refused = (appId: string): Received => ({
    appId,
    installId: '',
    counts: { ...noCounts(), refused: 1 },
    odd: [],
  });

  return async (sending: Sending): Promise<Outcome> => {
    receiver.refuseIfFull();
    const { appId } = sending;
    const installId = readInstallId(sending.installId);
    let value: unknown;
    try {
      value = parse(sending.body);
    } catch (error) {
      await receiver.add(refused(appId));
      throw error;
    }
    const judged = judgeBody(value, installId, deps.clock.now());
    const id = installId ?? '';
    if (await isBlocked(appId, id)) {
      const counts = { ...noCounts(), blocked: judged.count };
      await receiver.add({ appId, installId: id, counts, odd: [] });
      return { accepted: 0, odd: 0, dropped: judged.count };
    }
    const { sound, odd, oddCount, droppedCount, sender, count } = judged;
    const accepted = sound.length;
    const counts = { ...noCounts(), logs: accepted, odd: oddCount, dropped: droppedCount };
    if (accepted === 0) await receiver.add({ appId, installId: id, counts, odd });
    else {
      const stored = await toKeep(sending, sound, count);
      const kept = { ...counts, batches: 1, bytes: stored.size };
      await receiver.add({ appId, installId: id, stored, counts: kept, odd, sender });
    }
    return { accepted, odd: oddCount, dropped: droppedCount };
  };
}
