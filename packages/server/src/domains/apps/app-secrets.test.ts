import { expect, test } from 'vitest';
import { testApp } from '../../../test/harness/app.ts';
import { eachDatabase } from '../../../test/harness/databases.ts';
import { atOnce } from '../../../test/harness/races.ts';
import type { DialectName } from '../../db/connection.ts';
import { HOUR } from '../../kernel/clock.ts';

async function withApp(dialect: DialectName) {
  const app = await testApp(dialect);
  const ada = await app.addUser('ada');
  const token = await app.userToken(ada);
  const buoy = await app.addApp(ada, 'buoy');
  const home = '/v0.1/apps/ada/buoy/secrets';
  const rotate = (overlap_hours?: number, as = token) =>
    app.call('POST', `${home}/rotate`, { token: as, body: { overlap_hours } });
  const secrets = async () => (await app.call('GET', home, { token })).json();
  return { app, buoy, token, home, rotate, secrets };
}

eachDatabase('the secret of an app', (dialect) => {
  test('is replaced by another, and the old one counts for 90 days unless told otherwise', async () => {
    const { app, token, rotate, secrets } = await withApp(dialect);
    const { app_secret: first, former } = await secrets();
    expect(former).toEqual([]);
    const rotated = (await rotate()).json();
    expect(rotated.app_secret).not.toBe(first);
    expect(rotated.former).toEqual([{ app_secret: first, ends_at: '2027-01-30T09:00:00.000Z' }]);
    expect(await secrets()).toEqual(rotated);
    expect((await app.call('GET', '/v0.1/apps/ada/buoy', { token })).json().app_secret).toBe(rotated.app_secret);
    expect((await rotate(0)).json().former).toHaveLength(1);
  });

  test('has at most ten former ones that still count; those that have ended make room', async () => {
    const { app, rotate } = await withApp(dialect);
    for (let n = 0; n < 10; n++) expect((await rotate(1)).statusCode).toBe(200);
    const refused = await rotate(1);
    expect([refused.statusCode, refused.json().error.message]).toEqual([
      409,
      expect.stringContaining('end them first'),
    ]);
    app.advance(HOUR);
    expect((await rotate(1)).json().former).toHaveLength(1);
  });

  test('is replaced twice by two at once: each of the three secrets counts, and is another', async () => {
    const { app, rotate, secrets } = await withApp(dialect);
    const { app_secret: first } = await secrets();
    const answers = await atOnce(app, [() => rotate(1), () => rotate(1)]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    const { app_secret, former } = await secrets();
    const all = [app_secret, ...former.map((one: { app_secret: string }) => one.app_secret)];
    expect([all.length, new Set(all).size, all.includes(first)]).toEqual([3, 3, true]);
  });

  test('is replaced and ended by managers only, within limits, and that is recorded without the secret', async () => {
    const { app, buoy, token, home, rotate, secrets } = await withApp(dialect);
    const grace = await app.addUser('grace');
    await app.addMember(buoy, grace, 'developer');
    const hers = await app.userToken(grace);
    expect((await rotate(1, hers)).statusCode).toBe(403);
    expect((await app.call('DELETE', `${home}/former`, { token: hers })).statusCode).toBe(403);
    expect((await app.call('GET', home, { token: hers })).statusCode).toBe(200);
    for (const hours of [-1, 8761, 1.5]) expect([hours, (await rotate(hours)).statusCode]).toEqual([hours, 400]);
    await rotate(1);
    await app.call('DELETE', `${home}/former`, { token });
    const { app_secret } = await secrets();
    const events = await app.database.query((q) => q.selectFrom('audit_events').selectAll().orderBy('id'));
    expect(events.map(({ action }) => action).slice(-2)).toEqual(['app.rotate_secret', 'app.end_former_secrets']);
    expect(JSON.stringify(events)).not.toContain(app_secret);
  });
});
