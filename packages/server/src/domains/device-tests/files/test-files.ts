import { createHash, type Hash, randomUUID } from 'node:crypto';
import { TEST_FILE_MAX_BYTES } from '@mooring/contract';
import type { AppCtx, Ctx } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { DAY, HOUR } from '../../../kernel/clock.ts';
import { isSignedUntil, signUntil } from '../../../kernel/crypto/sealed.ts';
import { badRequest, conflict, forbidden, notFound } from '../../../kernel/errors.ts';
import { getResponseUrl } from '../../../kernel/response-url.ts';
import {
  defineUploadPurpose,
  deleteTakenFile,
  findUpload,
  type Incoming,
  receiveRange,
  takeUpload,
} from '../../../uploads/index.ts';
import { getAppRef } from '../../apps/index.ts';
import { refuseOverQuota } from '../../usage/index.ts';
import { findRunApp } from '../runs/test-runs.store.ts';
import { getRunRow } from '../runs/test-runs.ts';
import {
  countRunFiles,
  deleteTestFile,
  dropUnusedFiles,
  fillRunFiles,
  insertTestFile,
  listDroppedFiles,
  type RunFileRow,
  saveRunFiles,
  useFiles,
} from './test-files.store.ts';

const testFiles = defineUploadPurpose('test_files', { maxBytes: TEST_FILE_MAX_BYTES });
const MAX_FILES = 20_000;
const PURPOSE = 'test-file';

export interface NamedFile {
  type: RunFileRow['type'];
  checksum: string;
  path: string;
}

/** Refuses paths that lead out of the suite's folder. */
function checkPath(path: string): void {
  const parts = path.split('/');
  const isSafe = !/[\p{Cc}\\]/u.test(path) && parts.every((part) => part !== '' && part !== '.' && part !== '..');
  if (!isSafe || /^[A-Za-z]:/.test(path)) {
    throw badRequest(
      `"${path.slice(0, 100)}" is not a path inside the folder of a suite. Send a relative path with "/" between its parts.`,
    );
  }
}

/**
 * Returns which files the app already has. Files of other apps do not count, so a known checksum reveals nothing about them.
 */
export const nameFiles = (ctx: AppCtx, runId: string, files: readonly NamedFile[]): Promise<boolean[]> =>
  tx(ctx, async (ctx) => {
    const run = await getRunRow(ctx, runId);
    if (run.status !== 'created') throw badRequest("Can't add files: this test run has started. Create a new run.");
    await lock(ctx, 'limits', `run-files ${runId}`);
    const fileCount = Number((await countRunFiles.first(ctx.db, { runId }))?.count ?? 0);
    if (fileCount + files.length > MAX_FILES)
      throw badRequest(`A test run can have at most ${MAX_FILES} files. Remove some, or pack them into an archive.`);
    for (const { path } of files) checkPath(path);
    const named = files.map((file) => ({ ...file, checksum: file.checksum.toLowerCase() }));
    const checksums = JSON.stringify([...new Set(named.map(({ checksum }) => checksum))]);
    const { id: appId, ownerId } = ctx.app;
    const found = await useFiles.all(ctx.db, { ownerId, appId, checksums, now: ctx.clock.now() });
    const known = new Map(found.flatMap(({ id, sha256, sha1 }) => [sha256, sha1].map((sum) => [sum, id] as const)));
    // Of repeated paths, the last counts.
    const rows = new Map(
      named.map(({ type, path, checksum }) => [
        `${type} ${path}`,
        { run_id: runId, type, path, checksum, file_id: known.get(checksum) ?? null },
      ]),
    );
    await saveRunFiles(ctx.db, [...rows.values()]);
    return named.map(({ checksum }) => known.has(checksum));
  });

/** Returns a temporary URL for uploading one file of a run; nothing is stored until then. */
export function offerUpload(ctx: Ctx, runId: string): string {
  const uploadId = randomUUID();
  const expiresAt = ctx.clock.now() + ctx.config.uploadHours * HOUR;
  const token = signUntil(ctx.secretKey, { purpose: PURPOSE, text: `${runId}\n${uploadId}`, expiresAt });
  return `${getResponseUrl(ctx)}/upload/test_files/${uploadId}?token=${token}&run=${runId}`;
}

async function* alsoSummed(content: AsyncIterable<Buffer>, sum: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    sum.update(chunk);
    yield chunk;
  }
}

/** Receives a file that was announced by its checksum, which determines its path. */
export async function receiveTestFile(
  ctx: Ctx,
  { uploadId, token, runId }: { uploadId: string; token: string; runId: string },
  file: Incoming,
): Promise<void> {
  if (!isSignedUntil(ctx.secretKey, { purpose: PURPOSE, text: `${runId}\n${uploadId}`, token }, ctx.clock.now())) {
    throw forbidden('The token does not match this upload URL, or has expired. Request a new URL.');
  }
  const which = { id: uploadId, ownerId: runId };
  const begun = await findUpload(ctx, testFiles, which);
  if (begun && begun.state !== 'open') {
    // Read the rest of the body, so that the client receives the response.
    for await (const _ of file.content);
    if (begun.state === 'taken') return;
    throw conflict('This upload URL was already used. Request a new one.');
  }
  const of = await findRunApp.first(ctx.db, { id: runId });
  if (!of) throw notFound('test run', runId);
  await refuseOverQuota({ ...ctx, app: await getAppRef(ctx, of.app_id) }, 'storage_bytes');
  const sum = createHash('sha1');
  const summed = {
    content: alsoSummed(file.content, sum),
    get received() {
      return file.received;
    },
    sha256: () => file.sha256(),
  };
  await receiveRange(ctx, testFiles, { ...which, fileName: 'file' }, { range: undefined, file: summed });
  const sha1 = sum.digest('hex');
  await tx(ctx, async (ctx) => {
    const taken = await takeUpload(ctx, testFiles, which);
    const run = await findRunApp.first(ctx.db, { id: runId });
    if (!run) throw notFound('test run', runId);
    if (run.status !== 'created') throw conflict("Can't add files: this test run has started. Create a new run.");
    const id = ctx.newId();
    const filled = await fillRunFiles.run(ctx.db, { runId, sha256: taken.sha256, sha1, fileId: id });
    if (filled === 0) {
      throw badRequest(
        'The checksum of the uploaded file matches no file of this test run. Add the file to the run first, or upload it again.',
      );
    }
    await insertTestFile.run(ctx.db, {
      id,
      owner_id: run.owner_id,
      sha256: taken.sha256,
      sha1,
      size: taken.size,
      blob_key: taken.key,
      used_at: ctx.clock.now(),
      is_dropped: 0,
    });
  });
}

const BATCH = 100;

/** Deletes files of suites that no run refers to. */
export async function sweepTestFiles(ctx: Ctx): Promise<void> {
  await tx(ctx, ({ db }) => dropUnusedFiles.run(db, { before: ctx.clock.now() - DAY }));
  for (;;) {
    const rows = await listDroppedFiles.all(ctx.db, { limit: BATCH });
    for (const { id, blob_key } of rows) {
      await deleteTakenFile(ctx, blob_key);
      await tx(ctx, ({ db }) => deleteTestFile.run(db, { id }));
    }
    if (rows.length < BATCH) return;
  }
}
