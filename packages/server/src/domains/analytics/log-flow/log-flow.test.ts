import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { testApp } from '../../../../test/harness/app.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { DAY } from '../../../kernel/clock.ts';
import { addLogs } from '../../ingest/index.ts';

const install = randomUUID();
const timestamp = '2026-11-01T08:00:00.000Z';

async function withApp(dialect: 'sqlite' | 'postgres') {
  const app = await testApp(dialect);
  const ada = await app.addUser('ada');
  const token = await app.userToken(ada);
  const { id } = await app.addApp(ada, 'buoy');
  const flow = async (path: 'log_flow' | 'generic_log_flow', start?: string) => {
    const query: Record<string, string> = start === undefined ? {} : { start };
    return (await app.call('GET', `/v0.1/apps/ada/buoy/analytics/${path}`, { token, query })).json();
  };
  const send = (...logs: object[]) =>
    addLogs(app.deps, { appId: id, installId: install, logs: logs.map((log) => ({ timestamp, ...log })) });
  return { app, flow, send };
}

eachDatabase('the log flow', (dialect) => {
  test('returns all properties of a device, with empty values for missing required ones', async () => {
    const { flow, send } = await withApp(dialect);
    const says = {
      sdkName: 'appcenter.android',
      sdkVersion: '5.0.6',
      wrapperSdkVersion: '1.1',
      wrapperSdkName: 'wrapper',
      wrapperRuntimeVersion: '1.2',
      model: 'Pixel 9',
      oemName: 'Google',
      osName: 'Android',
      osVersion: '16',
      osBuild: 'BP1A',
      osApiLevel: 36,
      locale: 'de_DE',
      timeZoneOffset: -60,
      screenSize: '1080x2424',
      appVersion: '1.0',
      appBuild: 7,
      appNamespace: 'com.example',
      carrierName: 'Carrier',
      carrierCode: '26201',
      carrierCountry: 'de',
      liveUpdateReleaseLabel: 'v3',
      liveUpdateDeploymentKey: 'key',
      liveUpdatePackageHash: 'hash',
    };
    await send({ type: 'event', device: says }, { type: 'event' }, { type: 'event', device: [] });
    const [complete, silent, odd] = (await flow('log_flow')).logs.map(({ device }: { device: object }) => device);
    expect(complete).toEqual({
      sdk_name: 'appcenter.android',
      sdk_version: '5.0.6',
      wrapper_sdk_version: '1.1',
      wrapper_sdk_name: 'wrapper',
      wrapper_runtime_version: '1.2',
      model: 'Pixel 9',
      oem_name: 'Google',
      os_name: 'Android',
      os_version: '16',
      os_build: 'BP1A',
      os_api_level: 36,
      locale: 'de_DE',
      time_zone_offset: -60,
      screen_size: '1080x2424',
      app_version: '1.0',
      app_build: '7',
      app_namespace: 'com.example',
      carrier_name: 'Carrier',
      carrier_code: '26201',
      carrier_country: 'de',
      live_update_release_label: 'v3',
      live_update_deployment_key: 'key',
      live_update_package_hash: 'hash',
    });
    const nothing = { sdk_name: '', sdk_version: '', os_name: '', os_version: '', locale: '', app_version: '' };
    expect([silent, odd]).toEqual(Array(2).fill({ ...nothing, app_build: '', time_zone_offset: 0 }));
  });

  test.each([
    [840, 840],
    [841, 840],
    [-840, -840],
    [-99_999, -840],
    [1.5, 0],
    ['60', 0],
  ])('reads an offset of %s as %d minutes', async (timeZoneOffset, shown) => {
    const { flow, send } = await withApp(dialect);
    await send({ type: 'event', device: { timeZoneOffset, osApiLevel: 1.5, model: {} } });
    const [{ device }] = (await flow('log_flow')).logs;
    expect(device.time_zone_offset).toBe(shown);
    expect(Object.keys(device)).not.toContain('os_api_level');
    expect(Object.keys(device)).not.toContain('model');
  });

  test('names each log type and omits unknown types', async () => {
    const { flow, send } = await withApp(dialect);
    const typeNames = {
      event: 'event',
      page: 'page',
      startSession: 'start_session',
      distributionStartSession: 'distribution_start_session',
      startService: 'start_service',
      customProperties: 'custom_properties',
      pushInstallation: 'push_installation',
      managedError: 'error',
      appleError: 'error',
      handledError: 'error',
    };
    await send(...[...Object.keys(typeNames), 'errorAttachment'].map((type) => ({ type })));
    expect((await flow('generic_log_flow')).logs.map(({ type }: { type: string }) => type)).toEqual(
      Object.values(typeNames),
    );
  });

  test('names crashes and errors by the type of their exception', async () => {
    const { flow, send } = await withApp(dialect);
    await send(
      { type: 'managedError', exception: { type: 'java.io.IOException' } },
      { type: 'appleError', exceptionType: 'NSRangeException' },
      { type: 'handledError', exception: [{ type: 'x' }] },
    );
    expect((await flow('generic_log_flow')).logs.map((log: { event_name?: string }) => log.event_name)).toEqual([
      'java.io.IOException',
      'NSRangeException',
      undefined,
    ]);
  });

  test('returns the documented fields of a log and omits values that are not text', async () => {
    const { flow, send } = await withApp(dialect);
    const whole = {
      type: 'event',
      id: 'id',
      name: 'checkout',
      sid: 'session',
      services: ['Analytics', {}, 7],
      distributionGroupId: 'group',
      pushToken: 'push',
    };
    await send(whole, { type: 'event', id: {}, name: [], sid: null, services: 'none', pushToken: {} });
    const common = { type: 'event', timestamp, install_id: install, device: expect.any(Object) };
    expect((await flow('log_flow')).logs).toEqual([
      {
        ...common,
        id: 'id',
        name: 'checkout',
        session_id: 'session',
        services: ['Analytics', '7'],
        distribution_group_id: 'group',
        push_token: 'push',
      },
      common,
    ]);
    expect((await flow('generic_log_flow')).logs).toEqual([
      { ...common, event_id: 'id', event_name: 'checkout', session_id: 'session' },
      common,
    ]);
  });

  test('returns properties as text, typed ones first, in any valid form', async () => {
    const { flow, send } = await withApp(dialect);
    const typed = [{ name: 'n', value: 3 }, { name: 'b', value: true }, { name: 'o', value: {} }, 7];
    await send(
      { type: 'event', typedProperties: typed, properties: { plain: 'x' } },
      { type: 'event', properties: [{ name: 'listed', value: 'y' }] },
      { type: 'event', typedProperties: {}, properties: { plain: 'x', odd: [] } },
      { type: 'event', properties: 'none' },
      { type: 'event', properties: {} },
    );
    const shown = (await flow('log_flow')).logs.map(({ properties }: { properties?: object }) => properties);
    expect(shown).toEqual([{ n: '3', b: 'true' }, { listed: 'y' }, { plain: 'x' }, undefined, undefined]);
  });

  test('returns a hundred logs in complete batches, and cuts only a batch that is larger', async () => {
    const { flow, send } = await withApp(dialect);
    const events = (count: number) => Array.from({ length: count }, () => ({ type: 'event' }));
    await send(...events(60));
    await send(...events(40));
    const full = await flow('log_flow');
    expect([full.logs.length, full.exceeded_max_limit]).toEqual([100, false]);
    await send(...events(1));
    const more = await flow('log_flow');
    expect([more.logs.length, more.exceeded_max_limit]).toEqual([100, true]);
    expect(more.last_received_log_timestamp).toBe(full.last_received_log_timestamp);
    const rest = await flow('log_flow', more.last_received_log_timestamp);
    expect([rest.logs.length, rest.exceeded_max_limit]).toEqual([1, false]);
    await send(...events(101));
    const cut = await flow('log_flow', rest.last_received_log_timestamp);
    expect([cut.logs.length, cut.exceeded_max_limit]).toEqual([100, true]);
    expect((await flow('log_flow', cut.last_received_log_timestamp)).logs).toEqual([]);
  });

  test('starts with the current UTC day even if an earlier one is requested', async () => {
    const { app, flow, send } = await withApp(dialect);
    await send({ type: 'event', name: 'yesterday' });
    app.advance(DAY);
    await send({ type: 'event', name: 'today' });
    const names = async (start?: string) =>
      (await flow('log_flow', start)).logs.map(({ name }: { name: string }) => name);
    expect(await names()).toEqual(['today']);
    expect(await names('2026-11-01T00:00:00.000Z')).toEqual(['today']);
    expect(await names('2026-11-02T00:00:00.000Z')).toEqual(['today']);
    expect(await names('2026-11-02T23:59:59.999Z')).toEqual([]);
  });
});
