import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { wireEvent as event, wireLog as log, NOW, phone, withApps } from '../../../../test/harness/analytics.ts';
import { atOnce } from '../../../../test/harness/races.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { DAY } from '../../../kernel/clock.ts';

const [ann, bob, eve] = [randomUUID(), randomUUID(), randomUUID()];
const on = (more: object) => ({ device: { ...phone, ...more } });

async function withDevices(dialect: Parameters<typeof withApps>[0], settings?: Parameters<typeof withApps>[1]) {
  const fixtures = await withApps(dialect, settings);
  const opened = await fixtures.open();
  const { send, compact } = opened;
  await send(ann, event('open', on({ appVersion: '1.9', carrierCountry: 'de', osApiLevel: 30 }), NOW - DAY));
  await send(ann, event('open', on({ appVersion: '1.10', carrierCountry: 'us', osApiLevel: 34 })));
  // Arrives later, with an earlier timestamp.
  await send(ann, event('open', on({ appVersion: '1.1' }), NOW - 2 * DAY));
  await send(bob, event('open', on({ appVersion: '1.9', model: 'Pixel 7', carrierName: "O'Two" })));
  await send(bob, log('customProperties', NOW, { properties: [{ type: 'string', name: 'plan', value: 'pro' }] }));
  await send(eve, log('customProperties', NOW, { properties: [{ type: 'number', name: 'age', value: 7 }] }));
  await compact();
  const put = (name: string, body: object) => opened.call('PUT', `audiences/${encodeURIComponent(name)}`, body);
  return { ...fixtures, ...opened, put };
}

eachDatabase('audiences', (dialect) => {
  test('counts a definition over all devices by their latest properties', async () => {
    const { call } = await withDevices(dialect);
    const test = async (definition: string, custom_properties?: object) => {
      const response = await call('POST', 'audiences/definition/test', {
        definition,
        ...(custom_properties ? { custom_properties } : {}),
      });
      expect([definition, response.statusCode]).toEqual([definition, 200]);
      const { estimated_count, estimated_total_count } = response.json();
      expect(estimated_total_count).toBe(2);
      return estimated_count;
    };
    expect(await test("AppVersion gt '1.9'")).toBe(1);
    expect(await test("AppVersion ge '1.9'")).toBe(2);
    expect(await test("appversion eq '1.10' or model eq 'Pixel 7'")).toBe(2);
    expect(await test("CarrierCountry eq 'us'")).toBe(1);
    expect(await test("CarrierCountry ne 'KP'")).toBe(2);
    expect(await test("CarrierName eq 'O''Two'")).toBe(1);
    expect(await test("Language eq 'de_DE' and not (OsVersion lt '18')")).toBe(2);
    expect(await test('ApiLevel ge 34')).toBe(1);
    expect(await test("plan eq 'pro'", { plan: 'string' })).toBe(1);
    expect(await test('plan eq 3', { plan: 'number' })).toBe(0);
  });

  test('rejects an invalid definition with the position of the error and stores nothing', async () => {
    const { call, put } = await withDevices(dialect);
    const problem = async (body: object) => {
      const response = await call('POST', 'audiences/definition/test', body);
      return [response.statusCode, response.json().error.message];
    };
    expect(await problem({ definition: "Colour eq 'red'" })).toEqual([
      400,
      expect.stringContaining('At position 1: "Colour" is not a property to filter by. Use one of: AppVersion,'),
    ]);
    expect(await problem({ definition: "Model lt 'x'" })).toEqual([400, expect.stringContaining('At position 7')]);
    expect(await problem({ definition: "AppVersion eq '1" })).toEqual([400, expect.stringContaining('is not closed')]);
    expect(await problem({ definition: 'age eq x', custom_properties: { age: 'number' } })).toEqual([
      400,
      expect.stringContaining('age needs a number'),
    ]);
    const taken = { definition: "Model eq 'x'", custom_properties: { model: 'string' } };
    expect(await problem(taken)).toEqual([400, expect.stringContaining('model is a built-in device property')]);
    expect((await call('POST', 'audiences/definition/test', { definition: 'x'.repeat(2001) })).statusCode).toBe(400);
    expect((await put('bad', { definition: '(' })).statusCode).toBe(400);
    expect((await call('GET', 'audiences/bad')).statusCode).toBe(404);
  });

  test('are created, replaced, listed, found and deleted; disabled ones are neither shown nor counted', async () => {
    const { app, call, put } = await withDevices(dialect);
    const definition = "plan eq 'pro'";
    const made = await put('Who pays / ж', { definition, description: 'All', custom_properties: { plan: 'string' } });
    const at = 'audiences/Who%20pays%20%2F%20%D0%B6';
    expect([made.statusCode, made.json()]).toEqual([
      200,
      {
        name: 'Who pays / ж',
        description: 'All',
        definition,
        state: 'Ready',
        enabled: true,
        custom_properties: { plan: 'string' },
        estimated_count: 1,
        estimated_total_count: 2,
        timestamp: '2026-11-01T09:00:00.000Z',
      },
    ]);
    expect((await call('GET', at)).json()).toEqual(made.json());
    const head = await call('HEAD', at);
    expect([head.statusCode, head.body]).toEqual([204, '']);
    expect((await call('HEAD', 'audiences/none')).statusCode).toBe(404);
    await put('Another', { definition: "Model ne ''" });
    const listed = async (query = '') =>
      (await call('GET', `audiences${query}`))
        .json()
        .values.map((each: { name: string; estimated_count?: number; state: string }) => [
          each.name,
          each.estimated_count,
          each.state,
        ]);
    expect(await listed()).toEqual([
      ['Another', 2, 'Ready'],
      ['Who pays / ж', 1, 'Ready'],
    ]);
    await put('Another', { definition: "Model ne ''", enabled: false });
    expect(await listed()).toEqual([['Who pays / ж', 1, 'Ready']]);
    expect(await listed('?include_disabled=true')).toContainEqual(['Another', undefined, 'Disabled']);
    expect((await call('DELETE', at)).statusCode).toBe(204);
    expect((await call('DELETE', at)).statusCode).toBe(404);
    const actions = await app.database.query((q) =>
      q.selectFrom('audit_events').select('action').where('action', 'like', 'analytics_audience.%').orderBy('id'),
    );
    expect(actions.map(({ action }) => action.split('.')[1])).toEqual(['create', 'create', 'update', 'delete']);
  });

  test('may declare different types for the same property', async () => {
    const { call, put } = await withDevices(dialect);
    await put('text', { definition: "plan eq 'pro'", custom_properties: { plan: 'string' } });
    await put('number', { definition: 'plan ne 3', custom_properties: { plan: 'number' } });
    const { values } = (await call('GET', 'audiences')).json();
    expect(values.map((each: { estimated_count: number }) => each.estimated_count)).toEqual([2, 1]);
  });

  test('lists device properties with their types and values', async () => {
    const { get } = await withDevices(dialect);
    expect((await get('audiences/metadata/custom_properties')).values).toEqual({ age: 'number', plan: 'string' });
    expect((await get('audiences/metadata/device_properties')).values).toMatchObject({
      AppVersion: 'string',
      ApiLevel: 'number',
    });
    const values = async (name: string, contains?: string) =>
      (await get(`audiences/metadata/device_properties/${name}/values`, contains === undefined ? {} : { contains }))
        .values;
    expect(await values('Model')).toEqual(['Pixel 7', 'iPhone']);
    expect(await values('model', 'PIX')).toEqual(['Pixel 7']);
    expect(await values('AppVersion', "1'; --")).toEqual([]);
    expect(await values('Colour')).toEqual([]);
  });

  test('are changed by developers, up to a limit', async () => {
    const { app, ref, call, put } = await withDevices(dialect, { analyticsAudiences: 1 });
    const grace = await app.addUser('grace');
    await app.addMember(ref, grace, 'viewer');
    const asGrace = await app.userToken(grace);
    const body = { definition: "Model ne ''" };
    expect((await call('PUT', 'audiences/a', body, asGrace)).statusCode).toBe(403);
    expect((await put('a', body)).statusCode).toBe(200);
    expect((await call('GET', 'audiences/a', undefined, asGrace)).statusCode).toBe(200);
    expect((await call('DELETE', 'audiences/a', undefined, asGrace)).statusCode).toBe(403);
    const more = await put('b', body);
    expect([more.statusCode, more.json().error.message]).toEqual([
      409,
      'An app can have at most 1 audiences. Delete one first.',
    ]);
    expect((await put('a', body)).statusCode).toBe(200);
  });

  test('are refused beyond the limit, also when two are saved concurrently', async () => {
    const { app, open } = await withApps(dialect, { analyticsAudiences: 1 });
    const { call } = await open();
    const save = (name: string) => () => call('PUT', `audiences/${name}`, { definition: "Model ne ''" });
    const responses = await atOnce(app, [save('a'), save('b')]);
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 409]);
  });
});
