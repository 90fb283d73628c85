import { setImmediate } from 'node:timers/promises';
import { CompiledQuery } from 'kysely';
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
 * Runs requests whose transactions are all open at the same time: each comes as far as its entry in the audit log, or in
 * another table that is named, or as a lock that another holds, before the next begins, and nobody commits before the last
 * has come that far. On SQLite transactions take turns, so there is only their order.
 */
export async function atOnce<T>(
  app: TestApp,
  requests: readonly (() => Promise<T>)[],
  table = 'audit_events',
): Promise<T[]> {
  const answers: Promise<T>[] = [];
  if (app.database.dialect === 'sqlite') {
    for (const request of requests) await answers[answers.push(request()) - 1];
    return Promise.all(answers);
  }
  await warm(app);
  const gate = openDatabase({ location: app.deps.config.databaseUrl ?? '', poolSize: 2 });
  let answered = 0;
  try {
    await gate.transaction(async (db) => {
      // Reading stays possible; every change ends with writing in the audit log.
      await db.query(() => raw(`LOCK TABLE ${table} IN SHARE MODE`));
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
