import { expect, test } from 'vitest';
import { androidCrash, EVENT_ID, INSTALL } from '../../../../../test/harness/sentry.ts';
import { crashed, hexId, openSentryReports } from '../../../../../test/harness/sentry-reports.ts';
import { eachDatabase } from '../../../../../test/harness/services/databases.ts';
import { systemCtx } from '../../../../context.ts';
import { readLog } from '../reports.ts';
import { subjectReports } from '../subject-records.ts';

eachDatabase('contexts of Sentry events', (dialect) => {
  async function open() {
    const sentry = await openSentryReports(dialect);
    const details = async (id: string) => {
      const [row] = (await sentry.rows()).filter((report) => report.id === id);
      return sentry.get(`errors/errorGroups/${row?.group_id}/errors/${id}`);
    };
    return { ...sentry, details };
  }

  test('a report shows user, contexts and extra data, and stores no IP address', async () => {
    const { send, process, details, app, id } = await open();
    const user = {
      id: 'ada',
      email: 'ada@example.com',
      username: 'Ada',
      ip_address: '203.0.113.7',
      geo: { city: 'x' },
    };
    const contexts = {
      app: { type: 'app', in_foreground: true, view_names: ['Cart', 'Pay'], permissions: { CAMERA: 'granted' } },
      device: { battery_level: 55.5, charging: false, id: INSTALL },
      empty: { nothing: null, list: [] },
      broken: 7,
    };
    await send(androidCrash({ user, contexts, extra: { cart: 3, state: { step: 'pay' }, 'a\0': '\ud800' } }));
    await process();
    expect(await details(EVENT_ID)).toMatchObject({
      userId: 'ada',
      user: { id: 'ada', email: 'ada@example.com', username: 'Ada' },
      contexts: {
        app: { in_foreground: 'true', view_names: 'Cart, Pay', permissions: '{"CAMERA":"granted"}' },
        device: { battery_level: '55.5', charging: 'false', id: INSTALL },
      },
      extra: { cart: '3', state: '{"step":"pay"}' },
    });
    const { contexts: shown } = await details(EVENT_ID);
    expect(Object.keys(shown)).toEqual(['app', 'device']);
    const log = await readLog(app.deps, id, EVENT_ID);
    expect(log).toContain('ada@example.com');
    expect(log).not.toContain('203.0.113.7');
  });

  test('values beyond the limits are omitted, and hostile names do no harm', async () => {
    const { send, process, details } = await open();
    const many = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`k${n}`, 'x'.repeat(800)]));
    const extra = JSON.parse('{"__proto__":{"a":1},"constructor":"c","toString":{"toString":1}}');
    const contexts = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`c${n}`, { many: n }]));
    await send(androidCrash({ event_id: hexId(1), contexts: { big: many, ...contexts }, extra }));
    await send(androidCrash({ event_id: hexId(2), contexts, extra: many, user: 'ada' }));
    await send(androidCrash({ event_id: hexId(3), contexts: [], extra: [1], user: [{}] }));
    await process();
    const [first, second, third] = [await details(hexId(1)), await details(hexId(2)), await details(hexId(3))];
    expect([Object.keys(first.contexts), Object.keys(first.contexts.big).length]).toEqual([['big'], 200]);
    expect(first.contexts.big.k0).toHaveLength(500);
    expect(first.extra).toMatchObject({ constructor: 'c' });
    expect([Object.keys(second.contexts).length, Object.keys(second.extra).length, second.user]).toEqual([30, 200, {}]);
    expect([third.contexts, third.user]).toEqual([{}, {}]);
  });

  test('data requests find a user by the address if the app set no ID but that of the install', async () => {
    const { send, process, rows } = await open();
    const user = { id: INSTALL, email: 'grace@example.com' };
    await send(androidCrash({ event_id: hexId(1), user }), crashed());
    await send(androidCrash({ event_id: hexId(2), user: { id: 'ada' } }));
    await send(androidCrash({ event_id: hexId(3) }));
    await process();
    expect((await rows()).map(({ user_id }) => user_id)).toEqual(['grace@example.com', 'ada', null]);
  });

  test('exports of a data request have user and contexts, and a deletion erases them', async () => {
    const { send, process, app, id, rows, home, token } = await open();
    await send(androidCrash({ user: { id: 'ada', email: 'ada@example.com' }, extra: { note: 'private' } }), crashed());
    await process();
    const subject = { appId: id, kind: 'user', value: 'ada' } as const;
    const exported = JSON.stringify(await Array.fromAsync(subjectReports.read(systemCtx(app.deps), subject)));
    expect(exported).toContain('ada@example.com');
    expect(exported).toContain('private');
    expect((await app.call('DELETE', `${home}/analytics/users/ada`, { token })).statusCode).toBe(204);
    app.advance(5000);
    await app.runJobs();
    expect(await rows()).toEqual([]);
    expect(await app.database.query((q) => q.selectFrom('crash_bodies').select('report_id'))).toEqual([]);
  });
});
