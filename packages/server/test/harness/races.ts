import { setImmediate } from 'node:timers/promises';
import { CompiledQuery } from 'kysely';
import type { DialectName } from '../../src/db/connection.ts';
import { openDatabase } from '../../src/db/open.ts';
import type { TestApp } from './app.ts';

const raw = (text: string) => ({ compile: () => CompiledQuery.raw(text) });

/** Connections of this database that wait for a lock. */
const waiting = raw(`SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND pid <> pg_backend_pid()`);

/** Every connection of the pool is open, so that none is still opening while another commits. */
const warm = (app: TestApp): Promise<unknown> =>
  Promise.all(Array.from({ length: app.deps.config.databasePool }, () => app.database.query(() => raw('SELECT 1'))));

/**
 * Runs requests one after the other while another connection holds a lock: each comes as far as that, or as a lock that one
 * of them holds, or to its end, before the next begins. Then the lock is given back. On SQLite transactions take turns, so
 * there is only their order.
 */
export async function whileLocked<T>(
  { dialect, location }: { dialect: DialectName; location: string },
  lock: string,
  requests: readonly (() => Promise<T>)[],
): Promise<T[]> {
  const answers: Promise<T>[] = [];
  if (dialect === 'sqlite') {
    for (const request of requests) await answers[answers.push(request()) - 1];
    return Promise.all(answers);
  }
  const gate = openDatabase({ location, poolSize: 2 });
  let answered = 0;
  try {
    await gate.transaction(async (db) => {
      await db.query(() => raw(lock));
      for (const request of requests) {
        answers.push(
          request().finally(() => {
            answered += 1;
          }),
        );
        while ((await gate.query(() => waiting)).length + answered < answers.length) await setImmediate();
      }
    });
    return await Promise.all(answers);
  } finally {
    await gate.close();
  }
}

/**
 * Runs requests whose transactions are all open at the same time: each comes as far as its entry in the audit log, with which
 * every change ends, or in another table that is named, and nobody commits before the last has come that far.
 */
export async function atOnce<T>(
  app: TestApp,
  requests: readonly (() => Promise<T>)[],
  table = 'audit_events',
): Promise<T[]> {
  const { dialect } = app.database;
  if (dialect === 'postgres') await warm(app);
  // Reading stays possible.
  const lock = `LOCK TABLE ${table} IN SHARE MODE`;
  return whileLocked({ dialect, location: app.deps.config.databaseUrl ?? '' }, lock, requests);
}
