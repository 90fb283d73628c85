import { expect, test } from 'vitest';
import { at, deploymentsUrl, withDeployments } from '../../../../test/harness/codepush.ts';
import { atOnce } from '../../../../test/harness/races.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import type { DialectName } from '../../../db/drivers/connection.ts';
import { HOUR } from '../../../kernel/clock.ts';

async function withKeys(dialect: DialectName) {
  const fixtures = await withDeployments(dialect);
  const rotate = (body: object = {}, name = 'Staging') => fixtures.request('POST', at(name, '/keys/rotate'), body);
  const getKeys = async (name = 'Staging') => (await fixtures.request('GET', at(name, '/keys'))).body;
  /** The label of the update for a device with this key. */
  const labelFor = async (key: string, process = fixtures.app) => {
    const response = await fixtures.check({ deployment_key: key }, 'Staging', process);
    return Array.isArray(response) ? response[0] : response.label;
  };
  return { ...fixtures, rotate, getKeys, labelFor, first: fixtures.keys.Staging ?? '' };
}

eachDatabase('the key of a deployment', (dialect) => {
  test('is replaced by another; devices with the old one are served and counted until it expires, in every process', async () => {
    const { app, request, first, getKeys, labelFor, metrics, release, report, rotate } = await withKeys(dialect);
    const other = { ...app, ...(await app.another()) };
    await release('one');
    expect([await labelFor(first), await labelFor(first, other)]).toEqual(['v1', 'v1']);
    const { status, body } = await rotate({ overlap_hours: 2 });
    expect([status, body.former]).toEqual([200, [{ key: first, ends_at: '2026-11-01T11:00:00.000Z' }]]);
    expect(body.key).toMatch(/^[0-9A-Za-z]{37}$/);
    expect(await getKeys()).toEqual(body);
    expect((await request('GET', at('Staging'))).body.key).toBe(body.key);
    await release('two');
    for (const key of [first, body.key])
      expect([await labelFor(key), await labelFor(key, other)]).toEqual(['v2', 'v2']);
    // A device that was updated through the store reports its previous key.
    expect(await report('deploy', { app_version: '1.0.0', client_unique_id: 'a' })).toBe(200);
    const moved = { deployment_key: body.key, app_version: '1.1.0', previous_deployment_key: first };
    expect(await report('deploy', { ...moved, client_unique_id: 'a', previous_label_or_app_version: '1.0.0' })).toBe(
      200,
    );
    expect(await metrics()).toEqual([
      { label: '1.0.0', active: 0 },
      { label: '1.1.0', active: 1 },
    ]);
    app.advance(2 * HOUR);
    expect([await labelFor(first), await labelFor(first, other)]).toEqual([404, 404]);
    expect(await report('deploy', { app_version: '1.0.0', client_unique_id: 'b' })).toBe(404);
    expect([await labelFor(body.key), await getKeys()]).toEqual(['v2', { key: body.key, former: [] }]);
  });

  test('expires immediately without an overlap or when previous keys are ended', async () => {
    const { actions, app, request, first, getKeys, labelFor, rotate } = await withKeys(dialect);
    const other = { ...app, ...(await app.another()) };
    const { key: second } = (await rotate()).body;
    expect([await labelFor(first), await labelFor(first, other)]).toEqual(['', '']);
    expect((await request('DELETE', at('Staging', '/keys/former'))).status).toBe(204);
    expect([await labelFor(first), await labelFor(first, other)]).toEqual([404, 404]);
    expect(await labelFor(second, other)).toBe('');
    expect((await rotate({ overlap_hours: 0 })).body.former).toEqual([]);
    expect([await labelFor(second), await labelFor(second, other)]).toEqual([404, 404]);
    expect((await actions()).slice(-3)).toEqual([
      'deployment.rotate_key',
      'deployment.end_former_keys',
      'deployment.rotate_key',
    ]);
    const events = JSON.stringify(await app.database.query((q) => q.selectFrom('audit_events').selectAll()));
    for (const key of [first, second, (await getKeys()).key]) expect(events).not.toContain(key);
  });

  test('may be chosen, unless a deployment uses it, or used it recently', async () => {
    const { app, request, first, keys, labelFor, rotate } = await withKeys(dialect);
    const chosen = 'Xk2_old-server-key';
    expect((await rotate({ key: chosen, overlap_hours: 1 })).body.key).toBe(chosen);
    const taken = {
      status: 409,
      body: 'Another deployment uses this key. Send another key, or omit it to create one.',
    };
    expect(await rotate({ key: keys.Production })).toEqual(taken);
    expect(await rotate({ key: first }, 'Production')).toEqual(taken);
    expect(await request('POST', deploymentsUrl, { name: 'Third', key: first })).toEqual(taken);
    expect((await rotate({ key: chosen })).status).toBe(409);
    expect((await rotate({ key: 'too short' })).status).toBe(400);
    app.advance(HOUR);
    expect((await rotate({ key: first, overlap_hours: 1 }, 'Production')).body.key).toBe(first);
    // After the deployment that had the key longest drops it too, it is a previous key of that one.
    expect((await rotate({ overlap_hours: 1 }, 'Production')).body.former).toHaveLength(2);
    expect((await request('DELETE', at('Production'))).status).toBe(204);
    expect([await labelFor(first), await labelFor(chosen)]).toEqual([404, '']);
  });

  test('is replaced by two concurrent rotations: all three keys are valid', async () => {
    const { app, first, getKeys, rotate } = await withKeys(dialect);
    const turns = [() => rotate({ overlap_hours: 1 }), () => rotate({ overlap_hours: 1 })];
    expect((await atOnce(app, turns)).map(({ status }) => status)).toEqual([200, 200]);
    const { key, former } = await getKeys();
    const all = [key, ...former.map((one: { key: string }) => one.key)];
    expect([new Set(all).size, all.includes(first)]).toEqual([3, true]);
  });

  test('has at most ten previous ones, and is replaced by managers only, with an overlap of up to a year', async () => {
    const { app, ref, rotate } = await withKeys(dialect);
    for (const hours of [-1, 8761, 1.5]) expect((await rotate({ overlap_hours: hours })).status).toBe(400);
    for (let n = 0; n < 10; n++) expect((await rotate({ overlap_hours: 1 })).status).toBe(200);
    expect(await rotate({ overlap_hours: 1 })).toEqual({
      status: 409,
      body: '"Staging" already has 10 previous keys. Revoke them first.',
    });
    expect((await rotate({ overlap_hours: 0 })).body.former).toHaveLength(10);
    app.advance(HOUR);
    expect((await rotate({ overlap_hours: 1 })).body.former).toHaveLength(1);
    const grace = await app.addUser('grace');
    await app.addMember(ref, grace, 'developer');
    const token = await app.userToken(grace);
    const getStatus = async (method: string, rest: string, body?: object) =>
      (await app.call(method, at('Staging', rest), { token, body })).statusCode;
    expect([
      await getStatus('GET', '/keys'),
      await getStatus('POST', '/keys/rotate', {}),
      await getStatus('DELETE', '/keys/former'),
    ]).toEqual([200, 403, 403]);
  });
});
