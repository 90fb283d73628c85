import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { RunningServer } from './server.ts';

/** Jobs that failed for seven hours, as the queue stores them. */
export function writeDeadLetters(server: RunningServer, ...ids: string[]): void {
  const database = new DatabaseSync(path.join(server.dataDir, 'mooring.db'), { timeout: 10_000 });
  const insert = database.prepare(
    `INSERT INTO jobs (id, name, payload, attempts, due_at, lease, last_error, failed_at, created_at)
     VALUES (?, 'mail.send', ?, 15, NULL, NULL, 'connect ECONNREFUSED', ?, ?)`,
  );
  for (const id of ids) insert.run(id, JSON.stringify({ mailId: id }), Date.now(), Date.now());
  database.close();
}
