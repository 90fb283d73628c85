import { onTestFinished } from 'vitest';
import { createBlobStore } from '../../../src/blobs/index.ts';
import type { Deps } from '../../../src/context.ts';
import type { DialectName } from '../../../src/db/drivers/connection.ts';
import { openDatabase } from '../../../src/db/open.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { createLog } from '../../../src/kernel/log.ts';
import { createFetch } from '../../../src/outbound/fetch.ts';
import { readConfig } from '../../../src/settings.ts';
import { createEngine } from '../../../src/telemetry/index.ts';
import { createWorkers } from '../../../src/workers/index.ts';
import { freshDatabase } from './databases.ts';

/** Several processes on one database, with one clock and without domains, so that they have only the jobs of a test. */
export async function openProcesses(dialect: DialectName, count = 1) {
  const fresh = await freshDatabase(dialect);
  const databases = Array.from({ length: count }, () => openDatabase({ location: fresh.location, poolSize: 4 }));
  onTestFinished(async () => {
    for (const database of databases) await database.close();
    await fresh.remove();
  });
  let time = Date.parse('2026-11-01T09:00:00Z');
  const all = databases.map((db): Deps & { wake: () => void } => {
    const deps = {
      config: readConfig({}),
      settings: {},
      db,
      clock: { now: () => time },
      newId,
      log: createLog('silent'),
      blobs: createBlobStore(readConfig({})),
      telemetry: createEngine(readConfig({}), createLog('silent')),
      workers: createWorkers(createLog('silent')),
      fetch: createFetch({ allow: [] }),
      mailer: undefined,
      program: { version: '0.0.0', startedAt: 0 },
      listeners: [],
      extensions: new Map(),
      onStop: () => undefined,
      wake: (): void => undefined,
      secretKey: Buffer.alloc(32),
      wakeJobs: () => deps.wake(),
      versionsNow: async () => ({ grants: 0, responses: 0 }),
      publicUrl: () => 'https://localhost',
    };
    return deps;
  });
  const [first] = all;
  if (!first) throw new Error('no process');
  return {
    all,
    deps: first,
    location: fresh.location,
    advance: (ms: number) => {
      time += ms;
    },
    left: () => first.db.query((q) => q.selectFrom('jobs').selectAll()),
  };
}
