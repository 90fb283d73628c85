import type { Db } from '../handle.ts';
import { lockRows } from '../portable.ts';
import { accessTo } from '../statement.ts';
import { defineTables } from '../tables.ts';

/** Small values that all processes share. */
interface KeyValuesTable {
  name: string;
  value: string;
}

const { statement } = accessTo(defineTables<{ key_values: KeyValuesTable }>({ key_values: {} }));

const find = statement((q, p: { name: string }) =>
  q.selectFrom('key_values').select('value').where('name', '=', p.name),
);

const lock = statement((q, p: { name: string }, dialect) =>
  lockRows(dialect, q.selectFrom('key_values').select('value').where('name', '=', p.name)),
);

const add = statement((q, p: KeyValuesTable) =>
  q
    .insertInto('key_values')
    .values({ name: p.name, value: p.value })
    .onConflict((c) => c.column('name').doNothing()),
);

const save = statement((q, p: KeyValuesTable) =>
  q
    .insertInto('key_values')
    .values({ name: p.name, value: p.value })
    .onConflict((c) => c.column('name').doUpdateSet({ value: p.value })),
);

const take = statement((q, p: KeyValuesTable) =>
  q.deleteFrom('key_values').where('name', '=', p.name).where('value', '=', p.value).returning('name'),
);

export interface KeyValue {
  find(db: Db): Promise<string | undefined>;
  /** Reads the value and locks it until the transaction ends. */
  lock(db: Db): Promise<string | undefined>;
  /** Stores the value if there is none. Returns the stored one, so that all processes agree on the first. */
  addOrFind(db: Db, value: string): Promise<string>;
  save(db: Db, value: string): Promise<void>;
  /** Deletes the row if it has that value. Returns true if it did. */
  take(db: Db, value: string): Promise<boolean>;
}

/** A small value that all processes share, such as the hash of the setup token. Its name starts with its domain. */
export function keyValue(name: `${string}.${string}`): KeyValue {
  return {
    find: async (db) => (await find.first(db, { name }))?.value,
    lock: async (db) => (await lock.first(db, { name }))?.value,
    addOrFind: async (db, value) => {
      await add.run(db, { name, value });
      return (await find.first(db, { name }))?.value ?? value;
    },
    save: async (db, value) => {
      await save.run(db, { name, value });
    },
    take: async (db, value) => (await take.first(db, { name, value })) !== undefined,
  };
}
