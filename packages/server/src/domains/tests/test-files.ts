import { createHash, type Hash, randomUUID } from 'node:crypto';
import { TEST_FILE_MAX_BYTES } from '@mooring/contract';
import type { AppCtx, Ctx } from '../../context.ts';
import { lock } from '../../db/locks.ts';
import { tx } from '../../db/tx.ts';
import { answerUrl } from '../../kernel/answer-url.ts';
import { DAY, HOUR } from '../../kernel/clock.ts';
import { badRequest, conflict, forbidden, notFound } from '../../kernel/errors.ts';
import { isSignedUntil, signUntil } from '../../kernel/sealed.ts';
import {
  defineUploadPurpose,
  deleteTakenFile,
  findUpload,
  type Incoming,
  receiveRange,
  takeUpload,
} from '../../uploads/index.ts';
import { getAppRef } from '../apps/index.ts';
import { refuseOverQuota } from '../usage/index.ts';
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
import { findAppOfRun } from './test-runs.store.ts';
import { getRunRow } from './test-runs.ts';

const testFiles = defineUploadPurpose('test_files', { maxBytes: TEST_FILE_MAX_BYTES });
const MOST_FILES = 20_000;
const PURPOSE = 'test-file';

export interface NamedFile {
  type: RunFileRow['type'];
  checksum: string;
  path: string;
}

/** A path that stays where a runner puts it. */
function checkPath(path: string): void {
  const parts = path.split('/');
  const isSafe = !/[\p{Cc}\\]/u.test(path) && parts.every((part) => part !== '' && part !== '.' && part !== '..');
  if (!isSafe || /^[A-Za-z]:/.test(path)) {
    throw badRequest(`"${path.slice(0, 100)}" is no path below the folder of a suite: parts with "/" between them.`);
  }
}

/** Says of each whether a run of the app has it. Knowing the checksum of a file of another app tells nothing about it. */
export const nameFiles = (ctx: AppCtx, runId: string, files: readonly NamedFile[]): Promise<boolean[]> =>
  tx(ctx, async (ctx) => {
    const run = await getRunRow(ctx, runId);
    if (run.status !== 'created') throw badRequest('This test run has started; make a new one for other files.');
    await lock(ctx, 'limits', `run-files ${runId}`);
    const held = Number((await countRunFiles.first(ctx.db, { runId }))?.count ?? 0);
    if (held + files.length > MOST_FILES) throw badRequest(`A test run has ${MOST_FILES} files at most.`);
    for (const { path } of files) checkPath(path);
    const named = files.map((file) => ({ ...file, checksum: file.checksum.toLowerCase() }));
    const checksums = JSON.stringify([...new Set(named.map(({ checksum }) => checksum))]);
    const { id: appId, ownerId } = ctx.app;
    const found = await useFiles.all(ctx.db, { ownerId, appId, checksums, now: ctx.clock.now() });
    const known = new Map(found.flatMap(({ id, sha256, sha1 }) => [sha256, sha1].map((sum) => [sum, id] as const)));
    // Of what is named twice, the last counts.
    const rows = new Map(
      named.map(({ type, path, checksum }) => [
        `${type} ${path}`,
        { run_id: runId, type, path, checksum, file_id: known.get(checksum) ?? null },
      ]),
    );
    await saveRunFiles(ctx.db, [...rows.values()]);
    return named.map(({ checksum }) => known.has(checksum));
  });

/** An address that takes one file of a run, until it expires; nothing is kept of it before something comes. */
export function offerUpload(ctx: Ctx, runId: string): string {
  const uploadId = randomUUID();
  const expiresAt = ctx.clock.now() + ctx.config.uploadHours * HOUR;
  const token = signUntil(ctx.secretKey, { purpose: PURPOSE, text: `${runId}\n${uploadId}`, expiresAt });
  return `${answerUrl(ctx)}/upload/test_files/${uploadId}?token=${token}&run=${runId}`;
}

async function* alsoSummed(content: AsyncIterable<Buffer>, sum: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    sum.update(chunk);
    yield chunk;
  }
}

/** Keeps a file whose checksum was named before; which path it has follows from that. */
export async function receiveTestFile(
  ctx: Ctx,
  { uploadId, token, runId }: { uploadId: string; token: string; runId: string },
  file: Incoming,
): Promise<void> {
  if (!isSignedUntil(ctx.secretKey, { purpose: PURPOSE, text: `${runId}\n${uploadId}`, token }, ctx.clock.now())) {
    throw forbidden('The token is not one of this address, or has expired; ask for another address.');
  }
  const which = { id: uploadId, ownerId: runId };
  const begun = await findUpload(ctx, testFiles, which);
  if (begun && begun.state !== 'open') {
    // What is on its way is read, so that the sender hears the answer.
    for await (const _ of file.content);
    if (begun.state === 'taken') return;
    throw conflict('This address has taken a file already; ask for another one.');
  }
  const of = await findAppOfRun.first(ctx.db, { id: runId });
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
    const run = await findAppOfRun.first(ctx.db, { id: runId });
    if (!run) throw notFound('test run', runId);
    if (run.status !== 'created') throw conflict('This test run has started; it takes no more files.');
    const id = ctx.newId();
    const filled = await fillRunFiles.run(ctx.db, { runId, sha256: taken.sha256, sha1, fileId: id });
    if (filled === 0) {
      throw badRequest('No file of this test run has the checksum of what came; name it first, or send it again.');
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

/** Files of suites that no run has any more. */
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
