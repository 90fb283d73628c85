import { buffer } from 'node:stream/consumers';
import type { KeptPosition, KeptReport, KeptReports } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { HOUR } from '../../../kernel/clock.ts';
import type { Stack } from '../stacks/stack.ts';
import { unpackJson } from './bodies.ts';
import { errorLogs } from './consumer.ts';
import {
  findPassed,
  listKeptAttachments,
  listKeptReports,
  pageKeptReports,
  readKeptAttachments,
  readKeptReports,
} from './kept-reports.store.ts';
import { stackText } from './sent-stacks.ts';
import type { Fields } from './values.ts';

const MOST_REPORTS = 1000;
/** As they are kept: logs and stacks are about ten times as large. */
const MOST_BYTES = 1024 * 1024;
const MOST_ATTACHMENTS = 100;
const MOST_ATTACHED_BYTES = 8 * 1024 * 1024;

/** The last of those that fit; one at least. */
function lastFitting<T extends { size: number }>(rows: readonly T[], mostBytes: number): T | undefined {
  let sum = 0;
  const end = rows.findIndex(({ size }, at) => {
    sum += size;
    return at > 0 && sum > mostBytes;
  });
  return end < 0 ? rows.at(-1) : rows[end - 1];
}

const unpack = (rows: Awaited<ReturnType<typeof readKeptReports.all>>): Promise<KeptReport[]> =>
  Promise.all(
    rows.map(async ({ at, received_at, batch, install_id, type, log, stack }) => {
      const calls = await unpackJson<Stack | null>(stack);
      return {
        ...{ at, receivedAt: received_at, batch: batch ?? undefined, installId: install_id, type },
        ...{ log: await unpackJson<Fields>(log), stack: calls ? stackText(calls) : '' },
      };
    }),
  );

const hourOf = (at: number): number => Math.floor(at / HOUR);

/** Reports and attachments of an app that are kept, for whoever takes them out: all, a few of one hour at a time, or those of a time. */
export const keptReports: KeptReports = {
  // Reports and the cursor of their batches change together under this lock.
  async passed(ctx, appId) {
    await lock(ctx, 'crash-reports', appId);
    return (await findPassed.first(ctx.db, { appId, consumer: errorLogs.name }))?.number ?? 0;
  },
  async next({ db }, kind, { after, ...kept }): Promise<KeptPosition | undefined> {
    if (kind === 'attachments') {
      const rows = await listKeptAttachments.all(db, { ...kept, id: after.id, limit: MOST_ATTACHMENTS });
      const last = lastFitting(rows, MOST_ATTACHED_BYTES);
      return last && { at: 0, id: last.id };
    }
    const rows = await listKeptReports.all(db, { ...kept, ...after, limit: MOST_REPORTS });
    const ofHour = rows.filter(({ at }) => hourOf(at) === hourOf(rows[0]?.at ?? 0));
    const last = lastFitting(ofHour, MOST_BYTES);
    return last && { at: last.at, id: last.id };
  },
  async reports({ db }, { after, to, ...kept }) {
    return unpack(await readKeptReports.all(db, { ...kept, ...after, toAt: to.at, toId: to.id }));
  },
  ofTime: async ({ db }, appId, page) => unpack(await pageKeptReports.all(db, { appId, ...page })),
  async *attachments({ db, blobs }, { after, to, ...kept }) {
    for (const row of await readKeptAttachments.all(db, { ...kept, id: after.id, toId: to.id })) {
      const blob = await blobs.get(row.blob_key);
      // It was deleted meanwhile.
      if (!blob) continue;
      yield {
        ...{ id: row.id, at: row.created_at, installId: row.install_id, errorId: row.error_id },
        ...{ contentType: row.content_type, fileName: row.file_name, bytes: await buffer(blob.stream) },
      };
    }
  },
};
