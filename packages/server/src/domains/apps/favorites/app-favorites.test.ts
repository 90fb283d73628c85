import { MAX_FAVORITE_APPS, MAX_SUMMARIZED_APPS } from '@mooring/contract';
import { expect, test } from 'vitest';
import { testApp } from '../../../../test/harness/app.ts';
import { changes } from '../../../../test/harness/audit.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import type { DialectName } from '../../../db/drivers/connection.ts';

/** Ada owns the apps buoy and kelp; eve views buoy. */
async function withApps(dialect: DialectName) {
  const app = await testApp(dialect);
  const [ada, eve] = [await app.addUser('ada'), await app.addUser('eve')];
  const [buoy, kelp] = [await app.addApp(ada, 'buoy'), await app.addApp(ada, 'kelp')];
  await app.addMember(buoy, eve, 'viewer');
  const tokens = { ada: await app.userToken(ada), eve: await app.userToken(eve) };
  const call = (method: string, url: string, token = tokens.ada) =>
    app.call(method, url, { token, ...(method === 'PUT' ? { body: {} } : {}) });
  const favorites = async (token = tokens.ada) =>
    (await call('GET', '/v0.1/user/apps?favorite=true', token)).json().values.map(({ name }: { name: string }) => name);
  return { app, ada, eve, buoy, kelp, tokens, call, favorites };
}

const favorite = (name: string) => `/v0.1/apps/ada/${name}/favorite`;

eachDatabase('favorite apps', (dialect) => {
  test('belong to one user, and are recorded once', async () => {
    const { app, tokens, call, favorites } = await withApps(dialect);
    for (const name of ['kelp', 'buoy', 'buoy']) expect((await call('PUT', favorite(name))).statusCode).toBe(204);
    expect([await favorites(), await favorites(tokens.eve)]).toEqual([['buoy', 'kelp'], []]);
    for (let n = 0; n < 2; n += 1) expect((await call('DELETE', favorite('kelp'))).statusCode).toBe(204);
    expect(await favorites()).toEqual(['buoy']);
    const recorded = await changes(app, 'user.');
    expect(recorded.filter(([action]) => String(action).endsWith('_favorite_app'))).toEqual([
      ['user.add_favorite_app', 'ada', undefined, { app: 'kelp' }],
      ['user.add_favorite_app', 'ada', undefined, { app: 'buoy' }],
      ['user.remove_favorite_app', 'ada', { app: 'kelp' }, undefined],
    ]);
  });

  test('are refused for apps that the user cannot see, and disappear with the access', async () => {
    const { app, eve, buoy, tokens, call, favorites } = await withApps(dialect);
    expect((await call('PUT', favorite('kelp'), tokens.eve)).statusCode).toBe(404);
    expect((await call('PUT', favorite('buoy'), tokens.eve)).statusCode).toBe(204);
    expect(await favorites(tokens.eve)).toEqual(['buoy']);
    await call('DELETE', `/v0.1/apps/ada/${buoy.name}/users/${eve.email}`);
    expect(await favorites(tokens.eve)).toEqual([]);
    const readOnly = await app.userToken(eve, { scope: ['viewer'] });
    expect((await call('PUT', favorite('buoy'), readOnly)).statusCode).toBeGreaterThanOrEqual(403);
  });

  test('have a limit', async () => {
    const { app, ada, call } = await withApps(dialect);
    for (let n = 0; n < MAX_FAVORITE_APPS; n += 1) {
      await app.addApp(ada, `app-${n}`);
      expect((await call('PUT', favorite(`app-${n}`))).statusCode).toBe(204);
    }
    const refused = await call('PUT', favorite('buoy'));
    expect([refused.statusCode, refused.json().error.message]).toEqual([
      409,
      'You can have at most 100 favorite apps. Remove one first.',
    ]);
  });
});

eachDatabase('summaries of some apps', (dialect) => {
  const summaries = (ids: string[]) => `/v0.1/user/app_summaries?ids=${ids.join(',')}`;

  test('leave out apps that the user cannot view', async () => {
    const { buoy, kelp, tokens, call } = await withApps(dialect);
    const read = async (token: string) => (await call('GET', summaries([buoy.id, kelp.id]), token)).json().values;
    expect((await read(tokens.ada)).map(({ id }: { id: string }) => id).toSorted()).toEqual(
      [buoy.id, kelp.id].toSorted(),
    );
    expect(await read(tokens.eve)).toEqual([{ id: buoy.id, open_crashes: 0, alerting_rules: 0 }]);
  });

  test('refuse anything but a short list of IDs', async () => {
    const { buoy, call } = await withApps(dialect);
    const many = Array.from({ length: MAX_SUMMARIZED_APPS + 1 }, () => buoy.id);
    for (const ids of [['x'], ["' or 1=1"], many]) expect((await call('GET', summaries(ids))).statusCode).toBe(400);
  });
});
