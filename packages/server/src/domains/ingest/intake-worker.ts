// Runs in the thread that `intake-thread.ts` starts.
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { databaseFailure } from '../../db/failures.ts';
import { openDatabase } from '../../db/open.ts';
import { versionsReader } from '../../db/versions.ts';
import { systemClock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { IntakeOptions, IntakeReply, IntakeRequest } from './intake-protocol.ts';
import { createIntake } from './logs.ts';

const { config, consumers } = workerData as IntakeOptions;
const tell = (reply: IntakeReply): void => parentPort?.postMessage(reply);

/** One to write, one to look up who is blocked. */
const POOL = 2;

const db = openDatabase({ location: config.databaseUrl ?? path.join(config.dataDir, 'mooring.db'), poolSize: POOL });
const takeLogs = createIntake(
  {
    config,
    db,
    clock: systemClock,
    newId,
    wakeJobs: () => tell({ wake: true }),
    versionsNow: versionsReader(db),
  },
  () => consumers,
);

async function serve({ id, sending }: Exclude<IntakeRequest, 'stop'>): Promise<IntakeReply> {
  try {
    return { id, outcome: await takeLogs(sending) };
  } catch (error) {
    const failure = error instanceof Failure ? error : databaseFailure(error);
    if (!failure) return { id, error };
    const { code, message, headers } = failure;
    return { id, failure: { code, message, headers } };
  }
}

parentPort?.on('message', async (request: IntakeRequest) => {
  if (request !== 'stop') return tell(await serve(request));
  await db.close();
  parentPort?.close();
});
