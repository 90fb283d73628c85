import type { Ctx, Sender, SenderRecords } from '../../context.ts';
import { publish } from '../../jobs/index.ts';
import { toIso } from '../../kernel/clock.ts';
import { deleteInvalidLog, findLastReceived, listAllInvalidLogs } from './counts.store.ts';
import { senderForgotten } from './ingest.events.ts';

/** In a transaction: whoever keeps something of what came until now is told to delete it. */
export async function forgetSender(ctx: Ctx, { appId, kind, value }: Sender): Promise<void> {
  const last = await findLastReceived.first(ctx.db, { appId });
  const until = Math.max(ctx.clock.now(), last?.last_received_at ?? 0);
  await publish(ctx, senderForgotten, { appId, kind, value, until });
}

/** Of a log that nobody can read, only its text tells whose it is. */
async function listInvalidLogsOf({ db }: Pick<Ctx, 'db'>, { appId, kind, value }: Sender) {
  const quoted = JSON.stringify(value);
  const rows = await listAllInvalidLogs.all(db, { appId });
  return rows.filter(({ install_id, log }) => (kind === 'install' ? install_id === value : log.includes(quoted)));
}

export async function deleteInvalidLogsOf(ctx: Ctx, sender: Sender): Promise<void> {
  for (const { id } of await listInvalidLogsOf(ctx, sender))
    await deleteInvalidLog.run(ctx.db, { appId: sender.appId, id });
}

export const senderInvalidLogs: SenderRecords = {
  name: 'invalid_logs',
  async *read(ctx, sender) {
    for (const { received_at, install_id, reason, log } of await listInvalidLogsOf(ctx, sender)) {
      yield { received_at: toIso(received_at), install_id, reason, log };
    }
  },
  async countLeft(ctx, sender, until) {
    return (await listInvalidLogsOf(ctx, sender)).filter(({ received_at }) => received_at <= until).length;
  },
};
