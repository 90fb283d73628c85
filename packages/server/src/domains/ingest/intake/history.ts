import { HISTORY_OLDEST_DAYS } from '@mooring/contract';
import { insertHistory } from '../batches/batches.store.ts';
import { addCounts, noCounts } from '../counts.store.ts';
import { readInstallId } from '../logs/install-id.ts';
import { judgeBody, type Outcome } from '../logs/logs.ts';
import { toStored } from '../logs/stored-body.ts';
import { type Received, type WriteDeps, writeReceived } from './batch-writing.ts';

/** A log that a device sent to another server. */
export interface PastLog {
  installId: string;
  log: unknown;
}

/** Logs of one batch: consumers read a batch in one go. */
const MAX_BATCH_LOGS = 1000;

async function toReceived(appId: string, given: string, logs: unknown[], now: number): Promise<Received> {
  const installId = readInstallId(given);
  const { valid, types, invalid, invalidCount, droppedCount } = judgeBody({ logs }, installId, now, {
    oldestDays: HISTORY_OLDEST_DAYS,
  });
  const counts = { ...noCounts(), logs: valid.length, invalid: invalidCount, dropped: droppedCount };
  const common = { appId, installId: installId ?? '', types, invalid, isHistory: true };
  if (valid.length === 0) return { ...common, counts };
  const stored = await toStored(Buffer.from(JSON.stringify({ logs: valid })));
  return { ...common, stored, counts: { ...counts, batches: 1, bytes: stored.size } };
}

/** Logs of the past, of many installs and any day, as they will be kept. */
export async function judgeHistory(
  { clock }: Pick<WriteDeps, 'clock'>,
  appId: string,
  logs: readonly PastLog[],
): Promise<Received[]> {
  const received: Received[] = [];
  for (const [installId, some] of Map.groupBy(logs, ({ installId }) => installId)) {
    for (let at = 0; at < some.length; at += MAX_BATCH_LOGS) {
      const values = some.slice(at, at + MAX_BATCH_LOGS).map(({ log }) => log);
      received.push(await toReceived(appId, installId, values, clock.now()));
    }
  }
  return received;
}

/** Keeps them, unless a request with the same hash was taken before. In a transaction. */
export async function keepHistory(
  ctx: WriteDeps,
  { appId, hash, received }: { appId: string; hash: string; received: readonly Received[] },
): Promise<Omit<Outcome, 'invalid_reasons'> & { isRepeated: boolean }> {
  if (!(await insertHistory.run(ctx.db, { app_id: appId, hash, taken_at: ctx.clock.now() })))
    return { accepted: 0, invalid: 0, dropped: 0, isRepeated: true };
  await writeReceived(ctx, received);
  const sum = noCounts();
  for (const { counts } of received) addCounts(sum, counts);
  return { accepted: sum.logs, invalid: sum.invalid, dropped: sum.dropped, isRepeated: false };
}
