import { expect, test } from 'vitest';
import type { DialectName } from '../../src/db/drivers/connection.ts';
import { testApp } from '../harness/app.ts';
import { atOnce } from '../harness/races.ts';
import { eachDatabase } from '../harness/services/databases.ts';

async function withApp(dialect: DialectName, settings = {}) {
  const app = await testApp(dialect, settings);
  const ada = await app.addUser('ada');
  await app.addApp(ada, 'compass');
  const token = await app.userToken(ada);
  const call = async (method: string, url: string, body: object = {}) =>
    (await app.call(method, `/v0.1/${url}`, { token, body })).statusCode;
  /** Statuses of requests whose transactions are open at the same time. */
  const inParallel = async (count: number, run: (n: number) => Promise<number>) => {
    const requests = Array.from({ length: count }, (_, n) => () => run(n));
    return (await atOnce(app, requests)).toSorted();
  };
  return { app, ada, call, inParallel };
}

// On SQLite transactions take turns.
eachDatabase('limits of parallel requests', (dialect) => {
  test('apply to unfinished uploads', async () => {
    const { call, inParallel } = await withApp(dialect, { uploadsInFlight: 2 });
    expect(await inParallel(4, () => call('POST', 'apps/ada/compass/uploads/releases'))).toEqual([201, 201, 429, 429]);
  });

  test('apply to exports of personal data', async () => {
    const { call, inParallel } = await withApp(dialect);
    for (let n = 0; n < 13; n += 1) expect(await call('POST', 'user/dsr/export')).toBe(202);
    expect(await inParallel(4, () => call('POST', 'user/dsr/export'))).toEqual([202, 202, 429, 429]);
  });

  test('apply to emails to one address', async () => {
    const { app, ada, call, inParallel } = await withApp(dialect);
    const invite = (name: string) => call('POST', `apps/ada/${name}/invitations`, { user_email: 'bob@example.com' });
    for (let n = 0; n < 18; n += 1) expect(await invite('compass')).toBeLessThan(300);
    for (let n = 0; n < 4; n += 1) await app.addApp(ada, `map${n}`);
    const statuses = await inParallel(4, (n) => invite(`map${n}`));
    expect(statuses.map((status) => status === 429)).toEqual([false, false, true, true]);
  });
});
