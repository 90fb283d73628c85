// Runs in the thread that `intake-thread.ts` starts.
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { databaseFailure } from '../../../db/failures.ts';
import { openDatabase } from '../../../db/open.ts';
import { versionsReader } from '../../../db/versions.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { Failure } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { createIntake, type Sending } from './intake.ts';
import type { IntakeOptions, IntakeReply, IntakeRequest, IntakeResult } from './intake-protocol.ts';

const { config, consumers } = workerData as IntakeOptions;
const send = (reply: IntakeReply): void => parentPort?.postMessage(reply);

/** One connection for writing, one for reading blocks. */
const POOL = 2;

/** The thread appends rows and reads little. */
const CACHE_MB = 8;

const location = config.databaseUrl ?? path.join(config.dataDir, 'mooring.db');
const db = openDatabase({ location, poolSize: POOL, cacheMb: CACHE_MB });
const take = createIntake(
  {
    config,
    db,
    clock: systemClock,
    newId,
    wakeJobs: () => send('wake'),
    versionsNow: versionsReader(db),
  },
  () => consumers,
);

async function serve({ id, sending }: Exclude<IntakeRequest, 'stop'>[number]): Promise<IntakeResult> {
  try {
    return { id, outcome: await take(sending as Sending) };
  } catch (error) {
    const failure = error instanceof Failure ? error : databaseFailure(error);
    if (!failure) return { id, error };
    const { code, message, headers } = failure;
    return { id, failure: { code, message, headers } };
  }
}

let results: IntakeResult[] = [];

/** Results of one commit are sent together. */
function answer(one: IntakeResult): void {
  if (results.push(one) > 1) return;
  process.nextTick(() => {
    send(results);
    results = [];
  });
}

parentPort?.on('message', async (request: IntakeRequest) => {
  if (request !== 'stop') {
    for (const one of request) void serve(one).then(answer);
    return;
  }
  await db.close();
  parentPort?.close();
});
