import { setImmediate } from 'node:timers/promises';
import { CompiledQuery } from 'kysely';
import type { DialectName } from '../../src/db/drivers/connection.ts';
import { openDatabase } from '../../src/db/open.ts';
import type { TestApp } from './app.ts';

const raw = (text: string) => ({ compile: () => CompiledQuery.raw(text) });

/** Connections of this database that wait for a lock. */
const waiting = raw(`SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND pid <> pg_backend_pid()`);

/** Opens all connections of the pool, so that none is still connecting while another one commits. */
const warm = (app: TestApp): Promise<unknown> =>
  Promise.all(Array.from({ length: app.deps.config.databasePool }, () => app.database.query(() => raw('SELECT 1'))));

/**
 * Starts requests one after another while another connection holds a lock: each runs until that lock, a lock of another
 * request, or its end before the next one starts. Then releases the lock. On SQLite transactions take turns, so only
 * their order matters.
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
 * Runs requests whose transactions are all open at the same time: each runs until its entry in the audit log (or in
 * another table), and none commits before the last one has arrived there.
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
