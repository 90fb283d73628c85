import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { isPostgres, openDatabase } from '../packages/server/src/db/open.ts';
import { indexEntriesOf, rowOf } from '../packages/server/src/domains/health/events/event-rows.ts';
import { settle } from '../packages/server/src/domains/health/events/event-rules.ts';
import type { Event } from '../packages/server/src/domains/health/events/rendering.ts';
import type { HealthIndexTable } from '../packages/server/src/domains/health/health.tables.ts';
import { mintToken } from '../packages/server/src/domains/tokens/token-value.ts';
import { MINUTE } from '../packages/server/src/kernel/clock.ts';
import { newId } from '../packages/server/src/kernel/ids.ts';
import { eventAt, subscriptions } from './health-world.ts';
import { migrated } from './seed.ts';

const BATCH = 5000;

const made = { by: 'operator@example.com', type: 'User' } as const;
const systemData: Event['systemData'] = {
  createdAt: '2020-01-01T00:00:00.000Z',
  createdBy: made.by,
  createdByType: made.type,
  lastModifiedAt: '2020-01-01T00:00:00.000Z',
  lastModifiedBy: made.by,
  lastModifiedByType: made.type,
};

interface Rows {
  health_events: object[];
  health_index: HealthIndexTable[];
}

/** The rows that publishing these events writes. */
function rowsOf(from: number, to: number): Rows {
  const rows: Rows = { health_events: [], health_index: [] };
  for (let n = from; n < to; n++) {
    const { trackingId, draft } = eventAt(n);
    const now = Date.parse(draft.lastUpdateTime ?? '');
    const row = rowOf(trackingId, 1, systemData, settle(draft, undefined, { now, keepsTimes: true }));
    const { audiences, facets, sortAt: sort_at, name, seq } = indexEntriesOf(row, n + 1);
    rows.health_events.push({ seq, ...row });
    for (const audience of audiences) {
      for (const facet of facets) rows.health_index.push({ audience, facet, sort_at, name, seq });
    }
  }
  return rows;
}

function* batches(count: number) {
  for (let from = 0; from < count; from += BATCH) yield rowsOf(from, Math.min(count, from + BATCH));
}

/** The same events again and again, each time with other names and at later times. */
function copying(count: number, copies: number, inOrder: boolean): string {
  const series = `WITH RECURSIVE copies (k) AS (SELECT CAST(1 AS bigint) UNION ALL SELECT k + 1 FROM copies WHERE k < ${copies - 1})`;
  const later = `sort_at - k * ${count * MINUTE}`;
  return `
    INSERT INTO health_events (seq, name, name_key, revision, sort_at, event_type, event_source, status, event_level,
      level, is_hir, priority, impact_start_at, facets, audiences, search_key,
      body)
    ${series} SELECT seq + k * ${count}, name || '-' || k, name_key || '-' || k, revision, ${later}, event_type,
      event_source, status, event_level, level, is_hir, priority, impact_start_at + k * ${count * MINUTE}, facets,
      audiences, search_key, replace(body, name, name || '-' || k) FROM copies, health_events;
    INSERT INTO health_index (audience, facet, sort_at, name, seq)
    ${series} SELECT audience, facet, ${later}, name || '-' || k, seq + k * ${count} FROM copies, health_index
    ${inOrder ? 'ORDER BY 1, 2, 3, 4' : ''};`;
}

/** The index is filled in its own order, which is many times faster. */
function fillSqlite(file: string, count: number, copies: number): void {
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -262144; BEGIN;
    CREATE TEMP TABLE entries AS SELECT * FROM health_index;`);
  const insert = (table: string, rows: readonly object[]) => {
    const names = Object.keys(rows[0] ?? {});
    const marks = names.map(() => '?').join();
    const statement = database.prepare(`INSERT INTO ${table} (${names.join()}) VALUES (${marks})`);
    for (const row of rows) statement.run(...Object.values(row));
  };
  for (const { health_events, health_index } of batches(count)) {
    insert('health_events', health_events);
    insert('entries', health_index);
  }
  database.exec('INSERT INTO health_index SELECT * FROM entries ORDER BY 1, 2, 3, 4');
  if (copies > 1) database.exec(copying(count, copies, true));
  database.exec('COMMIT; PRAGMA journal_mode = WAL');
  database.close();
}

async function fillPostgres(url: string, count: number, copies: number): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`SET synchronous_commit = off; SET maintenance_work_mem = '512MB'; SET work_mem = '256MB';
    ALTER TABLE health_index DROP CONSTRAINT health_index_key`);
  for (const batch of batches(count)) {
    for (const [name, rows] of Object.entries(batch)) {
      const text = `INSERT INTO ${name} SELECT * FROM json_populate_recordset(NULL::${name}, $1)`;
      await client.query(text, [JSON.stringify(rows)]);
    }
  }
  if (copies > 1) await client.query(copying(count, copies, false));
  await client.query(`SELECT setval(pg_get_serial_sequence('health_events', 'seq'), ${count * copies});
    ALTER TABLE health_index ADD CONSTRAINT health_index_key PRIMARY KEY (audience, facet, sort_at, name, seq)`);
  await client.query('VACUUM ANALYZE');
  await client.end();
}

/** A migrated database with many events, and somebody who owns all subscriptions and publishes; returns their token. */
export async function seedHealth(location: string, count: number, copies = 1): Promise<string> {
  await (await migrated(location)).close();
  if (isPostgres(location)) await fillPostgres(location, count, copies);
  else fillSqlite(location, count, copies);

  const { value, hash, lastFour } = mintToken('user');
  const database = openDatabase({ location });
  await database.transaction(async (db) => {
    const id = newId();
    const display = { display_name: 'Operator', display_name_key: 'operator' };
    const names = { name: 'operator', name_key: 'operator', ...display, avatar_url: null };
    const email = { email: made.by, email_key: made.by, password_hash: '' };
    const flags = { is_admin: 0, is_disabled: 0, service_org_id: null, is_email_verified: 1 } as const;
    const times = { created_at: 1, updated_at: 1 };
    await db.query((q) => q.insertInto('owners').values({ id, kind: 'user', ...names, ...times }));
    await db.query((q) => q.insertInto('users').values({ id, ...email, ...flags }));
    await db.query((q) => q.insertInto('health_operators').values({ user_id: id, created_at: 1 }));
    const owned = subscriptions.map((subscription) => ({
      id: subscription.id,
      tenant_id: subscription.tenantId,
      display_name: subscription.id,
      owner_id: id,
      ...times,
    }));
    await db.query((q) => q.insertInto('subscriptions').values(owned));
    await db.query((q) =>
      q.insertInto('api_tokens').values({
        hash,
        id: newId(),
        app_id: null,
        created_by: id,
        description: null,
        scope: 'all',
        last_four: lastFour,
        created_at: 1,
        expires_at: null,
        last_used_at: null,
      }),
    );
  });
  await database.close();
  return value;
}
