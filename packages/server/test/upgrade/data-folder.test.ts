import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { filesIn } from '../../../../tools/samples/zips.ts';
import { openDatabase } from '../../src/db/open.ts';
import { testApp } from '../harness/app.ts';

/** A data folder of an earlier version, created by `acceptance/upgrade-fixture.ts`. */
function earlierFolder(file: string) {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-earlier-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const files = filesIn(readFileSync(path.join(import.meta.dirname, file)));
  for (const [name, content] of files) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content, { mode: 0o600 });
  }
  const blobs = [...files.keys()].filter((name) => name.startsWith('blobs/')).length;
  return { folder, location: path.join(folder, 'mooring.db'), blobs, token: String(files.get('token')) };
}

/** Tables of the migrations, and jobs, which a migration may replace. */
const isServerTable = (name: string): boolean => /^(sqlite_.*|migrations|migrations_lock|jobs)$/.test(name);

/** Number of rows of each table. */
function rowsIn(location: string): Record<string, number> {
  const database = new DatabaseSync(location, { readOnly: true });
  try {
    const names = database
      .prepare("select name from sqlite_master where type = 'table'")
      .all()
      .map(({ name }) => String(name))
      .filter((name) => !isServerTable(name));
    const count = (name: string) => Number(database.prepare(`select count(*) as n from "${name}"`).get()?.n);
    return Object.fromEntries(names.map((name) => [name, count(name)]));
  } finally {
    database.close();
  }
}

test.each(['0069', '0118'])('starts with a data folder of migration %s, without losing data', async (migration) => {
  const { folder, location, blobs, token } = earlierFolder(`folder-${migration}.zip`);
  const before = rowsIn(location);
  expect(Object.values(before).filter((rows) => rows > 0).length).toBeGreaterThan(70);
  const database = openDatabase({ location, poolSize: 1 });
  await database.migrate();
  await database.close();
  const app = await testApp('sqlite', { dataDir: folder }, { location, remove: async () => undefined });

  expect(rowsIn(location)).toMatchObject(before);
  const { email, is_admin } = (await app.call('GET', '/v0.1/user', { token })).json();
  expect([email, is_admin]).toEqual(['ada@example.com', true]);
  const apps = (await app.call('GET', '/v0.1/apps', { token })).json<{ name: string }[]>();
  expect(apps.map(({ name }) => name)).toEqual(expect.arrayContaining(['compass', 'tide-table']));
  let files = 0;
  for await (const key of app.deps.blobs.list()) {
    expect(await app.deps.blobs.stat(key)).toBeDefined();
    files += 1;
  }
  expect(files).toBe(blobs);
});
