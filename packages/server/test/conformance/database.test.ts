import { DatabaseSync } from 'node:sqlite';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { CompiledQuery, type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runSql } from '../../../../test-support/postgres.ts';
import type { DialectName } from '../../src/db/drivers/connection.ts';
import { type Database, type Db, isPostgres, openDatabase } from '../../src/db/open.ts';
import { isAmong, isDiskFull, isReferenceGone, isTaken, isUnavailable, lockRows } from '../../src/db/portable.ts';
import { claim } from '../../src/db/rows/claim.ts';
import { keyValue } from '../../src/db/rows/key-values.ts';
import { accessTo } from '../../src/db/statement.ts';
import { defineViews } from '../../src/db/tables.ts';
import { tx } from '../../src/db/tx.ts';
import { toFailure } from '../../src/http/responses/errors.ts';
import { conflict } from '../../src/kernel/errors.ts';
import { testApp } from '../harness/app.ts';
import { atOnce } from '../harness/races.ts';
import { eachDatabase, emptyDatabase, freshDatabase } from '../harness/services/databases.ts';

interface Mail {
  id: string;
  to: string;
  subject: string;
  text: string;
  created_at: number;
}

const { insertInto, statement, updateRow } = accessTo(
  defineViews<{ key_values: { name: string; value: string }; mails: Mail }>(),
);

const insertValue = statement((q, p: { name: string; value: string }) =>
  q.insertInto('key_values').values({ name: p.name, value: p.value }),
);
const findValue = statement((q, p: { name: string }) =>
  q
    .selectFrom('key_values')
    .select(['value', sql<number>`1`.as('one')])
    .where('name', '=', p.name),
);
const listValues = statement((q) => q.selectFrom('key_values').selectAll().orderBy('name'));
const changeValue = statement((q, p: { name: string; value: string }) =>
  q.updateTable('key_values').set({ value: p.value }).where('name', '=', p.name).returning('value'),
);
const listNamed = statement((q, p: { names: string }, dialect) =>
  q
    .selectFrom('key_values')
    .select('value')
    .where(isAmong(dialect, 'name', p.names))
    .orderBy('name'),
);
const deleteValues = statement((q) => q.deleteFrom('key_values'));
const lockedValue = statement((q, p: { name: string }, dialect) =>
  lockRows(dialect, q.selectFrom('key_values').select('value').where('name', '=', p.name)),
);

const raw = (text: string) => ({ compile: () => CompiledQuery.raw(text) });

async function open(dialect: DialectName, handles = 1): Promise<Database[]> {
  const fresh = await freshDatabase(dialect);
  const databases = Array.from({ length: handles }, () => openDatabase({ location: fresh.location }));
  onTestFinished(async () => {
    for (const database of databases) await database.close();
    await fresh.remove();
  });
  return databases;
}

const one = async (dialect: DialectName): Promise<Database> => {
  const [database] = await open(dialect);
  if (!database) throw new Error('no database');
  return database;
};

eachDatabase('database', (dialect) => {
  test('a statement binds values and constants in their places, repeatedly', async () => {
    const db = await one(dialect);
    await tx({ db }, async ({ db }) => {
      for (const name of ['b', 'a', "c'; --"]) await insertValue.run(db, { name, value: `of ${name}` });
    });
    expect(await findValue.first(db, { name: "c'; --" })).toMatchObject({ value: "of c'; --", one: 1 });
    expect(await findValue.first(db, { name: 'd' })).toBeUndefined();
    expect((await listValues.all(db)).map(({ name }) => name)).toEqual(['a', 'b', "c'; --"]);
    const changed = await tx({ db }, ({ db }) => changeValue.first(db, { name: 'a', value: 'new' }));
    expect(changed).toMatchObject({ value: 'new' });
    expect(await tx({ db }, ({ db }) => deleteValues.run(db))).toBe(3);
  });

  test('finds rows by many texts in one query, including quotes and backslashes', async () => {
    const [db] = await open(dialect);
    if (!db) throw new Error('There is no database.');
    const names = ['plain', 'a "quote"', "it's", 'back\\slash', 'ü', '{1,2}'];
    await tx({ db }, async ({ db }) => {
      for (const name of names) await insertValue.run(db, { name, value: name });
    });
    const find = async (ids: string[]) =>
      (await listNamed.all(db, { names: JSON.stringify(ids) })).map(({ value }) => value);
    expect((await find([...names, ...Array.from({ length: 10_000 }, (_, at) => `none ${at}`)])).sort()).toEqual(
      [...names].sort(),
    );
    expect([await find(['plain', 'plain']), await find([])]).toEqual([['plain'], []]);
  });

  test('a failure rolls back the whole transaction, and nested ones join it', async () => {
    const db = await one(dialect);
    const failing = tx({ db }, async (ctx) => {
      await insertValue.run(ctx.db, { name: 'outer', value: '' });
      await tx(ctx, (inner) => insertValue.run(inner.db, { name: 'inner', value: '' }));
      throw new Error('undo');
    });
    await expect(failing).rejects.toThrow('undo');
    expect(await listValues.all(db)).toEqual([]);
  });

  test('readers outside see only committed data', async () => {
    const db = await one(dialect);
    await tx({ db }, async (inner) => {
      await insertValue.run(inner.db, { name: 'a', value: '' });
      expect(await listValues.all(db)).toEqual([]);
      expect(await listValues.all(inner.db)).toHaveLength(1);
    });
    expect(await listValues.all(db)).toHaveLength(1);
  });

  test('locked rows make racing read-then-write transactions take turns', async () => {
    const databases = await open(dialect, 2);
    const [first] = databases;
    if (!first) throw new Error('no database');
    await tx({ db: first }, ({ db }) => insertValue.run(db, { name: 'count', value: '0' }));
    const increments = Array.from({ length: 20 }, (_, n) => {
      const db = databases[n % 2] ?? first;
      return tx({ db }, async ({ db }) => {
        const row = await lockedValue.first(db, { name: 'count' });
        await changeValue.first(db, { name: 'count', value: String(Number(row?.value) + 1) });
      });
    });
    await Promise.all(increments);
    expect((await findValue.first(first, { name: 'count' }))?.value).toBe('20');
  });

  test('migrating again changes nothing, also in parallel', async () => {
    const databases = await open(dialect, 3);
    expect(await Promise.all(databases.map((database) => database.migrate()))).toEqual([[], [], []]);
    expect(await databases[0]?.pendingMigrations()).toEqual([]);
  });

  test('refuses a database of a newer version', async () => {
    const db = await one(dialect);
    await tx({ db }, async ({ db }) => {
      const insert =
        "INSERT INTO migrations (name, timestamp) VALUES ('9999-from-the-future', '2100-01-01T00:00:00.000Z')";
      await db.query(() => raw(insert));
    });
    await expect(db.migrate()).rejects.toThrow('newer version of Mooring');
  });
});

eachDatabase('statements that list columns', (dialect) => {
  const insertMail = insertInto('mails');
  const updateMail = updateRow('mails');
  const listMails = statement((q) =>
    q.selectFrom('mails').select(['id', 'to', 'subject', 'text', 'created_at']).orderBy('id'),
  );

  test('updates only the passed columns of one row', async () => {
    const db = await one(dialect);
    const mail = { to: 'grace@example.com', subject: 'Hello', text: 'Welcome.', created_at: 1 };
    const changed = await tx({ db }, async ({ db }) => {
      for (const id of ['a', 'b']) await insertMail.run(db, { ...mail, id });
      return [
        await updateMail.run(db, { id: 'a', subject: 'Hello again' }),
        await updateMail.run(db, { id: 'b', text: 'Good-bye.', created_at: 2 }),
        await updateMail.run(db, { id: 'c', subject: 'Nobody' }),
      ];
    });
    expect(changed).toEqual([1, 1, 0]);
    expect(await listMails.all(db)).toEqual([
      { ...mail, id: 'a', subject: 'Hello again' },
      { ...mail, id: 'b', text: 'Good-bye.', created_at: 2 },
    ]);
  });
});

eachDatabase('concurrent transactions', (dialect) => {
  test('are rolled back one by one: a failed one changes nothing, the others commit', async () => {
    const db = await one(dialect);
    const names = Array.from({ length: 40 }, (_, n) => `value-${String(n).padStart(2, '0')}`);
    const outcomes = await Promise.allSettled(
      names.map((name, n) =>
        tx({ db }, async (inner) => {
          await insertValue.run(inner.db, { name, value: 'whole' });
          if (n % 3 === 0) throw new Error('undo');
          if (n % 3 === 1) await insertValue.run(inner.db, { name, value: 'again' });
        }),
      ),
    );
    const committed = names.filter((_, n) => outcomes[n]?.status === 'fulfilled');
    expect(committed).toEqual(names.filter((_, n) => n % 3 === 2));
    expect((await listValues.all(db)).map(({ name }) => name)).toEqual(committed);
  });

  test('continue after a failed one, and after an error of the database', async () => {
    const db = await one(dialect);
    await expect(tx({ db }, (inner) => inner.db.query(() => raw('select nonsense')))).rejects.toThrow();
    await tx({ db }, (inner) => insertValue.run(inner.db, { name: 'a', value: '' }));
    expect(await listValues.all(db)).toHaveLength(1);
  });
});

test('on PostgreSQL a deadlocked transaction is retried from its start', async () => {
  const db = await one('postgres');
  await tx({ db }, async (inner) => {
    for (const name of ['a', 'b']) await insertValue.run(inner.db, { name, value: '' });
  });
  const meeting = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let attempts = 0;
  /** Takes two rows, and waits in between on the first attempt, until the other transaction has taken its first one. */
  const take = (order: string[], at: number) =>
    tx({ db }, async (inner) => {
      attempts += 1;
      for (const name of order) {
        const row = await lockedValue.first(inner.db, { name });
        await changeValue.run(inner.db, { name, value: `${row?.value}${at}` });
        meeting[at]?.resolve();
        await Promise.all(meeting.map(({ promise }) => promise));
      }
    });
  await Promise.all([take(['a', 'b'], 0), take(['b', 'a'], 1)]);
  // The rolled-back transaction may meet the other one again.
  expect(attempts).toBeGreaterThanOrEqual(3);
  for (const { value } of await listValues.all(db)) expect(value).toHaveLength(2);
});

test('on PostgreSQL a process continues after a newer version changes its tables', async () => {
  const db = await one('postgres');
  const add = (column: string) =>
    tx({ db }, (inner) => inner.db.query(() => raw(`alter table key_values add column ${column} integer`)));
  const several = Array.from({ length: 8 });
  await tx({ db }, (inner) => insertValue.run(inner.db, { name: 'a', value: '1' }));
  // On every connection, because each has its own plan cache.
  await Promise.all(several.map(() => listValues.all(db)));
  await add('one_more');
  for (const found of await Promise.all(several.map(() => listValues.all(db)))) {
    expect(found).toEqual([{ name: 'a', value: '1', one_more: null }]);
  }
  await add('another');
  const read = (value: string) =>
    tx({ db }, async (inner) => {
      await changeValue.run(inner.db, { name: 'a', value });
      return listValues.all(inner.db);
    });
  expect(await read('2')).toEqual([{ name: 'a', value: '2', one_more: null, another: null }]);
});

test('on SQLite transactions of one tick share a commit, and get results only after it', async () => {
  const db = await one('sqlite');
  let notifications = 0;
  const seen: [number, number, number][] = [];
  // On a busy machine, a group would exceed its time and end early.
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  onTestFinished(() => now.mockRestore());
  const three = ['a', 'b', 'c'].map((name) =>
    tx({ db }, async (inner) => {
      await insertValue.run(inner.db, { name, value: '' });
      seen.push([(await listValues.all(inner.db)).length, (await listValues.all(db)).length, notifications]);
    }).then(() => notifications++),
  );
  await Promise.all(three);
  expect(seen).toEqual([
    [1, 0, 0],
    [2, 0, 0],
    [3, 0, 0],
  ]);
  expect(await listValues.all(db)).toHaveLength(3);
});

test('on SQLite a thread that writes constantly does not block others for long', async () => {
  const [busy, other] = await open('sqlite', 2);
  if (!busy || !other) throw new Error('two handles');
  let isOver = false;
  let written = 0;
  const writing = (async () => {
    for (; !isOver; written += 1) {
      await tx({ db: busy }, async (inner) => {
        await insertValue.run(inner.db, { name: `busy ${written}`, value: '' });
        await sleep(5);
      });
    }
  })();
  await expect.poll(() => written).toBeGreaterThan(2);
  const before = written;
  for (const name of ['a', 'b', 'c'])
    await tx({ db: other }, (inner) => insertValue.run(inner.db, { name, value: '' }));
  const between = written - before;
  isOver = true;
  await writing;
  expect(between).toBeLessThan(60);
});

test('on SQLite a full disk rolls back the whole group, and all callers get the error', async () => {
  const db = await one('sqlite');
  const limit = async (pages: number) => {
    await tx({ db }, (inner) => inner.db.query(() => raw(`pragma max_page_count = ${pages}`)));
  };
  await limit(1);
  const outcomes = await Promise.allSettled([
    tx({ db }, (inner) => insertValue.run(inner.db, { name: 'small', value: '' })),
    tx({ db }, (inner) => insertValue.run(inner.db, { name: 'large', value: 'x'.repeat(1_000_000) })),
  ]);
  const committed = ['small', 'large'].filter((_, n) => outcomes[n]?.status === 'fulfilled');
  expect(committed).not.toContain('large');
  expect((await listValues.all(db)).map(({ name }) => name)).toEqual(committed);
  await limit(1_000_000_000);
  await tx({ db }, (inner) => insertValue.run(inner.db, { name: 'large', value: 'x'.repeat(1_000_000) }));
  expect(await findValue.first(db, { name: 'large' })).toBeDefined();
});

test('on SQLite a write outside a transaction is refused', async () => {
  const db = await one('sqlite');
  await expect(insertValue.run(db, { name: 'a', value: '' })).rejects.toThrow('A write needs a transaction');
});

test('distinguishes an unreachable PostgreSQL from an internal error', async () => {
  const db = openDatabase({ location: 'postgres://nobody@127.0.0.1:1/none' });
  const error = await findValue.first(db, { name: 'a' }).catch((failure: unknown) => failure);
  expect(isUnavailable(error)).toBe(true);
  expect(isUnavailable(new Error('anything else'))).toBe(false);
  await db.close();
});

test('a connection to PostgreSQL that is lost within a transaction fails only that one', async () => {
  const location = await emptyDatabase('postgres');
  const db = openDatabase({ location });
  const run = (db: Db, query: RawBuilder<{ pid: number }>) =>
    db.query((q) => q.selectFrom(query.as('asked')).select(sql<number>`asked.pid`.as('pid')));
  const failure = await tx({ db }, async (ctx) => {
    const [own] = await run(ctx.db, sql`(SELECT pg_backend_pid() AS pid)`);
    await runSql(location, `SELECT pg_terminate_backend(${own?.pid})`);
    while ((await run(db, sql`(SELECT pid FROM pg_stat_activity WHERE pid = ${own?.pid})`)).length > 0);
    // By now the client has noticed, without a running query.
    await setImmediate();
    await findValue.first(ctx.db, { name: 'a' });
  }).catch((error: unknown) => error);
  expect(isUnavailable(failure)).toBe(true);
  expect(await db.pendingMigrations()).not.toEqual([]);
  await db.close();
});

eachDatabase('a row that refers to a deleted row', (dialect) => {
  test('is recognized as a unique violation', async () => {
    const db = await one(dialect);
    const row = { user_id: 'gone', created_at: 0 };
    const failure = await tx({ db }, ({ db }) => db.query((q) => q.insertInto('health_operators').values(row))).catch(
      (error: unknown) => error,
    );
    expect([isReferenceGone(failure), isUnavailable(failure)]).toEqual([true, false]);
    expect(toFailure(failure as Error, { bodyLimit: 1 })).toMatchObject({ code: 'Conflict' });
  });
});

eachDatabase('a small value that all processes share', (dialect) => {
  test('takes turns with others on a locked row', async () => {
    const app = await testApp(dialect);
    const count = keyValue('test.count');
    await tx(app.deps, ({ db }) => count.save(db, '0'));
    const add = () => tx(app.deps, async ({ db }) => count.save(db, String(Number(await count.lock(db)) + 1)));
    await atOnce(app, [add, add, add], 'key_values');
    expect(await count.find(app.deps.db)).toBe('3');
  });
});

eachDatabase('a unique row', (dialect) => {
  const owner = { kind: 'org', name: 'x', display_name: 'X', display_name_key: 'x' } as const;
  const rest = { avatar_url: null, created_at: 0, updated_at: 0 };
  const group = { name: 'g', name_key: 'g', display_name: null, is_public: 0, created_at: 0 } as const;
  test.each([
    ['by its key', 'owners', ['id'], ['name_key']],
    ['by another column', 'owners', ['name_key'], ['id']],
    ['by several columns', 'distribution_groups', ['org_id', 'name_key'], ['name_key']],
  ])('recognizes %s, and refuses it only where expected', async (_what, table, columns, others) => {
    const db = await one(dialect);
    const failure: unknown = await tx({ db }, async ({ db }) => {
      const add = (id: string, key: string) =>
        db.query((q) => q.insertInto('owners').values({ id, name_key: key, ...owner, ...rest }));
      await add('1', 'x');
      if (table === 'owners') return add(columns[0] === 'id' ? '1' : '2', columns[0] === 'id' ? 'y' : 'x');
      for (const id of ['a', 'b']) {
        await db.query((q) => q.insertInto('distribution_groups').values({ id, org_id: '1', app_id: null, ...group }));
      }
    }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(isTaken(failure, { table, columns })).toBe(true);
    expect([isTaken(failure, { table, columns: others }), isTaken(failure, { table: 'apps', columns })]).toEqual([
      false,
      false,
    ]);
    expect([isReferenceGone(failure), isUnavailable(failure)]).toEqual([false, false]);

    const refusal = conflict('It is taken.');
    const write = () => Promise.reject(failure);
    await expect(claim({ table, columns }, refusal, write())).rejects.toBe(refusal);
    await expect(claim({ table, columns: others }, refusal, write())).rejects.toBe(failure);
    expect(toFailure(failure as Error, { bodyLimit: 1 })).toBeUndefined();
  });
});

test.each([
  ['SQLite is busy', { code: 'ERR_SQLITE_ERROR', errcode: 5 }, 'away'],
  ['SQLite cannot write, by an extended code', { code: 'ERR_SQLITE_ERROR', errcode: 778 }, 'away'],
  ['SQLite has no room', { code: 'ERR_SQLITE_ERROR', errcode: 13 }, 'full'],
  ['SQLite refuses a value', { code: 'ERR_SQLITE_ERROR', errcode: 2067 }, 'ours'],
  ['PostgreSQL starts up', { code: '57P03' }, 'away'],
  ['PostgreSQL became a standby', { code: '25006' }, 'away'],
  ['PostgreSQL has no room', { code: '53100' }, 'full'],
  ['PostgreSQL refuses a value', { code: '23505' }, 'ours'],
  ['a connection broke', new Error('Client has encountered a connection error and is not queryable'), 'away'],
  ['a disk has no room', { code: 'ENOSPC' }, 'full'],
])('when %s, the error is recognized', (_what, error, fault) => {
  expect({ away: isUnavailable(error), full: isDiskFull(error) }).toEqual({
    away: fault === 'away',
    full: fault === 'full',
  });
});

/** Takes the lock of a migrating process. Returns a function that releases it. */
async function holdMigrations(location: string): Promise<() => Promise<void>> {
  if (!isPostgres(location)) {
    const lock = new DatabaseSync(`${location}-lock`);
    lock.exec('BEGIN EXCLUSIVE');
    return async () => lock.close();
  }
  const client = new pg.Client({ connectionString: location });
  await client.connect();
  await client.query('SELECT pg_advisory_lock(1836019570)');
  return () => client.end();
}

eachDatabase('migrations', (dialect) => {
  test('run once when several processes start on an empty database', async () => {
    const location = await emptyDatabase(dialect);
    const databases = Array.from({ length: 4 }, () => openDatabase({ location }));
    onTestFinished(async () => {
      for (const database of databases) await database.close();
    });
    const applied = await Promise.all(databases.map((database) => database.migrate()));
    expect(applied.filter((names) => names.length > 0)).toHaveLength(1);
    for (const database of databases) expect(await database.pendingMigrations()).toEqual([]);
  });

  test('wait for those of another process, and report it', async () => {
    const { location, remove } = await freshDatabase(dialect);
    const release = await holdMigrations(location);
    const { promise: message, resolve } = Promise.withResolvers<string>();
    const database = openDatabase({ location, onWait: resolve });
    onTestFinished(async () => {
      await database.close();
      await remove();
    });
    const migrating = database.migrate();
    expect(await message).toContain('waiting for another process, which is migrating the database');
    await release();
    expect(await migrating).toEqual([]);
  });

  test('leave nothing behind when one of them fails', async () => {
    const location = await emptyDatabase(dialect);
    const database = openDatabase({ location });
    onTestFinished(() => database.close());
    // Makes the first migration fail midway.
    await tx({ db: database }, ({ db }) => db.query(() => raw('create table sessions (id text)')));
    await expect(database.migrate()).rejects.toThrow("Can't migrate the database");
    const owners = database.query(() => raw('select * from owners'));
    await expect(owners).rejects.toThrow(/owners/);
  });

  test('inserts rows with columns in any order, missing ones, and conflict handling', async () => {
    const database = await one(dialect);
    const names = accessTo(
      defineViews<{
        mails: Record<'id' | 'to' | 'subject' | 'text', string> & { created_at: number; error: string | null };
      }>(),
    );
    const insert = names.insertInto('mails', (row, p) =>
      row.onConflict((c) => c.column('id').doUpdateSet({ subject: p.subject })).returning(['id', 'subject', 'error']),
    );
    const mail = { id: 'a', to: 'ada@example.com', subject: 'Hello', text: '', created_at: 5 };
    const { id, ...rest } = mail;
    await database.transaction(async (db) => {
      expect(await insert.first(db, mail)).toEqual({ id: 'a', subject: 'Hello', error: null });
      expect(await insert.first(db, { ...rest, id, subject: 'Again' })).toEqual({
        id: 'a',
        subject: 'Again',
        error: null,
      });
      expect(await insert.first(db, { ...mail, id: 'b', error: 'late' })).toMatchObject({ id: 'b', error: 'late' });
    });
  });
});
