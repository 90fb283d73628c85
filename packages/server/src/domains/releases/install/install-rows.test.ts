import { expect, test } from 'vitest';
import { testApp } from '../../../../test/harness/app.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import type { DialectName } from '../../../db/drivers/connection.ts';
import { tx } from '../../../db/tx.ts';
import { DAY } from '../../../kernel/clock.ts';
import { query } from '../releases.tables.ts';
import { addInstall, MAX_INSTALLERS_PER_ADDRESS, MAX_INSTALLERS_PER_GROUP, sweepInstalls } from './install-rows.ts';

async function withRelease(dialect: DialectName) {
  const app = await testApp(dialect);
  const ada = await app.addUser('ada');
  const { id: app_id } = await app.addApp(ada, 'compass');
  const { deps } = app;
  await tx(deps, ({ db }) =>
    query(db, (q) =>
      q.insertInto('releases').values({
        app_id,
        id: 1,
        version: '1',
        short_version: '1.0',
        kind: 'apk',
        file_name: 'a.apk',
        size: 1,
        sha256: '',
        blob_key: 'a',
        icon_path: null,
        bundle_identifier: null,
        min_os: null,
        min_api_level: null,
        device_family: null,
        hashes: '[]',
        facts: '{}',
        notes: null,
        is_enabled: 1,
        build: null,
        signatures: null,
        uploaded_at: 0,
      } as never),
    ),
  );
  const row = (installer: string, group_id = '') => ({ app_id, release_id: 1, group_id, installer });
  const add = (address: string, installers: string[], more = {}) =>
    tx(deps, async (ctx) => {
      for (const installer of installers) await addInstall(ctx, { address, ...row(installer), ...more });
    });
  const fill = (count: number) =>
    tx(deps, async ({ db }) => {
      for (let at = 0; at < count; at += 500) {
        const rows = Array.from({ length: 500 }, (_, n) => ({ ...row(`filler${at + n}`), count: 1, noted_at: 1 }));
        await query(db, (q) => q.insertInto('release_installs').values(rows));
      }
    });
  const rows = () => app.database.query((q) => q.selectFrom('release_installs').selectAll().orderBy('installer'));
  return { app, deps, add, fill, rows };
}

const visitors = (count: number) => Array.from({ length: count }, (_, n) => `visitor${n}`);

eachDatabase('installs', (dialect) => {
  test('new visitors of one IP address share a row after the first ones', async () => {
    const { add, rows } = await withRelease(dialect);
    await add('192.0.2.77', visitors(MAX_INSTALLERS_PER_ADDRESS + 20));
    await add('192.0.2.77', ['visitor0']);
    await add('192.0.2.78', ['another']);
    const all = await rows();
    expect(all).toHaveLength(MAX_INSTALLERS_PER_ADDRESS + 2);
    expect(all.find(({ installer }) => installer === 'others')).toMatchObject({ count: 20 });
    expect(all.find(({ installer }) => installer === 'visitor0')).toMatchObject({ count: 2 });
  });

  test('addresses of one IPv6 network count as one', async () => {
    const { add, rows } = await withRelease(dialect);
    await add('2001:db8:1:2::1', visitors(MAX_INSTALLERS_PER_ADDRESS));
    await add('2001:db8:1:2:ffff::9', ['neighbor']);
    await add('2001:db8:1:3::1', ['another']);
    const names = (await rows()).map(({ installer }) => installer);
    expect([names.includes('neighbor'), names.includes('others'), names.includes('another')]).toEqual([
      false,
      true,
      true,
    ]);
  });

  test('visitors share a row when the group has the maximum number of rows, and users do not', async () => {
    const { add, fill, rows } = await withRelease(dialect);
    await fill(MAX_INSTALLERS_PER_GROUP);
    await add('192.0.2.79', ['one', 'two', 'filler0']);
    await add('192.0.2.79', ['ada'], { isUser: true });
    const all = await rows();
    expect(all).toHaveLength(MAX_INSTALLERS_PER_GROUP + 2);
    const named = all.filter(({ installer }) => ['ada', 'others', 'filler0'].includes(installer));
    expect(named.map(({ installer, count }) => [installer, Number(count)])).toEqual([
      ['ada', 1],
      ['filler0', 2],
      ['others', 2],
    ]);
  });

  test('rows of an earlier version get a time in several transactions', async () => {
    const { deps, fill, rows } = await withRelease(dialect);
    await fill(2000);
    await tx(deps, ({ db }) => query(db, (q) => q.updateTable('release_installs').set({ noted_at: 0 })));
    let count = 0;
    const transaction: typeof deps.db.transaction = (work) => {
      count += 1;
      return deps.db.transaction(work);
    };
    await sweepInstalls({ ...deps, db: { ...deps.db, transaction } });
    expect((await rows()).filter(({ noted_at }) => Number(noted_at) === 0)).toEqual([]);
    expect(count).toBeGreaterThan(3);
  });

  test('rows without an install for a year are combined with the same total', async () => {
    const { app, deps, add, rows } = await withRelease(dialect);
    await add('192.0.2.80', ['one', 'one', 'two']);
    await tx(deps, ({ db }) => query(db, (q) => q.updateTable('release_installs').set({ noted_at: 0 })));
    await sweepInstalls(deps);
    expect(await rows()).toHaveLength(2);
    app.advance(366 * DAY);
    await add('192.0.2.80', ['three']);
    await sweepInstalls(deps);
    expect((await rows()).map(({ installer, count }) => [installer, Number(count)])).toEqual([
      ['others', 3],
      ['three', 1],
    ]);
  });
});
