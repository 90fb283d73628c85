import { expect, test } from 'vitest';
import { testApp } from '../../../../test/harness/app.ts';
import { recorded } from '../../../../test/harness/audit.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';

const B = '/v0.1/apps/ada/tides';
const mapping = { service_connection_id: 'c1', apple_id: '1234567890', team_identifier: 'A1B2C3D4E5' };

eachDatabase('the App Store app of an app', (dialect) => {
  async function createFixtures() {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    const token = await app.userToken(ada);
    const call = async (method: string, url: string, body?: unknown, as = token) => {
      const response = await app.call(method, url, { token: as, body });
      return { status: response.statusCode, body: response.body === '' ? undefined : response.json() };
    };
    await call('POST', '/v0.1/apps', { name: 'tides', display_name: 'Tides', os: 'iOS', platform: 'Custom' });
    return { app, ada, call, map: (body: object) => call('POST', `${B}/apple_mapping`, body) };
  }

  test('is linked, replaced and unlinked, and audited each time', async () => {
    const { app, call, map } = await createFixtures();
    const get = () => call('GET', `${B}/apple_mapping`);
    expect(await get()).toMatchObject({
      status: 404,
      body: { message: expect.stringContaining('Not linked to an App Store app') },
    });
    expect((await call('GET', `${B}/apple_test_flight_groups`)).status).toBe(404);
    const test_flight_groups = [{ id: 'g1', name: 'Crew', more: 'left out' }];
    expect(await map({ ...mapping, test_flight_groups })).toMatchObject({ status: 201, body: mapping });
    expect((await call('GET', `${B}/apple_test_flight_groups`)).body).toEqual([
      { id: 'g1', name: 'Crew', appleId: 1234567890 },
    ]);
    const { apple_id: _, ...others } = mapping;
    await map({ ...others, bundle_identifier: 'com.example.tides' });
    expect((await get()).body).toMatchObject({ ...others, bundle_identifier: 'com.example.tides' });
    expect((await get()).body).not.toHaveProperty('apple_id');
    expect((await call('GET', `${B}/apple_test_flight_groups`)).body).toEqual([]);
    expect((await call('DELETE', `${B}/apple_mapping`)).status).toBe(200);
    expect((await call('DELETE', `${B}/apple_mapping`)).status).toBe(404);
    expect((await get()).status).toBe(404);
    expect((await recorded(app, 'app.')).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['app.map_to_apple', 'app.unmap_from_apple']),
    );
  });

  test('can be set only in the right format and by managers of the app', async () => {
    const { app, call, map } = await createFixtures();
    const { apple_id: _, ...neither } = mapping;
    expect((await map(neither)).body.message).toMatch(/apple_id or the bundle_identifier/);
    for (const bad of [
      { apple_id: 'abc' },
      { apple_id: '1'.repeat(16) },
      { team_identifier: '' },
      { bundle_identifier: '../x' },
      { test_flight_groups: Array.from({ length: 101 }, () => ({ id: 'a', name: 'b' })) },
    ])
      expect((await map({ ...mapping, ...bad })).status).toBe(400);
    const mary = await app.userToken(await app.addUser('mary'));
    expect((await call('POST', `${B}/apple_mapping`, mapping, mary)).status).toBe(404);
    expect((await call('GET', `${B}/apple_mapping`)).status).toBe(404);
  });
});
