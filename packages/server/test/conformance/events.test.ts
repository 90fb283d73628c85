import { CompiledQuery } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { systemCtx } from '../../src/context.ts';
import { keyValue } from '../../src/db/key-values.ts';
import { openDatabase } from '../../src/db/open.ts';
import { tx } from '../../src/db/tx.ts';
import { defineEvent, onInTransaction, publish } from '../../src/jobs/index.ts';
import { testApp } from '../harness/app.ts';
import { eachDatabase, emptyDatabase } from '../harness/databases.ts';

const launched = defineEvent<{ ship: string }>('ship.launched');
const log = keyValue('test.log');

eachDatabase('an event', (dialect) => {
  test('is told to every listener in the transaction in which it happens; one that refuses undoes all of it', async () => {
    const app = await testApp(dialect);
    const listeners = [
      onInTransaction(launched, ({ db }, { ship }) => log.save(db, ship)),
      onInTransaction(launched, async (_ctx, { ship }) => {
        if (ship === 'Vasa') throw new Error('she would sink');
      }),
      onInTransaction(defineEvent<{ ship: string }>('ship.sunk'), ({ db }) => log.save(db, 'nothing')),
    ];
    const ctx = { ...systemCtx(app.deps), listeners };
    const launch = (ship: string) => tx(ctx, (ctx) => publish(ctx, launched, { ship }));
    await launch('Beagle');
    await expect(launch('Vasa')).rejects.toThrow('she would sink');
    expect(await log.find(app.deps.db)).toBe('Beagle');
  });

  test('is not published outside a transaction', async () => {
    const app = await testApp(dialect);
    await expect(publish(systemCtx(app.deps), launched, { ship: 'Beagle' })).rejects.toThrow('outside the transaction');
  });
});

eachDatabase('a value of all processes', (dialect) => {
  test('is decided by whoever is first, changed by whoever saves it, and taken once', async () => {
    const { deps } = await testApp(dialect);
    const value = keyValue('test.value');
    const inTx = <T>(work: (db: typeof deps.db) => Promise<T>) => tx(deps, ({ db }) => work(db));
    expect(await value.find(deps.db)).toBeUndefined();
    expect(await inTx((db) => value.addOrFind(db, 'one'))).toBe('one');
    expect(await inTx((db) => value.addOrFind(db, 'two'))).toBe('one');
    await inTx((db) => value.save(db, 'three'));
    expect(await inTx((db) => value.lock(db))).toBe('three');
    expect(await inTx((db) => value.take(db, 'four'))).toBe(false);
    expect(await inTx((db) => value.take(db, 'three'))).toBe(true);
    expect(await inTx((db) => value.take(db, 'three'))).toBe(false);
  });

  test('of before each had an owner in its name is found under the new name', async () => {
    const database = openDatabase({ location: await emptyDatabase(dialect), poolSize: 1 });
    onTestFinished(() => database.close());
    await database.migrate('0014-versions');
    const insert = { compile: () => CompiledQuery.raw("insert into server_facts values ('tenant_id', 'ours')") };
    await database.transaction((db) => db.query(() => insert));
    await database.migrate();
    expect(await keyValue('identity.tenant_id').find(database)).toBe('ours');
  });
});
