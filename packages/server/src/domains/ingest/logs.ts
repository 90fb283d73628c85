import type { Deps } from '../../context.ts';
import type { Job } from '../../jobs/index.ts';
import { badRequest } from '../../kernel/errors.ts';
import { inflate, type SentBytes } from '../../kernel/inflate.ts';
import { isTooDeep } from '../../kernel/json.ts';
import { createWriting, type Received, type WriteDeps } from './batch-writing.ts';
import { createBlockMemory } from './blocks.ts';
import { noCounts } from './counts.store.ts';
import { readInstallId } from './install-id.ts';
import { type Judged, judgeLogs, showLog } from './judged-logs.ts';
import { createReceiver } from './receiver.ts';
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

const nothing: Judged = { sound: [], types: new Set(), odd: [], oddCount: 0, droppedCount: 0, sender: undefined };

/** As it came, unless something in it is left out. */
function toKeep({ encoding, bytes }: SentBytes, size: number, judged: Judged & { count: number }): Promise<StoredBody> {
  const { sound, count } = judged;
  if (sound.length < count) return toStored(Buffer.from(JSON.stringify({ logs: sound })));
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
    odd: [],
  });

  return async ({ appId, sent, ...sending }: Sending): Promise<Outcome> => {
    receiver.refuseIfFull(appId);
    const installId = readInstallId(sending.installId);
    const body = await inflate(sent);
    let value: unknown;
    try {
      value = parse(body);
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
    const { sound, types, odd, oddCount, droppedCount, sender } = judged;
    const accepted = sound.length;
    const counts = { ...noCounts(), logs: accepted, odd: oddCount, dropped: droppedCount };
    if (accepted === 0) await receiver.add({ appId, installId: id, counts, odd });
    else {
      const stored = await toKeep(sent, body.length, judged);
      const kept = { ...counts, batches: 1, bytes: stored.size };
      await receiver.add({ appId, installId: id, stored, types, counts: kept, odd, sender });
    }
    return { accepted, odd: oddCount, dropped: droppedCount };
  };
}
