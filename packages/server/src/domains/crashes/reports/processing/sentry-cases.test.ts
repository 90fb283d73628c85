import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createZip } from '../../../../../../../test-support/zip.ts';
import { amd64Context, minidump, words64 } from '../../../../../test/harness/images.ts';
import { androidCrash, EVENT_ID, INSTALL, type Item, NOW, session } from '../../../../../test/harness/sentry.ts';
import { eventItem, hexId, openSentryReports, sessionItem } from '../../../../../test/harness/sentry-reports.ts';
import { eachDatabase } from '../../../../../test/harness/services/databases.ts';
import { compileShop, hasToolchain } from '../../../../../test/harness/services/programs.ts';
import { uploadSymbols } from '../../../../../test/harness/symbols.ts';

/*
 * The cases of the notes about mobile and native SDKs, by their number. All payloads are composed after the source code of the
 * SDKs; none was recorded on a device.
 */

const crashed = (more: object = {}) => sessionItem(session({ status: 'crashed', ...more }));
const file = (name: string, content: Uint8Array | string, more: object = {}): Item => [
  { type: 'attachment', filename: name, ...more },
  Buffer.from(content),
];
const appFrame = (method: string, className = 'com.example.shop.Cart') => ({
  module: className,
  function: method,
  filename: 'Cart.kt',
  lineno: 42,
  in_app: true,
});
const anr = (more: object = {}) => ({
  event_id: hexId(3),
  platform: 'java',
  level: 'fatal',
  release: 'com.example.shop@1.4.0+140',
  sdk: { name: 'sentry.java.android', version: '8.53.0' },
  contexts: { os: { name: 'Android', version: '14' } },
  user: { id: INSTALL },
  fingerprint: ['{{ default }}', 'foreground-anr'],
  exception: { values: [{ type: 'ApplicationNotResponding', value: 'ANR', mechanism: { type: 'AppExitInfo' } }] },
  threads: {
    values: [
      { id: 7, name: 'Binder:1', stacktrace: { frames: [{ module: 'android.os.Binder', function: 'execTransact' }] } },
      { id: 1, name: 'main', main: true, current: true, stacktrace: { frames: [appFrame('load')] } },
    ],
  },
  ...more,
});
const apple = (type: string, mechanism: object, more: object = {}) => ({
  event_id: hexId(1),
  platform: 'cocoa',
  release: 'com.example.shop@1.4.0+140',
  sdk: { name: 'sentry.cocoa', version: '9.26.0' },
  contexts: { os: { name: 'iOS', version: '18.1' } },
  user: { id: INSTALL },
  exception: { values: [{ type, mechanism, ...more }] },
});

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

  test('14: a frame of .NET keeps its method, file and assembly; PDB files are tested with symbols', async () => {
    const { send, process, getStack } = await open();
    const frame = {
      function: 'void Cart.Pay(int price)',
      module: 'Shop.Cart',
      package: 'Shop, Version=1.0.0.0, Culture=neutral',
      function_id: '0x6000012',
      instruction_addr: '0x1f',
      addr_mode: 'rel:0',
      in_app: true,
    };
    await send({
      event_id: hexId(1),
      platform: 'csharp',
      sdk: { name: 'sentry.dotnet.maui', version: '6.9.0' },
      exception: {
        values: [
          {
            type: 'System.InvalidOperationException',
            value: 'empty',
            mechanism: { type: 'AppDomain.UnhandledException', handled: false },
            stacktrace: { frames: [frame] },
          },
        ],
      },
      debug_meta: {
        images: [
          {
            type: 'pe_dotnet',
            code_id: 'ABCDEF0112000',
            debug_id: '2979beff-ad1b-b8cd-307a-0102030405ff-a1b2c3d4',
            debug_file: 'Shop.pdb',
          },
        ],
      },
    });
    await process();
    const { exceptions, platform } = await getStack(hexId(1));
    expect([platform, exceptions[0]?.frames]).toMatchObject([
      'xamarin',
      [{ className: 'Shop.Cart', method: 'void Cart.Pay(int price)', language: 'CSharp', isApp: true }],
    ]);
  });

  test('15: a handled AggregateException is a handled error, and shows its children', async () => {
    const { send, process, rows, getStack } = await open();
    const of = (type: string, exception_id: number, mechanism: object) => ({
      type,
      value: type,
      mechanism: { exception_id, ...mechanism },
    });
    await send({
      event_id: hexId(1),
      platform: 'csharp',
      exception: {
        values: [
          of('System.IO.IOException', 2, { type: 'chained', parent_id: 0, source: 'InnerExceptions[1]' }),
          of('System.TimeoutException', 1, { type: 'chained', parent_id: 0, source: 'InnerExceptions[0]' }),
          of('System.AggregateException', 0, { type: 'generic', handled: true, is_exception_group: true }),
        ],
      },
    });
    await process();
    expect(await rows()).toMatchObject([{ kind: 'error' }]);
    expect((await getStack(hexId(1))).exceptions.map(({ type }) => type)).toEqual([
      'System.AggregateException',
      'System.TimeoutException',
      'System.IO.IOException',
    ]);
  });

  test('16: Unity.LogException is an error, and leaves the crash-free figures as they are', async () => {
    const { send, process, rows, overview } = await open();
    const exception = (type: string) => ({
      values: [{ type: 'NullReferenceException', mechanism: { type, handled: false } }],
    });
    const unity = { platform: 'csharp', sdk: { name: 'sentry.dotnet.unity', version: '4.9.0' }, user: { id: INSTALL } };
    const living = sessionItem(session({ status: 'unhandled', errors: 1 }));
    await send({ ...unity, event_id: hexId(1), exception: exception('Unity.LogException') }, living);
    await send({ ...unity, event_id: hexId(2), exception: exception('UnobservedTaskException') });
    await process();
    expect((await rows()).map(({ kind }) => kind)).toEqual(['error', 'error']);
    expect(await overview()).toMatchObject({
      crash_count: 0,
      error_count: 2,
      crash_free_sessions: 100,
      crash_free_devices: 100,
    });
  });

  test('17: a native session without seq and timestamp starts when it says, or when it arrives', async () => {
    const { sendItems, process, storedLogs, overview } = await open();
    const { seq: _, timestamp: __, ...native } = { seq: 0, ...session() };
    await sendItems({}, sessionItem(native));
    await sendItems({}, sessionItem({ ...native, sid: hexId(2), started: undefined }));
    await process();
    const times = (await storedLogs()).map((log) => (log as { timestamp: string }).timestamp);
    expect(times).toEqual([NOW - 60_000, NOW].map((at) => new Date(at).toISOString()));
    expect((await overview()).days[0].sessions).toBe(2);
  });

  test('19: an event of Electron with only a minidump gets its title from the dump', async () => {
    const { send, process, groups, rows } = await open();
    const stackAt = 0x7fff0000n;
    const base = 0x7000000000n;
    const context = amd64Context({ rip: base + 0x1010n, rsp: stackAt });
    const dump = minidump({
      modules: [
        { base, size: 0x10000, path: '/opt/shop/libshop.so', buildId: '00112233445566778899aabbccddeeff01234567' },
      ],
      threads: [{ id: 7, context, stack: { start: stackAt, content: words64(base + 0x2010n, 0n) } }],
      crash: { threadId: 7, code: 11, address: 0x10n, context },
    });
    await send(
      {
        event_id: hexId(1),
        platform: 'native',
        level: 'fatal',
        release: 'shop@1.4.0',
        sdk: { name: 'sentry.javascript.electron', version: '7.15.0' },
        tags: { 'event.process': 'browser', 'exit.reason': 'crashed' },
      },
      file('minidump.dmp', dump, { attachment_type: 'event.minidump' }),
    );
    await process();
    expect(await groups()).toMatchObject([{ kind: 'crash', exception_type: 'SIGSEGV', message: 'SIGSEGV at 0x10' }]);
    expect(JSON.parse(String((await rows())[0]?.properties))).toMatchObject({ 'exit.reason': 'crashed' });
  });

  test('20: React Native sends the JavaScript error before its Java cause: its title, unhandled, both stacks', async () => {
    const { send, process, rows, groups, getStack } = await open();
    const script = { filename: 'app:///index.android.bundle', function: 'pay', lineno: 1, colno: 4711, in_app: true };
    await send({
      event_id: hexId(1),
      platform: 'javascript',
      sdk: { name: 'sentry.javascript.react-native', version: '8.23.0' },
      exception: {
        values: [
          {
            type: 'PayError',
            value: 'no',
            mechanism: { type: 'onerror', handled: false },
            stacktrace: { frames: [script] },
          },
          {
            type: 'IOException',
            module: 'java.io',
            stacktrace: { frames: [{ platform: 'java', module: 'a.Net', function: 'send', in_app: true }] },
          },
        ],
      },
    });
    await process();
    expect(await rows()).toMatchObject([{ kind: 'crash' }]);
    expect(await groups()).toMatchObject([{ exception_type: 'PayError' }]);
    expect((await getStack(hexId(1))).exceptions.map(({ frames }) => frames.length)).toEqual([1, 1]);
  });

  test('21: a frame of Hermes gets its original line by the debug ID of the source map', async () => {
    const { app, token, home, send, process, getStack } = await open();
    const debugId = '85314830-023f-4cf1-a267-535f4e37bb17';
    // Column 5 of the bundle is line 3 of the source.
    const map = {
      version: 3,
      file: 'index.android.bundle',
      sources: ['src/cart.ts'],
      names: ['pay'],
      mappings: 'AAEA',
      debugId,
    };
    await uploadSymbols(
      app,
      { token, path: home, symbol_type: 'JavaScript', file_name: 'index.map', version: '0.1', build: '1' },
      JSON.stringify(map),
    );
    await app.runJobs();
    const frame = { filename: 'app:///index.android.bundle', function: 'n', lineno: 1, colno: 5, in_app: true };
    await send({
      event_id: hexId(1),
      platform: 'javascript',
      sdk: { name: 'sentry.javascript.react-native', version: '8.23.0' },
      exception: {
        values: [
          { type: 'Error', value: 'x', mechanism: { type: 'generic', handled: true }, stacktrace: { frames: [frame] } },
        ],
      },
      debug_meta: { images: [{ type: 'sourcemap', code_file: 'app:///index.android.bundle', debug_id: debugId }] },
    });
    await process();
    expect((await getStack(hexId(1))).exceptions[0]?.frames).toMatchObject([{ file: 'src/cart.ts', line: 3 }]);
  });

  test('22: native frames of Flutter in libapp.so get the names of its symbols', async () => {
    const { app, token, home, send, process, getStack } = await open();
    const sym =
      'MODULE Linux arm64 FFBE7929DB1A8BCD307A0102030405FF0 libapp.so\nFILE 0 cart.dart\nFUNC 1000 100 0 Cart.pay\n1000 100 12 0\n';
    await uploadSymbols(app, { token, path: home, symbol_type: 'Breakpad', file_name: 'libapp.so.sym' }, sym);
    await app.runJobs();
    await send({
      event_id: hexId(1),
      platform: 'other',
      sdk: { name: 'sentry.dart.flutter', version: '9.27.0' },
      contexts: { os: { name: 'Android', version: '14' } },
      exception: {
        values: [
          {
            type: 'StateError',
            mechanism: { type: 'FlutterError', handled: false },
            stacktrace: {
              frames: [
                { platform: 'native', instruction_addr: '0x7000001010' },
                { abs_path: '<asynchronous suspension>' },
              ],
            },
          },
        ],
      },
      debug_meta: {
        images: [
          {
            type: 'elf',
            image_addr: '0x7000000000',
            image_size: 65_536,
            code_file: 'libapp.so',
            debug_id: 'ffbe7929-db1a-8bcd-307a-0102030405ff',
          },
        ],
      },
    });
    await process();
    expect((await getStack(hexId(1))).exceptions[0]?.frames.at(-1)).toMatchObject({
      method: 'Cart.pay',
      file: 'cart.dart',
      line: 12,
    });
  });

  test('23: no Content-Type, and a header with the key first and blanks, are accepted', async () => {
    const { post, url, publicKey, process, rows } = await open();
    const body = [{ event_id: EVENT_ID }, { type: 'event' }, androidCrash()]
      .map((line) => JSON.stringify(line))
      .join('\n');
    const auth = `Sentry sentry_key=${publicKey}, sentry_version=7, sentry_client=sentry.native/0.16.3`;
    const native = await post(url, body, { 'x-sentry-auth': auth, 'content-type': 'application/x-sentry-envelope' });
    const dotnet = await post(url, body, {
      'x-sentry-auth': `Sentry sentry_version=7,sentry_client=sentry.dotnet/6.9.0,sentry_key=${publicKey}`,
    });
    expect([native.statusCode, dotnet.statusCode]).toEqual([200, 200]);
    await process();
    expect(await rows()).toHaveLength(1);
  });

  test('25: Flutter sends a crashed session and, because the app lives on, another one: two sessions, one crashed', async () => {
    const { send, process, overview } = await open();
    await send(
      {
        event_id: hexId(1),
        platform: 'other',
        level: 'fatal',
        sdk: { name: 'sentry.dart.flutter', version: '9.27.0' },
        exception: { values: [{ type: 'StateError', mechanism: { type: 'FlutterError', handled: false } }] },
      },
      crashed({ sid: hexId(1) }),
      sessionItem(session({ sid: hexId(2) })),
    );
    await process();
    expect(await overview()).toMatchObject({ crash_free_sessions: 50, days: [{ sessions: 2 }] });
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
