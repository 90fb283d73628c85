import { expect, test, vi } from 'vitest';
import { createApk } from '../../../../../../tools/samples/packages.ts';
import { testApp } from '../../../../test/harness/app.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import type { DialectName } from '../../../db/drivers/connection.ts';
import { createInstallNotes } from './install-notes.ts';

async function withNotes(dialect: DialectName) {
  const app = await testApp(dialect);
  const ada = await app.addUser('ada');
  const { id: app_id } = await app.addApp(ada, 'compass');
  const url = '/v0.1/apps/ada/compass/releases/uploads?file_name=compass.apk&wait=60';
  const headers = { 'content-type': 'application/octet-stream' };
  const token = await app.userToken(ada);
  await app.call('PUT', url, { token, headers, body: createApk() });
  await app.runJobs();
  const warn = vi.fn();
  const stops: (() => Promise<void>)[] = [];
  const deps = {
    ...app.deps,
    log: { ...app.deps.log, warn },
    onStop: (work: () => Promise<void>) => void stops.push(work),
  };
  const stop = async () => {
    for (const work of stops) await work();
  };
  const row = (release_id: number, installer: string) => ({
    address: '192.0.2.90',
    app_id,
    release_id,
    group_id: '',
    installer,
  });
  const installs = () =>
    app.database.query((q) => q.selectFrom('release_installs').select(['installer', 'count']).orderBy('installer'));
  return { app, deps: deps as typeof app.deps, warn, stop, row, installs };
}

eachDatabase('installs that SDKs report', (dialect) => {
  test('are written before the server stops', async () => {
    const { deps, warn, stop, row, installs } = await withNotes(dialect);
    const note = createInstallNotes(deps);
    for (const installer of ['a', 'b', 'a']) note(row(1, installer));
    await stop();
    expect(await installs()).toEqual([
      { installer: 'a', count: 2 },
      { installer: 'b', count: 1 },
    ]);
    expect(warn).not.toHaveBeenCalled();
  });

  test('are logged if writing fails', async () => {
    const { deps, warn, stop, row } = await withNotes(dialect);
    const error = new Error('the disk is full');
    vi.spyOn(deps.db, 'transaction').mockRejectedValue(error);
    createInstallNotes(deps)(row(1, 'a'));
    await stop();
    const { app_id: app } = row(1, 'a');
    expect(warn.mock.calls).toEqual([[{ err: error, app, release: 1 }, 'failed to count an install']]);
  });

  test('of an unknown release cost no transaction and no log entry', async () => {
    const { deps, warn, stop, row, installs } = await withNotes(dialect);
    const transaction = vi.spyOn(deps.db, 'transaction');
    createInstallNotes(deps)(row(999, 'a'));
    await stop();
    expect([await installs(), warn.mock.calls, transaction.mock.calls]).toEqual([[], [], []]);
  });
});
