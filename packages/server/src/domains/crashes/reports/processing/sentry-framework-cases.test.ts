import { expect, test } from 'vitest';
import { amd64Context, minidump, words64 } from '../../../../../test/harness/images.ts';
import { androidCrash, EVENT_ID, INSTALL, NOW, session } from '../../../../../test/harness/sentry.ts';
import { crashed, file, hexId, openSentryReports, sessionItem } from '../../../../../test/harness/sentry-reports.ts';
import { eachDatabase } from '../../../../../test/harness/services/databases.ts';
import { uploadSymbols } from '../../../../../test/harness/symbols.ts';

/*
 * Cases of the notes about mobile and native SDKs, by their number; 1 to 13 are in `sentry-cases.test.ts`. All payloads are
 * composed after the source code of the SDKs; none was recorded on a device.
 */

eachDatabase('what Sentry SDKs of frameworks send', (dialect) => {
  const open = () => openSentryReports(dialect);

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
