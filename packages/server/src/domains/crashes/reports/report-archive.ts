import { buffer } from 'node:stream/consumers';
import type { Ctx, Deps } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { HOUR } from '../../../kernel/clock.ts';
import { getPassedNumber } from '../../ingest/index.ts';
import type { Kind } from '../crashes.tables.ts';
import type { Stack } from '../stacks/stack.ts';
import { unpackJson } from './bodies.ts';
import { errorLogs } from './processing/consumer.ts';
import { readSentStacks, stackText } from './processing/sent-stacks.ts';
import {
  listArchivedAttachments,
  listArchivedReports,
  pageArchivedReports,
  readArchivedAttachments,
  readArchivedReports,
} from './report-archive.store.ts';
import type { Fields } from './values.ts';

/** Position after which the archive continues. */
export interface ArchivePosition {
  at: number;
  id: string;
}

/** Reports of an app after a position, up to a batch of `ingest`. */
export interface ArchiveRest {
  appId: string;
  upTo: number;
  after: ArchivePosition;
}

type ArchivePart = ArchiveRest & { to: ArchivePosition };

/** A crash or an error as received, with its stack as text. */
export interface ArchivedReport {
  at: number;
  receivedAt: number;
  /** The batch that contained it; unknown for reports stored by early versions. */
  batch: number | undefined;
  installId: string;
  type: string;
  log: Readonly<Record<string, unknown>>;
  stack: string;
}

export interface ArchivedAttachment {
  id: string;
  at: number;
  installId: string;
  errorId: string;
  contentType: string;
  fileName: string;
  bytes: Buffer;
}

const MAX_REPORTS = 1000;
/** Compressed size; logs and stacks are about ten times as large. */
const MAX_BYTES = 1024 * 1024;
const MAX_ATTACHMENTS = 100;
const MAX_ATTACHED_BYTES = 8 * 1024 * 1024;

/** The last row that fits into the limit; at least the first. */
function lastFitting<T extends { size: number }>(rows: readonly T[], mostBytes: number): T | undefined {
  let sum = 0;
  const end = rows.findIndex(({ size }, at) => {
    sum += size;
    return at > 0 && sum > mostBytes;
  });
  return end < 0 ? rows.at(-1) : rows[end - 1];
}

const unpack = (rows: Awaited<ReturnType<typeof readArchivedReports.all>>): Promise<ArchivedReport[]> =>
  Promise.all(
    rows.map(async ({ at, received_at, batch, install_id, type, log, stack }) => {
      const calls = await unpackJson<Stack | null>(stack);
      return {
        ...{ at, receivedAt: received_at, batch: batch ?? undefined, installId: install_id, type },
        ...{ log: await unpackJson<Fields>(log), stack: calls ? stackText(calls) : '' },
      };
    }),
  );

const toHour = (at: number): number => Math.floor(at / HOUR);

/** All stored crashes and errors of an app, for a domain that copies them elsewhere. */
export const reportArchive = {
  /** In a transaction: returns the last batch of `ingest` whose reports are here. */
  async passed(ctx: Ctx, appId: string): Promise<number> {
    // Reports and the cursor of their batches change together under this lock.
    await lock(ctx, 'crash-reports', appId);
    return getPassedNumber(ctx, errorLogs, appId);
  },
  /** Finds the end of the next part, which fits into memory and is within one hour; undefined at the end. */
  async next(
    { db }: Pick<Deps, 'db'>,
    kind: 'reports' | 'attachments',
    { after, ...scope }: ArchiveRest,
  ): Promise<ArchivePosition | undefined> {
    if (kind === 'attachments') {
      const rows = await listArchivedAttachments.all(db, { ...scope, id: after.id, limit: MAX_ATTACHMENTS });
      const last = lastFitting(rows, MAX_ATTACHED_BYTES);
      return last && { at: 0, id: last.id };
    }
    const rows = await listArchivedReports.all(db, { ...scope, ...after, limit: MAX_REPORTS });
    const ofHour = rows.filter(({ at }) => toHour(at) === toHour(rows[0]?.at ?? 0));
    const last = lastFitting(ofHour, MAX_BYTES);
    return last && { at: last.at, id: last.id };
  },
  async reports({ db }: Pick<Deps, 'db'>, { after, to, ...scope }: ArchivePart): Promise<ArchivedReport[]> {
    return unpack(await readArchivedReports.all(db, { ...scope, ...after, toAt: to.at, toId: to.id }));
  },
  sentStacks: readSentStacks,
  /** Reports within a time range, oldest first. */
  ofTime: async (
    { db }: Pick<Deps, 'db'>,
    appId: string,
    page: { kinds: readonly Kind[]; from: number; to: number; skip: number; limit: number },
  ): Promise<ArchivedReport[]> => unpack(await pageArchivedReports(db, { appId, ...page })),
  async *attachments(
    { db, blobs }: Pick<Deps, 'db' | 'blobs'>,
    { after, to, ...scope }: ArchivePart,
  ): AsyncGenerator<ArchivedAttachment> {
    for (const row of await readArchivedAttachments.all(db, { ...scope, id: after.id, toId: to.id })) {
      const blob = await blobs.get(row.blob_key);
      // Deleted in the meantime.
      if (!blob) continue;
      yield {
        ...{ id: row.id, at: row.created_at, installId: row.install_id, errorId: row.error_id },
        ...{ contentType: row.content_type, fileName: row.file_name, bytes: await buffer(blob.stream) },
      };
    }
  },
};
