import { setImmediate } from 'node:timers/promises';
import type { Ctx } from '../../context.ts';
import type { DataSubject, SubjectRecords } from '../../extensions/subject-records.ts';
import { publish } from '../../jobs/index.ts';
import { toIso } from '../../kernel/clock.ts';
import { deleteInvalidLog, findLastReceived, pageInvalidLogs } from './counts.store.ts';
import { erasureRequested } from './ingest.events.ts';

/**
 * Announces an erasure, in the caller's transaction: every domain deletes its records of the data subject up to now.
 */
export async function eraseDataSubject(ctx: Ctx, { appId, kind, value }: DataSubject): Promise<void> {
  const last = await findLastReceived.first(ctx.db, { appId });
  const until = Math.max(ctx.clock.now(), last?.last_received_at ?? 0);
  await publish(ctx, erasureRequested, { appId, kind, value, until });
}

/** Rows in memory: an app may have tens of thousands. */
const PAGE = 500;

/** Invalid logs are searched by their text, which is all that identifies their data subject. */
async function* readInvalidLogs({ db }: Pick<Ctx, 'db'>, { appId, kind, value }: DataSubject) {
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

export async function deleteSubjectInvalidLogs(ctx: Ctx, subject: DataSubject): Promise<void> {
  for await (const { id } of readInvalidLogs(ctx, subject))
    await deleteInvalidLog.run(ctx.db, { appId: subject.appId, id });
}

export const subjectInvalidLogs: SubjectRecords = {
  name: 'invalid_logs',
  async *read(ctx, subject) {
    for await (const { received_at, install_id, reason, log } of readInvalidLogs(ctx, subject)) {
      yield { received_at: toIso(received_at), install_id, reason, log };
    }
  },
  async countLeft(ctx, subject, until) {
    let count = 0;
    for await (const { received_at } of readInvalidLogs(ctx, subject)) if (received_at <= until) count += 1;
    return count;
  },
};
