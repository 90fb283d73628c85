import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { filesIn } from '../../../../tools/zips.ts';
import { openDatabase } from '../../src/db/open.ts';
import { testApp } from '../harness/app.ts';

/** A folder that an earlier version left behind; `tools/upgrade-fixture.ts` wrote it. */
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

/** Those of the migrations themselves, and jobs, which a migration may turn into others. */
const isOfTheServer = (name: string): boolean => /^(sqlite_.*|migrations|migrations_lock|jobs)$/.test(name);

/** How many rows each table has. */
function rowsIn(location: string): Record<string, number> {
  const database = new DatabaseSync(location, { readOnly: true });
  try {
    const names = database
      .prepare("select name from sqlite_master where type = 'table'")
      .all()
      .map(({ name }) => String(name))
      .filter((name) => !isOfTheServer(name));
    const count = (name: string) => Number(database.prepare(`select count(*) as n from "${name}"`).get()?.n);
    return Object.fromEntries(names.map((name) => [name, count(name)]));
  } finally {
    database.close();
  }
}

test.each(['0069', '0118'])('a data folder of migration %s starts, and nothing in it is lost', async (migration) => {
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
