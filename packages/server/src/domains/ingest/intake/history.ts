import { HISTORY_OLDEST_DAYS } from '@mooring/contract';
import { insertHistory } from '../batches/batches.store.ts';
import { toStored } from '../batches/stored-body.ts';
import { addCounts, noCounts } from '../counts.store.ts';
import { readInstallId } from '../validation/install-id.ts';
import { validateBody } from '../validation/log-validation.ts';
import { type Received, type WriteDeps, writeReceived } from './batch-writing.ts';
import type { Outcome } from './intake.ts';

/** A log that a device sent to another server. */
export interface PastLog {
  installId: string;
  log: unknown;
}

/** Logs per batch: consumers read a whole batch. */
const MAX_BATCH_LOGS = 1000;

async function toReceived(appId: string, sentId: string, logs: unknown[], now: number): Promise<Received> {
  const installId = readInstallId(sentId);
  const { valid, types, invalid, invalidCount, droppedCount } = validateBody({ logs }, installId, now, {
    oldestDays: HISTORY_OLDEST_DAYS,
  });
  const counts = { ...noCounts(), logs: valid.length, invalid: invalidCount, dropped: droppedCount };
  const common = { appId, installId: installId ?? '', types, invalid, isHistory: true };
  if (valid.length === 0) return { ...common, counts };
  const stored = await toStored(Buffer.from(JSON.stringify({ logs: valid })));
  return { ...common, stored, counts: { ...counts, batches: 1, bytes: stored.size } };
}

/** Validates logs of the past, of many installs and any day, and prepares them for storage. */
export async function validateHistory(
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

/** Stores the history in a transaction, unless a request with the same hash was imported before. */
export async function addHistory(
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
