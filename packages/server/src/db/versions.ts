import { sql } from 'kysely';
import type { Db } from './handle.ts';
import { oncePerTick } from './once-per-tick.ts';
import { accessTo } from './statement.ts';
import { defineTables, type VersionName, versionNames } from './tables.ts';

/** A number for each thing that processes remember; it grows when that is no longer true. */
const versionsTables = defineTables<{ versions: { name: VersionName; value: number } }>({
  // A database goes on with its own: they tell those who use it now.
  versions: { backup: false },
});
const { statement } = accessTo(versionsTables);

/** What is remembered holds as long as its version stands still. One that was never raised is 0. */
export type Versions = Readonly<Record<VersionName, number>>;

const listVersions = statement((q) => q.selectFrom('versions').select(['name', 'value']));

const raiseVersion = statement((q, p: { name: VersionName }) =>
  q
    .insertInto('versions')
    .values({ name: p.name, value: 1 })
    .onConflict((c) => c.column('name').doUpdateSet({ value: sql<number>`versions.value + 1` })),
);

/** The migration that made their table. */
export const versionsMigration = '0014-versions';

/** Always in the same order, so that two transactions that raise both do not wait for each other. */
export async function raiseVersions(db: Db, raised: ReadonlySet<VersionName>): Promise<void> {
  for (const name of versionNames) if (raised.has(name)) await raiseVersion.run(db, { name });
}

async function readVersions(db: Db): Promise<Versions> {
  const versions = { grants: 0, responses: 0 };
  for (const { name, value } of await listVersions.all(db)) versions[name] = value;
  return versions;
}

/** Reads them as they are now. Every request asks, so those of one tick of the event loop share one query. */
export const versionsReader = (db: Db): (() => Promise<Versions>) => oncePerTick(() => readVersions(db));
