// Runs in the thread that `intake-thread.ts` starts.
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { databaseFailure } from '../../../db/failures.ts';
import { openDatabase } from '../../../db/open.ts';
import { versionsReader } from '../../../db/versions.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { Failure } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { createIntake } from '../logs/logs.ts';
import type { IntakeOptions, IntakeReply, IntakeRequest, Settled } from './intake-protocol.ts';

const { config, consumers } = workerData as IntakeOptions;
const tell = (reply: IntakeReply): void => parentPort?.postMessage(reply);

/** One to write, one to look up who is blocked. */
const POOL = 2;

/** It adds rows at the end, and reads little. */
const CACHE_MB = 8;

const location = config.databaseUrl ?? path.join(config.dataDir, 'mooring.db');
const db = openDatabase({ location, poolSize: POOL, cacheMb: CACHE_MB });
const takeLogs = createIntake(
  {
    config,
    db,
    clock: systemClock,
    newId,
    wakeJobs: () => tell('wake'),
    versionsNow: versionsReader(db),
  },
  () => consumers,
);

async function serve({ id, sending }: Exclude<IntakeRequest, 'stop'>[number]): Promise<Settled> {
  try {
    return { id, outcome: await takeLogs(sending) };
  } catch (error) {
    const failure = error instanceof Failure ? error : databaseFailure(error);
    if (!failure) return { id, error };
    const { code, message, headers } = failure;
    return { id, failure: { code, message, headers } };
  }
}

let settled: Settled[] = [];

/** Those of one commit are told together. */
function answer(one: Settled): void {
  if (settled.push(one) > 1) return;
  process.nextTick(() => {
    tell(settled);
    settled = [];
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
