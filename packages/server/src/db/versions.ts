import { sql } from 'kysely';
import type { Db } from './handle.ts';
import { oncePerTick } from './once-per-tick.ts';
import { accessTo } from './statement.ts';
import { defineTables, type VersionName, versionNames } from './tables.ts';

/** A number for each kind of cache, raised when its entries become invalid. */
const versionsTables = defineTables<{ versions: { name: VersionName; value: number } }>({
  // A restored database keeps its own versions, which its running processes compare.
  versions: { backup: false },
});
const { statement } = accessTo(versionsTables);

/** A cache entry is valid while its version is unchanged. A version that was never raised is 0. */
export type Versions = Readonly<Record<VersionName, number>>;

const listVersions = statement((q) => q.selectFrom('versions').select(['name', 'value']));

const raiseVersion = statement((q, p: { name: VersionName }) =>
  q
    .insertInto('versions')
    .values({ name: p.name, value: 1 })
    .onConflict((c) => c.column('name').doUpdateSet({ value: sql<number>`versions.value + 1` })),
);

/** The migration that created the table. */
export const versionsMigration = '0014-versions';

/** Always in the same order, so that two transactions that raise both versions do not deadlock. */
export async function raiseVersions(db: Db, raised: ReadonlySet<VersionName>): Promise<void> {
  for (const name of versionNames) if (raised.has(name)) await raiseVersion.run(db, { name });
}

async function readVersions(db: Db): Promise<Versions> {
  const versions = { grants: 0, responses: 0 };
  for (const { name, value } of await listVersions.all(db)) versions[name] = value;
  return versions;
}

/** Reads the current versions. Every request needs them, so those of one tick of the event loop share one query. */
export const versionsReader = (db: Db): (() => Promise<Versions>) => oncePerTick(() => readVersions(db));
