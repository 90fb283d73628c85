import type { Ctx, Deps } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { badRequest } from '../../../kernel/errors.ts';
import {
  defineUploadPurpose,
  deleteTakenFile,
  type Incoming,
  readContentRange,
  receiveRange,
  takeUpload,
} from '../../../uploads/index.ts';
import { getAppRef } from '../../apps/index.ts';
import { refuseOverQuota } from '../../usage/index.ts';
import type { RunnerJobFilesTable } from '../runners.tables.ts';
import {
  countFiles,
  deleteFileRow,
  findFileRow,
  insertFile,
  listFileRows,
  listJobFileRows,
  listOrphanFiles,
} from './runner-jobs.store.ts';

const jobFiles = defineUploadPurpose('runner_files');
/** Each screenshot is a file; a handover returns a package for each attempt. */
const MAX_FILES: Readonly<Record<string, number>> = { build: 100, test: 10_000, handover: 2 };

export type JobFile = Pick<RunnerJobFilesTable, 'id' | 'kind' | 'name' | 'size' | 'sha256' | 'attempt'> & {
  key: string;
};

const toFile = ({ id, kind, name, size, sha256, attempt, blob_key }: RunnerJobFilesTable): JobFile => ({
  id,
  kind,
  name,
  size,
  sha256,
  attempt,
  key: blob_key,
});

export interface SentFile {
  id: string;
  name: string;
  kind: string;
  contentRange: string | undefined;
  file: Incoming;
}

/** Stores a file, or a chunk of one. Sending a complete file again changes nothing. */
export async function receiveFile(
  ctx: Ctx & { job: { id: string; appId: string; kind: string; attempt: number } },
  { id, name, kind, contentRange, file }: SentFile,
): Promise<{ received: number; sha256?: string }> {
  const range = readContentRange(contentRange);
  const jobId = ctx.job.id;
  const existing = await findFileRow.first(ctx.db, { jobId, id });
  if (existing) {
    // Reads the rest of the body, so that the sender gets the response.
    for await (const _ of file.content);
    return { received: existing.size, sha256: existing.sha256 };
  }
  const most = MAX_FILES[ctx.job.kind] ?? 0;
  const refuseMany = async ({ db }: Pick<Ctx, 'db'>) => {
    if (Number((await countFiles.first(db, { jobId }))?.count ?? 0) >= most)
      throw badRequest(`A job can store at most ${most} files. Pack them into an archive.`);
  };
  await refuseMany(ctx);
  await refuseOverQuota({ ...ctx, app: await getAppRef(ctx, ctx.job.appId) }, 'storage_bytes');
  const { upload, received } = await receiveRange(
    ctx,
    jobFiles,
    { id, ownerId: jobId, fileName: name },
    { range, file },
  );
  if (upload.state !== 'finished') return { received };
  const taken = await tx(ctx, async (ctx) => {
    // Checked again: other files may have arrived.
    await lock(ctx, 'limits', `job-files ${jobId}`);
    await refuseMany(ctx);
    const taken = await takeUpload(ctx, jobFiles, { id, ownerId: jobId });
    await insertFile.run(ctx.db, {
      id,
      job_id: jobId,
      attempt: ctx.job.attempt,
      kind,
      name: taken.name,
      blob_key: taken.key,
      size: taken.size,
      sha256: taken.sha256,
    });
    return taken;
  });
  return { received: taken.size, sha256: taken.sha256 };
}

export const listJobFiles = async ({ db }: Pick<Deps, 'db'>, jobId: string): Promise<JobFile[]> =>
  (await listFileRows.all(db, { jobId })).map(toFile);

/** Lists files by job; omits screenshots unless requested, because a test job may have thousands. */
export async function listFilesByJob(
  { db }: Pick<Deps, 'db'>,
  jobIds: readonly string[],
  { hasPictures }: { hasPictures: boolean },
): Promise<Map<string, JobFile[]>> {
  const without = hasPictures ? '' : 'screenshot';
  const rows = await listJobFileRows.all(db, { jobIds: JSON.stringify(jobIds), without });
  const files = new Map<string, JobFile[]>();
  for (const row of rows) {
    const own = files.get(row.job_id);
    if (own) own.push(toFile(row));
    else files.set(row.job_id, [toFile(row)]);
  }
  return files;
}

/** Adds a file that a domain derived from those of a job; it is stored and swept with them. */
export const addJobFile = async (ctx: Ctx, jobId: string, file: Omit<JobFile, 'attempt'>): Promise<void> => {
  const { id, kind, name, key, size, sha256 } = file;
  await tx(ctx, ({ db }) =>
    insertFile.run(db, { id, job_id: jobId, attempt: 0, kind, name, blob_key: key, size, sha256 }),
  );
};

const BATCH = 100;

/** Deletes blobs first: a row that remains after a crash is found again. */
export async function sweepJobFiles(ctx: Deps): Promise<void> {
  for (;;) {
    const rows = await listOrphanFiles.all(ctx.db, { limit: BATCH });
    for (const { id, blob_key } of rows) {
      await deleteTakenFile(ctx, blob_key);
      await tx(ctx, ({ db }) => deleteFileRow.run(db, { id }));
    }
    if (rows.length < BATCH) return;
  }
}
