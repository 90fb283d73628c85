import { expect, test } from 'vitest';
import {
  androidCrash,
  EVENT_ID,
  envelope,
  INSTALL,
  type Item,
  NOW,
  session,
} from '../../../../../test/harness/sentry.ts';
import { eventItem, hexId, openSentryReports } from '../../../../../test/harness/sentry-reports.ts';
import { eachDatabase } from '../../../../../test/harness/services/databases.ts';
import { DAY } from '../../../../kernel/clock.ts';

const hex = hexId;

eachDatabase('events of Sentry SDKs', (dialect) => {
  const open = () => openSentryReports(dialect);

  test('an unhandled exception is a crash with causes, frames, device, version, user and properties', async () => {
    const { send, process, rows, groups, getStack } = await open();
    await send(
      androidCrash({
        user: { id: 'ada', ip_address: '203.0.113.7' },
        contexts: { ...androidCrash().contexts, device: { ...androidCrash().contexts.device, id: INSTALL } },
      }),
    );
    await process();
    expect(await rows()).toMatchObject([
      {
        id: EVENT_ID,
        install_id: INSTALL,
        kind: 'crash',
        state: 'processed',
        version: '1.4.0',
        build: '140',
        model: 'Pixel 7',
        oem: 'Google',
        os: 'Android 14',
        language: 'de-DE',
        user_id: 'ada',
        at: NOW - 1000,
      },
    ]);
    const [report] = await rows();
    expect(JSON.parse(String(report?.properties))).toEqual({
      environment: 'production',
      mechanism: 'chained',
      plan: 'pro',
    });
    const stack = await getStack(EVENT_ID);
    expect(stack.platform).toBe('android');
    expect(stack.exceptions.map(({ type, message }) => [type, message])).toEqual([
      ['java.lang.IllegalStateException', 'The cart is empty'],
      ['java.io.IOException', 'no connection'],
    ]);
    expect(stack.exceptions[0]?.frames).toMatchObject([
      { className: 'com.example.shop.Cart', method: 'pay', file: 'Cart.kt', line: 42, isApp: true },
      { className: 'android.os.Handler', method: 'dispatchMessage', isApp: false },
    ]);
    expect(stack.threads).toMatchObject([{ id: 2, name: 'main', isCrashed: true }]);
    expect(await groups()).toMatchObject([
      { kind: 'crash', version: '1.4.0', build: '140', exception_type: 'java.lang.IllegalStateException', line: 42 },
    ]);
  });

  test('an event that is sent again counts once, also from another install', async () => {
    const { send, sendEnvelope, process, rows } = await open();
    await send(androidCrash());
    await process();
    await send(androidCrash());
    await sendEnvelope(
      envelope(
        { event_id: '9EC79C33-EC99-42AB-8353-589FCB2E04DC' },
        eventItem(androidCrash({ user: { id: 'other' } })),
      ),
    );
    await process();
    expect(await rows()).toHaveLength(1);
  });

  test('handled exceptions and messages are handled errors', async () => {
    const { send, process, rows, getStack } = await open();
    const handled = { type: 'generic', handled: true };
    await send({ event_id: hex(1), exception: { values: [{ type: 'Error', value: 'x', mechanism: handled }] } });
    await send({ event_id: hex(2), exception: [{ type: 'Error', value: 'y' }] });
    await send({ event_id: hex(3), level: 'info', message: 'Started' });
    await send({ event_id: hex(4), logentry: { formatted: 'Lost 3 of 4', message: 'Lost %s of %s' } });
    await process();
    expect((await rows()).map(({ kind, state }) => [kind, state])).toEqual(Array(4).fill(['error', 'processed']));
    expect((await getStack(hex(4))).exceptions).toMatchObject([{ type: '', message: 'Lost 3 of 4' }]);
  });

  test('React Native sends native causes after the error; the error is the title, and the report a crash', async () => {
    const { send, process, rows, getStack } = await open();
    await send({
      event_id: hex(1),
      platform: 'javascript',
      sdk: { name: 'sentry.javascript.react-native' },
      exception: {
        values: [
          {
            type: 'Error',
            value: 'pay',
            mechanism: { type: 'onerror', handled: false },
            stacktrace: {
              frames: [{ filename: 'app:///main.jsbundle', function: 'pay', lineno: 1, colno: 4711, in_app: true }],
            },
          },
          {
            type: 'IOException',
            value: 'native',
            stacktrace: { frames: [{ platform: 'java', module: 'a.Net', function: 'send' }] },
          },
        ],
      },
    });
    await process();
    const { platform, exceptions } = await getStack(hex(1));
    expect(platform).toBe('react-native');
    expect(exceptions.map(({ type }) => type)).toEqual(['Error', 'IOException']);
    expect(exceptions.map(({ frames }) => frames[0])).toMatchObject([
      { language: 'JavaScript', file: 'main.jsbundle', line: 1, column: 4711, isUnsymbolicated: true },
      { language: 'Java', className: 'a.Net', method: 'send' },
    ]);
    expect(await rows()).toMatchObject([{ kind: 'crash' }]);
  });

  test('native frames without names have an image, its ID and an offset, on Apple and Android', async () => {
    const { send, process, getStack } = await open();
    const mechanism = {
      type: 'mach',
      handled: false,
      meta: { signal: { number: 11, name: 'SIGSEGV', code_name: 'SEGV_MAPERR' } },
    };
    const frames = [
      { instruction_addr: '0x0000000100001010', image_addr: '0x100000000', package: '/Shop.app/Shop', in_app: true },
    ];
    const image = { image_addr: '0x100000000', image_size: 65_536, code_file: '/private/var/containers/Shop.app/Shop' };
    await send({
      event_id: hex(1),
      platform: 'cocoa',
      exception: { values: [{ type: 'EXC_BAD_ACCESS', mechanism, stacktrace: { frames } }] },
      debug_meta: { images: [{ ...image, type: 'macho', debug_id: '5B7C1F0E-3A53-4D0C-9A61-0B4E9A0F2D11' }] },
    });
    await send({
      event_id: hex(2),
      platform: 'native',
      contexts: { os: { name: 'Android' } },
      exception: { values: [{ type: 'SIGSEGV', mechanism, stacktrace: { frames } }] },
      debug_meta: { images: [{ ...image, type: 'elf', debug_id: '2979beff-ad1b-b8cd-307a-0102030405ff' }] },
    });
    await process();
    const [apple, android] = [await getStack(hex(1)), await getStack(hex(2))];
    expect(apple.exceptions[0]?.frames).toMatchObject([
      {
        imageId: '5b7c1f0e3a534d0c9a610b4e9a0f2d11',
        offset: 0x1010,
        image: 'Shop',
        isApp: true,
        isUnsymbolicated: true,
      },
    ]);
    expect(android.exceptions[0]?.frames).toMatchObject([
      { imageId: '2979BEFFAD1BB8CD307A0102030405FF0', offset: 0x1010 },
    ]);
    expect([apple.platform, android.platform]).toEqual(['ios', 'ndk']);
    expect(apple.notes.join()).toContain('SIGSEGV (11) SEGV_MAPERR');
  });

  test('groups by the fingerprint that the app sends, and by the own rules for the default', async () => {
    const { send, process, groups } = await open();
    const of = (id: number, fingerprint: unknown, type: string) =>
      send({ event_id: hex(id), fingerprint, exception: { values: [{ type, value: 'v' }] } });
    await of(1, ['payments'], 'A');
    await of(2, ['payments'], 'B');
    await of(3, ['{{ default }}'], 'A');
    await of(4, undefined, 'A');
    await of(5, ['{{ default }}', 'eu'], 'A');
    await of(6, ['{{default}}', 'us'], 'A');
    await process();
    expect((await groups()).map(({ count }) => count)).toEqual([2, 2, 1, 1]);
  });

  test('corrects the clock of a device that is a year off, and takes the arrival for a missing time', async () => {
    const { sendEnvelope, process, rows } = await open();
    const wrong = NOW - 365 * DAY;
    await sendEnvelope(
      envelope(
        { event_id: hex(1), sent_at: new Date(wrong).toISOString() },
        eventItem({ message: 'a', timestamp: (wrong - 5000) / 1000 }),
      ),
    );
    await sendEnvelope(envelope({ event_id: hex(2) }, eventItem({ message: 'b' })));
    await sendEnvelope(envelope({ event_id: hex(3) }, eventItem({ message: 'c', timestamp: 'soon' })));
    await sendEnvelope(envelope({ event_id: hex(4) }, eventItem({ message: 'd', timestamp: `${NOW - 7000}000000` })));
    await process();
    expect((await rows()).map(({ at }) => at)).toEqual([NOW - 5000, NOW, NOW, NOW - 7000]);
  });

  test('sessions count once over updates and retries, and crash-free figures come from them alone', async () => {
    const { send, sendEnvelope, process, overview, rows } = await open();
    const updated = (id: number, more: object): Item => [
      { type: 'session' },
      session({ sid: hex(id), did: `device ${id}`, ...more }),
    ];
    // A crashed session, in one envelope with its event, twice.
    for (let time = 0; time < 2; time += 1) {
      await send(androidCrash(), updated(1, { status: 'crashed' }));
      await process();
    }
    // An unhandled error of an app that lives on.
    await send(androidCrash({ event_id: hex(9), user: { id: 'device 2' } }));
    await sendEnvelope(envelope({}, updated(2, {})));
    await process();
    await sendEnvelope(envelope({}, updated(2, { init: false, errors: 1, status: 'errored' })));
    await sendEnvelope(
      envelope({}, updated(2, { init: false, status: 'exited', timestamp: new Date(NOW).toISOString() })),
    );
    // Sent in upper case with dashes, without a status, and without its first update.
    await sendEnvelope(envelope({}, updated(3, { init: false, status: undefined })));
    await sendEnvelope(envelope({}, updated(3, { sid: '00000000-0000-0000-0000-000000000003', status: 'unhandled' })));
    // Reported as crashed at the next start.
    await sendEnvelope(envelope({}, updated(4, {})));
    await process();
    await sendEnvelope(envelope({}, updated(4, { init: false, status: 'crashed' })));
    await process();
    expect(await rows()).toHaveLength(2);
    expect(await overview()).toMatchObject({ crash_count: 2, crash_free_sessions: 50, crash_free_devices: 50 });
  });

  test('counts of sessions count once if they are sent again, and each crashed one is a crash', async () => {
    const { sendEnvelope, process, overview } = await open();
    const counted = (sent_at: string) =>
      envelope({ sent_at }, [
        { type: 'sessions' },
        {
          attrs: { release: 'api@2.0' },
          aggregates: [{ started: '2026-11-01T08:59:00Z', exited: 7, errored: 1, crashed: 2 }],
        },
      ]);
    for (let time = 0; time < 2; time += 1) {
      await sendEnvelope(counted('2026-11-01T08:59:59.123Z'));
      await process();
    }
    const { crash_free_sessions, days } = await overview();
    expect([crash_free_sessions, days[0].sessions]).toEqual([80, 10]);
    await sendEnvelope(counted('2026-11-01T08:59:59.124Z'));
    await process();
    expect((await overview()).days[0].sessions).toBe(20);
  });

  test('an attachment is stored with the crash', async () => {
    const { send, process, app, rows } = await open();
    await send(androidCrash(), [
      { type: 'attachment', filename: 'log.txt', content_type: 'text/plain' },
      Buffer.from('what happened before'),
    ]);
    await process();
    expect(await rows()).toMatchObject([{ has_attachments: 1 }]);
    const stored = await app.database.query((q) => q.selectFrom('crash_attachments').selectAll());
    expect(stored).toMatchObject([{ file_name: 'log.txt', content_type: 'text/plain', size: 20, error_id: EVENT_ID }]);
  });
});
