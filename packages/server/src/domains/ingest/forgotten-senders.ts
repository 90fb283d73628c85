import { setImmediate } from 'node:timers/promises';
import type { Ctx, Sender, SenderRecords } from '../../context.ts';
import { publish } from '../../jobs/index.ts';
import { toIso } from '../../kernel/clock.ts';
import { deleteInvalidLog, findLastReceived, pageInvalidLogs } from './counts.store.ts';
import { senderForgotten } from './ingest.events.ts';

/** In a transaction: whoever keeps something of what came until now is told to delete it. */
export async function forgetSender(ctx: Ctx, { appId, kind, value }: Sender): Promise<void> {
  const last = await findLastReceived.first(ctx.db, { appId });
  const until = Math.max(ctx.clock.now(), last?.last_received_at ?? 0);
  await publish(ctx, senderForgotten, { appId, kind, value, until });
}

/** Rows in memory at a time: an app may have tens of thousands. */
const PAGE = 500;

/** Of a log that nobody can read, only its text tells whose it is. */
async function* readInvalidLogs({ db }: Pick<Ctx, 'db'>, { appId, kind, value }: Sender) {
  const quoted = JSON.stringify(value);
  for (let after = ''; ; ) {
    const rows = await pageInvalidLogs.all(db, { appId, after, limit: PAGE });
    yield* rows.filter(({ install_id, log }) => (kind === 'install' ? install_id === value : log.includes(quoted)));
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.id;
    await setImmediate();
  }
}

export async function deleteInvalidLogsOf(ctx: Ctx, sender: Sender): Promise<void> {
  for await (const { id } of readInvalidLogs(ctx, sender))
    await deleteInvalidLog.run(ctx.db, { appId: sender.appId, id });
}

export const senderInvalidLogs: SenderRecords = {
  name: 'invalid_logs',
  async *read(ctx, sender) {
    for await (const { received_at, install_id, reason, log } of readInvalidLogs(ctx, sender)) {
      yield { received_at: toIso(received_at), install_id, reason, log };
    }
  },
  async countLeft(ctx, sender, until) {
    let count = 0;
    for await (const { received_at } of readInvalidLogs(ctx, sender)) if (received_at <= until) count += 1;
    return count;
  },
};
