import { setImmediate } from 'node:timers/promises';
import { CompiledQuery } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createBuilder } from '../../src/db/builders.ts';
import type { DialectName } from '../../src/db/drivers/connection.ts';
import { type LockName, lock } from '../../src/db/locks.ts';
import { oncePerTick } from '../../src/db/once-per-tick.ts';
import { type Database, type Db, openDatabase } from '../../src/db/open.ts';
import { isRemembered } from '../../src/db/remembered-tables.ts';
import { accessTo } from '../../src/db/statement.ts';
import { tx } from '../../src/db/tx.ts';
import { versionsReader } from '../../src/db/versions.ts';
import { accountsTables } from '../../src/domains/accounts/accounts.tables.ts';
import { appsTables } from '../../src/domains/apps/apps.tables.ts';
import '../../src/domains.ts';
import { eachDatabase, freshDatabase } from '../harness/services/databases.ts';

const { statement } = accessTo(accountsTables);
const apps = accessTo(appsTables);

const foreign = createBuilder<{ migrations: { name: string; timestamp: string } }>;

const names = { display_name: 'Ada', display_name_key: 'ada' };
const owner = { kind: 'user', ...names, avatar_url: null, created_at: 0, updated_at: 0 } as const;
const user = { password_hash: '', is_admin: 0, is_disabled: 0, service_org_id: null, is_email_verified: 1 } as const;
const app = { os: 'iOS', platform: 'Java', release_type: null, icon_url: null, description: null } as const;
const session = { created_at: 0, last_seen_at: 0, expires_at: 9, address: '', user_agent: null } as const;

const insertOwner = statement((q, p: { id: string }) =>
  q.insertInto('owners').values({ ...owner, id: p.id, name: p.id, name_key: p.id }),
);
const renameOwner = statement((q, p: { id: string; name: string }) =>
  q.updateTable('owners').set({ display_name: p.name }).where('id', '=', p.id),
);
const touchSession = statement((q, p: { at: number }) => q.updateTable('sessions').set({ last_seen_at: p.at }));
const extendSession = statement((q, p: { at: number }) =>
  q.updateTable('sessions').set({ last_seen_at: p.at, expires_at: p.at }).returning('id'),
);
const insertMember = apps.statement((q) =>
  q
    .insertInto('app_members')
    .values({ app_id: 'app', user_id: 'ada', permission: 'viewer' })
    .onConflict((c) => c.columns(['app_id', 'user_id']).doNothing()),
);

/** Two processes on a database with a user, a session and an app. */
async function open(dialect: DialectName) {
  const fresh = await freshDatabase(dialect);
  const [here, there] = [openDatabase({ location: fresh.location }), openDatabase({ location: fresh.location })];
  onTestFinished(async () => {
    await here.close();
    await there.close();
    await fresh.remove();
  });
  await tx({ db: here }, async ({ db }) => {
    await insertOwner.run(db, { id: 'ada' });
    await db.query((q) => q.insertInto('users').values({ ...user, id: 'ada', email: 'a@b', email_key: 'a@b' }));
    await db.query((q) => q.insertInto('sessions').values({ ...session, hash: 'h', id: 's', user_id: 'ada' }));
    const display = { display_name: 'App', display_name_key: 'app' };
    const named = { id: 'app', name: 'app', name_key: 'app', ...display, app_secret: 'x' };
    await db.query((q) =>
      q.insertInto('apps').values({ ...app, ...named, owner_id: 'ada', created_at: 0, updated_at: 0 }),
    );
  });
  return { here, there };
}

/** Versions that rise for another process after this operation. */
async function raisedBy({ here, there }: { here: Database; there: Database }, work: (db: Db) => Promise<unknown>) {
  const versions = versionsReader(there);
  const before = await versions();
  await tx({ db: here }, ({ db }) => work(db)).catch(() => undefined);
  const after = await versions();
  return Object.entries(after).flatMap(([name, value]) =>
    value === before[name as keyof typeof before] ? [] : [name],
  );
}

eachDatabase('cached responses', (dialect) => {
  test.each<[string, (db: Db) => Promise<unknown>, string[]]>([
    ['a statement that changes a row', (db) => renameOwner.run(db, { id: 'ada', name: 'A' }), ['grants']],
    ['one that changes none', (db) => renameOwner.run(db, { id: 'eve', name: 'A' }), []],
    ['one that sets only what does not matter', (db) => touchSession.run(db, { at: 5 }), []],
    ['one that also sets what matters, and returns it', (db) => extendSession.run(db, { at: 5 }), ['grants']],
    ['a new row that nobody can have asked for', (db) => insertOwner.run(db, { id: 'grace' }), []],
    ['a new row that gives rights', (db) => insertMember.run(db), ['grants']],
    ['a read', (db) => db.query((q) => q.selectFrom('owners').selectAll()), []],
    ['a query that removes rows', (db) => db.query((q) => q.deleteFrom('sessions')), ['grants']],
    ['one that removes none', (db) => db.query((q) => q.deleteFrom('team_apps')), []],
    [
      'what only answers show',
      (db) => db.query((q) => q.updateTable('apps').set({ icon_url: '/x', updated_at: 1 })),
      ['responses'],
    ],
    ['what both show', (db) => db.query((q) => q.deleteFrom('apps')), ['grants', 'responses']],
    [
      'a statement that changes a row if it is there',
      (db) =>
        db.query((q) =>
          q
            .insertInto('sessions')
            .values({ ...session, hash: 'h', id: 's', user_id: 'ada' })
            .onConflict((c) => c.column('hash').doUpdateSet({ expires_at: 1 })),
        ),
      ['grants'],
    ],
    [
      'SQL that was written by hand',
      (db) =>
        db.query(() => ({ compile: () => CompiledQuery.raw("update owners set display_name = 'A' returning id") })),
      ['grants', 'responses'],
    ],
    [
      'a table under another name',
      (db) => db.query((q) => q.updateTable('owners as o').set({ updated_at: 1 })),
      ['grants', 'responses'],
    ],
    [
      'a table that nobody declared',
      (db) => db.query(() => foreign(dialect).insertInto('migrations').values({ name: 'x', timestamp: '' })),
      ['grants', 'responses'],
    ],
    [
      'a transaction that is undone',
      async (db) => {
        await renameOwner.run(db, { id: 'ada', name: 'A' });
        throw new Error('undo');
      },
      [],
    ],
    [
      'a transaction within another',
      (db) => db.transaction((db) => db.query((q) => q.deleteFrom('sessions'))),
      ['grants'],
    ],
  ])('%s', async (_what, work, raised) => {
    expect(await raisedBy(await open(dialect), work)).toEqual(raised);
  });

  test('each of many concurrent transactions raises the version, failed ones do not', async () => {
    const { here, there } = await open(dialect);
    const versions = versionsReader(there);
    const before = await versions();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) =>
        tx({ db: n % 2 ? here : there }, async ({ db }) => {
          await renameOwner.run(db, { id: 'ada', name: `Ada ${n}` });
          if (n % 5 === 0) throw new Error('undo');
        }),
      ),
    );
    const done = outcomes.filter(({ status }) => status === 'fulfilled').length;
    expect([done, (await versions()).grants - before.grants]).toEqual([16, 16]);
  });

  test('refuses a write outside a transaction, so that none is missed', async () => {
    const { here } = await open(dialect);
    await expect(renameOwner.run(here, { id: 'ada', name: 'A' })).rejects.toThrow('needs a transaction');
    await expect(here.query((q) => q.deleteFrom('sessions'))).rejects.toThrow('needs a transaction');
    expect(await here.query((q) => q.selectFrom('sessions').select('id'))).toHaveLength(1);
  });

  test('tracks rows that are deleted or changed together with cached ones', async () => {
    const { here } = await open(dialect);
    const references = await here.query<{ child: string; parent: string }>(() => ({
      compile: () => CompiledQuery.raw(referencesIn[dialect]),
    }));
    expect(references.length).toBeGreaterThan(20);
    const missed = references.filter(({ child, parent }) => isRemembered(child) && !isRemembered(parent));
    expect(missed).toEqual([]);
  });
});

/** Tables whose rows the database deletes or changes itself, with their cause. */
const referencesIn: Record<DialectName, string> = {
  sqlite: `SELECT m.name AS child, f."table" AS parent FROM sqlite_schema m JOIN pragma_foreign_key_list(m.name) f
    WHERE f.on_delete <> 'NO ACTION' OR f.on_update <> 'NO ACTION'`,
  postgres: `SELECT conrelid::regclass::text AS child, confrelid::regclass::text AS parent FROM pg_constraint
    WHERE contype = 'f' AND (confdeltype <> 'a' OR confupdtype <> 'a')`,
};

eachDatabase('reading the versions', (dialect) => {
  test('shares a read among callers in one tick, and reads again for later ones', async () => {
    const { here } = await open(dialect);
    const versions = versionsReader(here);
    const together = [versions(), versions(), versions()];
    expect(new Set(together).size).toBe(1);
    const before = await together[0];
    await tx({ db: here }, ({ db }) => renameOwner.run(db, { id: 'ada', name: 'A' }));
    expect(await versions()).toEqual({ ...before, grants: (before?.grants ?? 0) + 1 });
  });
});

test('does not return a running read, which may be older, to a later caller', async () => {
  const reads: PromiseWithResolvers<number>[] = [];
  const readOnce = oncePerTick(() => {
    const read = Promise.withResolvers<number>();
    reads.push(read);
    return read.promise;
  });
  const early = readOnce();
  await setImmediate();
  expect(reads).toHaveLength(1);
  const late = readOnce();
  await setImmediate();
  expect(reads).toHaveLength(2);
  reads[1]?.resolve(2);
  reads[0]?.resolve(1);
  expect([await early, await late]).toEqual([1, 2]);
});

/** Two processes with an open connection each, so that neither wins because the other is still connecting. */
async function openWarm(dialect: DialectName) {
  const databases = await open(dialect);
  await Promise.all(Object.values(databases).map((db) => tx({ db }, async () => undefined)));
  return databases;
}

/** A lock in this database. */
const waiting = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

const isAnybodyWaiting = async (db: Db): Promise<boolean> =>
  (await db.query(() => ({ compile: () => CompiledQuery.raw(waiting) }))).length > 0;

eachDatabase('a lock with a name', (dialect) => {
  test.each<[LockName, string?]>([['administrators'], ['apps', 'one']])(
    'admits one transaction at a time in all processes: %s',
    async (...expected) => {
      const { here, there } = await openWarm(dialect);
      const steps: string[] = [];
      const taken = Promise.withResolvers<void>();
      const first = tx({ db: here }, async (ctx) => {
        await lock(ctx, ...expected);
        taken.resolve();
        // On SQLite the second transaction does not even start.
        while (dialect === 'postgres' && steps.length === 0 && !(await isAnybodyWaiting(here)));
        steps.push('the first ends');
      });
      await taken.promise;
      const second = tx({ db: there }, async (ctx) => {
        await lock(ctx, ...expected);
        steps.push('the second has it');
      });
      await Promise.all([first, second]);
      expect(steps).toEqual(['the first ends', 'the second has it']);
    },
  );

  test('is refused outside a transaction, which would release it immediately', async () => {
    const { here } = await open(dialect);
    await expect(lock({ db: here }, 'administrators')).rejects.toThrow('needs a transaction');
  });
});

test.each<[[LockName, string?], [LockName, string?]]>([
  [['administrators'], ['signing-keys']],
  [
    ['apps', 'one'],
    ['apps', 'other'],
  ],
])('on PostgreSQL the lock %j does not block %j, nor versions', async (one, other) => {
  const { here, there } = await openWarm('postgres');
  const done = tx({ db: here }, async (ctx) => {
    await lock(ctx, ...one);
    await renameOwner.run(ctx.db, { id: 'ada', name: 'A' });
    await tx({ db: there }, async (ctx) => {
      await lock(ctx, ...other);
      await ctx.db.query((q) => q.deleteFrom('sessions'));
    });
  });
  await expect(done).resolves.toBeUndefined();
});
