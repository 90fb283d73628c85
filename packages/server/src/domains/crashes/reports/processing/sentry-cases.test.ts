import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createZip } from '../../../../../../../test-support/zip.ts';
import { androidCrash, EVENT_ID, INSTALL, type Item, NOW, session } from '../../../../../test/harness/sentry.ts';
import {
  anr,
  appFrame,
  apple,
  crashed,
  eventItem,
  file,
  hexId,
  openSentryReports,
  sessionItem,
} from '../../../../../test/harness/sentry-reports.ts';
import { eachDatabase } from '../../../../../test/harness/services/databases.ts';
import { compileShop, hasToolchain } from '../../../../../test/harness/services/programs.ts';
import { uploadSymbols } from '../../../../../test/harness/symbols.ts';

/*
 * Cases of the notes about mobile and native SDKs, by their number; 14 to 25 are in `sentry-framework-cases.test.ts`, 18 and 24 in `sentry-minidumps.test.ts`. All payloads are
 * composed after the source code of the SDKs; none was recorded on a device.
 */

eachDatabase('what mobile and native Sentry SDKs send', (dialect) => {
  const open = () => openSentryReports(dialect);

  test('1: Android sends event, session, attachment and client report together: one crash, one crashed session', async () => {
    const { send, process, rows, overview, items } = await open();
    await send(androidCrash(), crashed(), file('log.txt', 'x'), [
      { type: 'client_report' },
      { discarded_events: [{ reason: 'ratelimit_backoff', category: 'error', quantity: 2 }] },
    ]);
    await process();
    expect(await rows()).toMatchObject([{ kind: 'crash', has_attachments: 1 }]);
    const { days, crash_free_sessions } = await overview();
    expect([days[0].sessions, crash_free_sessions]).toEqual([1, 0]);
    expect(await items()).toMatchObject({ 'error discarded ratelimit_backoff': 2 });
  });

  test('2: an event ID that comes twice is one occurrence', async () => {
    const { send, process, rows, groups } = await open();
    const first = await send(androidCrash());
    await process();
    const second = await send(androidCrash());
    await process();
    expect([first.statusCode, second.statusCode, (await rows()).length]).toEqual([200, 200, 1]);
    expect(await groups()).toMatchObject([{ count: 1 }]);
  });

  test('3: an ANR without handled is an app hang with the frames of the main thread, and lists filter it', async () => {
    const { send, process, rows, getStack, get, overview } = await open();
    await send(anr());
    await send(androidCrash());
    await process();
    expect((await rows()).map(({ kind }) => kind)).toEqual(['hang', 'crash']);
    const { exceptions, threads } = await getStack(hexId(3));
    expect(exceptions).toMatchObject([{ type: 'ApplicationNotResponding', frames: [{ method: 'load' }] }]);
    expect(threads.filter(({ isCrashed }) => isCrashed)).toMatchObject([{ name: 'main' }]);
    const list = async (kind: string) => (await get('crash_issues', { kind })).values.map((one: Item) => one);
    expect(await list('hang')).toMatchObject([{ kind: 'hang', exception_type: 'ApplicationNotResponding' }]);
    expect((await list('crash')).length).toBe(1);
    expect(await overview()).toMatchObject({
      crash_count: 1,
      hang_count: 1,
      days: [{ crashes: 1, hangs: 1 }],
      versions: [{ crashes: 1, hangs: 1 }],
    });
    const found = await get('errors/search', { filter: "errorType eq 'hang'" });
    expect(found.errors).toMatchObject([{ errorId: hexId(3) }]);
  });

  test('4: the abnormal session of an ANR arrives in a later envelope, and counts once', async () => {
    const { send, sendItems, process, overview } = await open();
    await sendItems({}, sessionItem(session({ seq: undefined })));
    await process();
    await send(anr());
    await sendItems(
      {},
      sessionItem(session({ init: false, status: 'abnormal', abnormal_mechanism: 'anr_foreground', seq: NOW })),
    );
    await process();
    const { days, crash_free_sessions, hang_count } = await overview();
    expect([days[0].sessions, crash_free_sessions, hang_count]).toEqual([1, 100, 1]);
  });

  test('5: an NDK crash and its session in another envelope are one crash and one crashed session', async () => {
    const { send, sendItems, process, overview, getStack } = await open();
    await send({
      ...apple('SIGSEGV', { type: 'signalhandler', handled: false, meta: { signal: { number: 11, name: 'SIGSEGV' } } }),
      platform: 'native',
      sdk: { name: 'sentry.native.android', version: '0.16.3' },
      contexts: { os: { name: 'Android', version: '14' }, os_linux: { name: 'Linux' } },
    });
    await process();
    await sendItems({}, crashed({ init: false }));
    await process();
    expect(await overview()).toMatchObject({ crash_count: 1, crash_free_sessions: 0, days: [{ sessions: 1 }] });
    expect((await getStack(hexId(1))).notes).toContain('Signal SIGSEGV (11).');
  });

  test('6: the flat meta of a tombstone shows its signal', async () => {
    const { send, process, getStack, rows } = await open();
    const meta = { number: 6, name: 'SIGABRT', code: -1, code_name: 'SI_QUEUE' };
    await send({ ...anr(), ...apple('SIGABRT', { type: 'Tombstone', handled: false, meta }), platform: 'native' });
    await process();
    expect((await getStack(hexId(1))).notes).toContain('Signal SIGABRT (6) SI_QUEUE.');
    expect(await rows()).toMatchObject([{ kind: 'crash' }]);
  });

  test('7: a cause and two suppressed exceptions form a tree by their IDs; the title is the one with ID 0', async () => {
    const { send, process, getStack, groups } = await open();
    const of = (type: string, exception_id: number, mechanism: object = {}) => ({
      type,
      module: 'com.example.shop',
      value: type,
      mechanism: { type: 'chained', exception_id, parent_id: 0, ...mechanism },
      stacktrace: { frames: [appFrame(type.toLowerCase())] },
    });
    const outermost = of('Outer', 0, { type: 'UncaughtExceptionHandler', handled: false, parent_id: undefined });
    const values = [
      of('Second', 3, { type: 'suppressed' }),
      of('First', 2, { type: 'suppressed' }),
      outermost,
      of('Cause', 1),
    ];
    await send(androidCrash({ exception: { values } }));
    await process();
    expect((await getStack(EVENT_ID)).exceptions.map(({ message }) => message)).toEqual([
      'Outer',
      'Cause',
      'First',
      'Second',
    ]);
    expect(await groups()).toMatchObject([{ exception_type: 'com.example.shop.Outer', method: 'outer' }]);
  });

  test('10: reports of a watchdog without a stack belong together by their type', async () => {
    const { send, process, groups, rows } = await open();
    const watchdog = apple(
      'WatchdogTermination',
      { type: 'watchdog_termination', handled: false },
      { value: 'The OS ended the app.' },
    );
    for (const id of [1, 2]) await send({ ...watchdog, event_id: hexId(id) });
    await process();
    expect(await groups()).toMatchObject([{ count: 2, exception_type: 'WatchdogTermination', kind: 'crash' }]);
    expect((await rows()).map(({ state }) => state)).toEqual(['processed', 'processed']);
  });

  test('11: a session ID in upper or lower case, with or without dashes, is one session', async () => {
    const { sendItems, process, overview } = await open();
    const forms = [
      '5B7C1F0E-3A53-4D0C-9A61-0B4E9A0F2D11',
      '5b7c1f0e3a534d0c9a610b4e9a0f2d11',
      '5b7c1f0e-3a53-4d0c-9a61-0b4e9a0f2d11',
    ];
    for (const sid of forms) await sendItems({}, sessionItem(session({ sid, did: INSTALL.toUpperCase() })));
    await process();
    expect((await overview()).days[0].sessions).toBe(1);
  });

  test('12: a fatal app hang with an abnormal session is a hang, not a crash', async () => {
    const { send, process, overview, rows } = await open();
    const hang = apple(
      'Fatal App Hang Fully Blocked',
      { type: 'AppHang', handled: false },
      { value: 'The user killed it.' },
    );
    await send(
      { ...hang, level: 'fatal' },
      sessionItem(session({ status: 'abnormal', abnormal_mechanism: 'anr_foreground' })),
    );
    await send({ ...apple('App Hang Fully Blocked', { type: 'AppHang' }), event_id: hexId(2), level: 'error' });
    await send({
      ...apple('MXHangDiagnostic', { type: 'mx_hang_diagnostic', handled: true }),
      event_id: hexId(4),
      level: 'warning',
    });
    await process();
    expect((await rows()).map(({ kind }) => kind)).toEqual(['hang', 'hang', 'hang']);
    expect(await overview()).toMatchObject({
      crash_count: 0,
      hang_count: 3,
      crash_free_sessions: 100,
      crash_free_devices: 100,
    });
  });

  test('13: a session of .NET without a status is ok, and an unhandled one did not crash', async () => {
    const { sendItems, process, overview } = await open();
    const of = (id: number, more: object) =>
      sessionItem(session({ sid: hexId(id), did: `d${id}`, duration: 7, ...more }));
    await sendItems({}, of(1, { status: undefined, errors: 0 }));
    await sendItems({}, of(2, { status: 'unhandled', errors: 1, init: false }));
    await sendItems({}, of(3, { status: 'errored' }), of(4, { status: 'no such status' }));
    await process();
    expect(await overview()).toMatchObject({ crash_free_sessions: 100, days: [{ sessions: 4 }] });
  });
});

describe.skipIf(!hasToolchain)('frames of Apple devices without names', () => {
  let shop: ReturnType<typeof compileShop>;
  beforeAll(() => {
    shop = compileShop();
  });
  afterAll(() => shop.remove());

  test('8, 9: get functions and lines from the dSYM and group by them, also with an old image type and an upper-case ID', async () => {
    const { app, token, home, sendItems, process, groups, getStack } = await openSentryReports('sqlite');
    const uuid = shop
      .machOId('Shop')
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
      .toUpperCase();
    const content = createZip({ name: 'Shop.dSYM/Contents/Resources/DWARF/Shop', content: shop.readDwarf() });
    await uploadSymbols(app, { token, path: home, symbol_type: 'Apple' }, content);
    await app.runJobs();
    const pay = shop.getAddress('Shop', '_cart_pay') - 0x100000000;
    const hex = (value: number) => `0x${value.toString(16).padStart(16, '0')}`;
    const event = (id: number, base: number, image: object) => ({
      ...apple(
        'EXC_BAD_ACCESS',
        {
          type: 'mach',
          handled: false,
          meta: {
            mach_exception: { name: 'EXC_BAD_ACCESS', exception: 1, code: 1, subcode: 16 },
            signal: { number: 11, name: 'SIGSEGV' },
          },
        },
        {
          thread_id: 0,
          stacktrace: {
            frames: [
              {
                instruction_addr: hex(base + pay),
                image_addr: hex(base),
                package: '/private/var/Shop.app/Shop',
                in_app: true,
              },
            ],
          },
        },
      ),
      event_id: hexId(id),
      debug_meta: { images: [{ image_addr: hex(base), image_size: 0x10000, ...image }] },
    });
    const name = '/private/var/Shop.app/Shop';
    await sendItems(
      { event_id: hexId(1) },
      eventItem(event(1, 0x1_0000_0000, { type: 'macho', debug_id: uuid, code_file: name })),
    );
    await sendItems({ event_id: hexId(2) }, eventItem(event(2, 0x1_0b3c_4000, { type: 'apple', uuid, name })));
    await process();
    expect(await groups()).toMatchObject([{ count: 2, method: 'price_round' }]);
    const { exceptions, notes } = await getStack(hexId(2));
    expect(exceptions[0]?.frames.map(({ method, line }) => [method, line])).toEqual([
      ['price_round', 3],
      ['cart_pay', 6],
    ]);
    expect(notes).toEqual(['Mach exception EXC_BAD_ACCESS 1 16.', 'Signal SIGSEGV (11).']);
  });
});
