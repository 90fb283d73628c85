import { expect, test } from 'vitest';
import { testApp } from '../../../../test/harness/app.ts';
import { atOnce } from '../../../../test/harness/races.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import type { DialectName } from '../../../db/drivers/connection.ts';
import { HOUR } from '../../../kernel/clock.ts';

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
  test('is replaced, and the previous one stays valid for 90 days by default', async () => {
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

  test('can be imported from another server in any spelling, unless an app here uses it or used it recently', async () => {
    const { app, token, home, rotate, secrets } = await withApp(dialect);
    const { app_secret: first } = await secrets();
    const take = (app_secret: string, at = home) =>
      app.call('POST', `${at}/rotate`, { token, body: { overlap_hours: 1, app_secret } });
    const previous = '0f8fad5b-d9cb-469f-a165-70867728950e';
    const send = async (secret = previous) =>
      (
        await app.call('POST', '/logs?api-version=1.0.0', {
          headers: { 'app-secret': secret, 'install-id': '00000000-0000-4000-8000-000000000001' },
          body: { logs: [] },
        })
      ).statusCode;
    expect(await send()).toBe(403);
    // The format of HockeyApp identifiers.
    expect((await take('0F8FAD5BD9CB469FA16570867728950E')).json()).toMatchObject({
      app_secret: previous,
      former: [{ app_secret: first }],
    });
    expect([await send(), await send('0F8FAD5BD9CB469FA16570867728950E')]).toEqual([200, 200]);
    await app.call('POST', '/v0.1/apps', { token, body: { display_name: 'Raft', os: 'Android', platform: 'Java' } });
    const other = '/v0.1/apps/ada/Raft/secrets';
    for (const secret of [previous, first]) {
      expect([(await take(secret, other)).statusCode, secret]).toEqual([409, secret]);
    }
    for (const secret of ['', 'x', `${first}0`, first.replace(/.$/, 'g')]) {
      expect([(await take(secret, other)).statusCode, secret]).toEqual([400, secret]);
    }
    await rotate(0);
    await app.call('DELETE', `${home}/former`, { token });
    expect((await take(first, other)).statusCode).toBe(200);
  });

  test('a secret imported by two apps concurrently goes to the first', async () => {
    const { app, token, home } = await withApp(dialect);
    await app.call('POST', '/v0.1/apps', { token, body: { display_name: 'Raft', os: 'Android', platform: 'Java' } });
    const body = { app_secret: '0f8fad5b-d9cb-469f-a165-70867728950e' };
    const takeOver = (url: string) => async () => (await app.call('POST', `${url}/rotate`, { token, body })).statusCode;
    expect(await atOnce(app, [home, '/v0.1/apps/ada/Raft/secrets'].map(takeOver))).toEqual([200, 409]);
  });

  test('has at most ten valid previous ones; expired ones do not count', async () => {
    const { app, rotate } = await withApp(dialect);
    for (let n = 0; n < 10; n++) expect((await rotate(1)).statusCode).toBe(200);
    const refused = await rotate(1);
    expect([refused.statusCode, refused.json().error.message]).toEqual([
      409,
      expect.stringContaining('Revoke them first'),
    ]);
    app.advance(HOUR);
    expect((await rotate(1)).json().former).toHaveLength(1);
  });

  test('two concurrent rotations leave three distinct valid secrets', async () => {
    const { app, rotate, secrets } = await withApp(dialect);
    const { app_secret: first } = await secrets();
    const responses = await atOnce(app, [() => rotate(1), () => rotate(1)]);
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    const { app_secret, former } = await secrets();
    const all = [app_secret, ...former.map((one: { app_secret: string }) => one.app_secret)];
    expect([all.length, new Set(all).size, all.includes(first)]).toEqual([3, 3, true]);
  });

  test('is replaced and ended by managers only, within limits; the audit log does not contain it', async () => {
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
