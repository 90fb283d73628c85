import { onTestFinished } from 'vitest';
import { createBlobStore } from '../../src/blobs/index.ts';
import { readConfig } from '../../src/config.ts';
import type { Deps } from '../../src/context.ts';
import type { DialectName } from '../../src/db/connection.ts';
import { openDatabase } from '../../src/db/open.ts';
import { keptLogs } from '../../src/domains/analytics/parts/kept-logs.ts';
import { knownIssues } from '../../src/domains/crashes/issues/known-issues.ts';
import { keptReports } from '../../src/domains/crashes/reports/kept-reports.ts';
import { newId } from '../../src/kernel/ids.ts';
import { createLog } from '../../src/kernel/log.ts';
import { createFetch } from '../../src/outbound/fetch.ts';
import { createEngine } from '../../src/telemetry/index.ts';
import { createWorkers } from '../../src/workers/index.ts';
import { freshDatabase } from './databases.ts';

/** As many processes as asked for, over one database and with one clock; without domains, so that they have the jobs of a test. */
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
      db,
      clock: { now: () => time },
      newId,
      log: createLog('silent'),
      blobs: createBlobStore(readConfig({})),
      telemetry: createEngine(readConfig({}), createLog('silent')),
      workers: createWorkers(createLog('silent')),
      keptLogs,
      issues: knownIssues,
      keptReports,
      askTelemetry: () => Promise.reject(new Error('nothing is counted here')),
      fetch: createFetch({ allow: [] }),
      mailer: undefined,
      program: { version: '0.0.0', startedAt: 0 },
      listeners: [],
      finders: [],
      glances: [],
      measures: [],
      gauges: [],
      readers: [],
      connections: [],
      senderRecords: [],
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
