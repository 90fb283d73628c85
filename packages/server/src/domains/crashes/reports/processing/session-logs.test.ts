import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { crash, crashApp, device, handledError, NOW } from '../../../../../test/harness/crashes.ts';
import { eachDatabase } from '../../../../../test/harness/services/databases.ts';
import { DAY } from '../../../../kernel/clock.ts';

eachDatabase('logs of a session', (dialect) => {
  const log = (type: string, at: number, fields: object) => ({
    type,
    timestamp: new Date(at).toISOString(),
    device,
    ...fields,
  });

  test('lists the logs before a crash or handled error, oldest first, with device details', async () => {
    const { send, compact, get } = await crashApp(dialect);
    const [ann, bob, sid] = [randomUUID(), randomUUID(), randomUUID()];
    const event = (name: string, at: number, fields: object = {}) =>
      log('event', at, { id: randomUUID(), name, sid, ...fields });
    const caught = handledError({ at: NOW - 1500, sid, properties: { step: 'pay' } });
    const broken = crash({ at: NOW - 1000, sid: sid.toUpperCase() });
    await send(
      ann,
      log('startSession', NOW - 3000, { sid }),
      event('buy', NOW - 2000, { properties: { plan: 'pro' } }),
      caught,
      broken,
      event('late', NOW),
      event('elsewhere', NOW - 2000, { sid: randomUUID() }),
    );
    await send(bob, event('another device', NOW - 2000));
    await compact();
    const listLogs = async (path: string) =>
      (await get(path)).logs.map(({ type, event_name, properties }: Record<string, unknown>) => [
        type,
        event_name ?? '',
        properties ?? {},
      ]);
    const before = [
      ['start_session', '', {}],
      ['event', 'buy', { plan: 'pro' }],
    ];
    expect(await listLogs(`errors/${broken.id.toUpperCase()}/sessionLogs`)).toEqual([...before, ['error', '', {}]]);
    expect(await listLogs(`crashes/${broken.id}/session_logs`)).toEqual([...before, ['error', '', {}]]);
    expect(await listLogs(`errors/${caught.id}/sessionLogs?date=${new Date(NOW - 5 * DAY).toISOString()}`)).toEqual([
      ...before,
      ['error', '', { step: 'pay' }],
    ]);
    const { logs, exceeded_max_limit } = await get(`errors/${broken.id}/sessionLogs`);
    expect([exceeded_max_limit, logs[0].install_id, logs[0].session_id]).toEqual([false, ann, sid]);
    expect(logs[0].device).toMatchObject({ sdk_name: 'appcenter.android', os_name: 'Android', app_version: '1.4.0' });
    expect(await listLogs('errors/none/sessionLogs')).toEqual([]);
  });

  test('lists the last hundred logs of a long session and marks the list as cut; without a session lists only the report', async () => {
    const { send, compact, get } = await crashApp(dialect);
    const [ann, sid] = [randomUUID(), randomUUID()];
    const events = Array.from({ length: 120 }, (_, n) =>
      log('event', NOW - 1000 - n, { id: randomUUID(), name: `e${n}`, sid }),
    );
    const [long, alone] = [crash({ sid }), crash({ method: 'ship' })];
    await send(ann, ...events, long, alone);
    await compact();
    const { logs, exceeded_max_limit } = await get(`errors/${long.id}/sessionLogs`);
    expect([logs.length, exceeded_max_limit, logs[0].event_name, logs[98].event_name, logs[99].type]).toEqual([
      100,
      true,
      'e98',
      'e0',
      'error',
    ]);
    expect((await get(`errors/${alone.id}/sessionLogs`)).logs).toMatchObject([{ type: 'error' }]);
  });
});
