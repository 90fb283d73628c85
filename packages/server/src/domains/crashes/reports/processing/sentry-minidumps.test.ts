import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { amd64Context, minidump, words64 } from '../../../../../test/harness/images.ts';
import { androidCrash, EVENT_ID, NOW, session } from '../../../../../test/harness/sentry.ts';
import { hexId, openSentryReports, sessionItem } from '../../../../../test/harness/sentry-reports.ts';
import { eachDatabase } from '../../../../../test/harness/services/databases.ts';

type Part = [name: string, content: Uint8Array | string, filename?: string];

/** A form as uploaders write it; composed, not recorded. */
const form = (parts: readonly Part[], boundary = '----4f1c'): Buffer =>
  Buffer.concat([
    ...parts.flatMap(([name, content, filename]) => [
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n\r\n`,
      ),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);

const stackAt = 0x7fff0000n;
const base = 0x7000000000n;
const context = amd64Context({ rip: base + 0x1010n, rsp: stackAt });
const dump = minidump({
  modules: [{ base, size: 0x10000, path: '/opt/shop/libshop.so', buildId: '00112233445566778899aabbccddeeff01234567' }],
  threads: [{ id: 7, context, stack: { start: stackAt, content: words64(base + 0x2010n, 0n) } }],
  crash: { threadId: 7, code: 11, address: 0x10n, context },
});
const file: Part = ['upload_file_minidump', dump, 'crash.dmp'];

/** Writes MessagePack, as sentry-native saves its event. */
function pack(value: unknown): Buffer {
  if (value === null) return Buffer.from([0xc0]);
  if (typeof value === 'boolean') return Buffer.from([value ? 0xc3 : 0xc2]);
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(9, 0xcb);
    bytes.writeDoubleBE(value, 1);
    return bytes;
  }
  if (typeof value === 'string') {
    const text = Buffer.from(value);
    return Buffer.concat([Buffer.from([0xda, text.length >> 8, text.length & 0xff]), text]);
  }
  if (Array.isArray(value)) return Buffer.concat([Buffer.from([0xdc, 0, value.length]), ...value.map(pack)]);
  const entries = Object.entries(value as object);
  return Buffer.concat([Buffer.from([0x80 + entries.length]), ...entries.flat().map(pack)]);
}

eachDatabase('minidumps of native code', (dialect) => {
  async function open() {
    const sentry = await openSentryReports(dialect);
    const { post, projectId, auth } = sentry;
    const upload = (body: Uint8Array, headers: Record<string, string> = {}, path = 'minidump/') =>
      post(`/api/${projectId}/${path}`, body, {
        'x-sentry-auth': auth,
        'content-type': 'multipart/form-data; boundary=----4f1c',
        ...headers,
      });
    return { ...sentry, upload };
  }

  test('18: Crashpad saves release, tags and breadcrumbs in MessagePack, which are merged', async () => {
    const { upload, post, projectId, publicKey, process, rows, groups, get } = await open();
    const event = { release: 'shop@1.4.0+140', environment: 'staging', tags: { plan: 'pro' }, breadcrumbs: [] };
    const crumb = (at: number, message: string) => ({ timestamp: new Date(at).toISOString(), message, category: 'ui' });
    const body = form([
      ['sentry[user][id]', 'ada'],
      file,
      ['__sentry-event', pack(event), '__sentry-event'],
      [
        '__sentry-breadcrumb1',
        Buffer.concat([pack(crumb(NOW - 2000, 'second')), pack(crumb(NOW - 1000, 'third'))]),
        '__sentry-breadcrumb1',
      ],
      ['__sentry-breadcrumb2', pack(crumb(NOW - 3000, 'first')), '__sentry-breadcrumb2'],
    ]);
    // Crashpad names its key in the query, and may compress.
    const url = `/api/${projectId}/minidump/?sentry_client=sentry.native/0.16.3&sentry_key=${publicKey}`;
    const answer = await post(url, gzipSync(body), { 'content-encoding': 'gzip' });
    expect([answer.statusCode, answer.headers['content-type'], answer.body]).toEqual([
      200,
      'text/plain; charset=utf-8',
      expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    ]);
    expect((await upload(body, {}, 'minidump')).body).toBe(answer.body);
    await process();
    expect(await rows()).toMatchObject([{ kind: 'crash', version: '1.4.0', build: '140', has_attachments: 1 }]);
    expect(JSON.parse(String((await rows())[0]?.properties))).toEqual({ environment: 'staging', plan: 'pro' });
    expect(await groups()).toMatchObject([{ exception_type: 'SIGSEGV', count: 1 }]);
    const id = String((await rows())[0]?.id);
    const { logs } = await get(`crashes/${id}/session_logs`);
    expect(logs.map(({ type, event_name }: Record<string, string>) => [type, event_name])).toEqual([
      ['event', 'first'],
      ['event', 'second'],
      ['event', 'third'],
      ['error', undefined],
    ]);
  });

  test('fields of Electron and Breakpad name release, tags and the event ID', async () => {
    const { upload, process, rows, items } = await open();
    const scope = JSON.stringify({ event_id: EVENT_ID, release: 'shop@2.0', tags: { plan: 'free' } });
    const answer = await upload(
      form([
        ['prod', 'Electron'],
        ['ver', '31.0.0'],
        ['sentry___initialScope__1', scope.slice(0, 20)],
        ['sentry___initialScope__2', scope.slice(20)],
        file,
        ['log', 'what happened', 'app.log'],
      ]),
    );
    expect(answer.body).toBe('9ec79c33-ec99-42ab-8353-589fcb2e04dc');
    await upload(
      form([
        ['sentry', '{'],
        ['prod', 'Shop'],
        ['ver', '3.0'],
        ['guid', 'x'],
        ['upload_file_minidump', Buffer.concat([dump, Buffer.alloc(8)]), 'x'],
      ]),
    );
    await process();
    const versions = (await rows()).map(({ version }) => version);
    expect(versions.toSorted()).toEqual(['2.0', '3.0']);
    expect(await items()).toEqual({ 'attachment stored': 3, 'event stored': 2 });
  });

  test('refuses what is no form or has no minidump, and unknown keys; too large dumps are named', async () => {
    const { upload, post, projectId, process, rows, items } = await open();
    for (const body of [
      'x',
      '--\r\n',
      '----4f1c\r\nContent',
      form([['sentry', '{}']]).toString(),
      form([]).toString(),
    ]) {
      expect([body.slice(0, 20), (await upload(Buffer.from(body))).statusCode]).toEqual([body.slice(0, 20), 400]);
    }
    expect((await upload(form(Array.from({ length: 300 }, (_, n): Part => [`f${n}`, 'x'])))).statusCode).toBe(400);
    expect((await post(`/api/${projectId}/minidump/`, form([file]))).statusCode).toBe(403);
    expect(
      (
        await upload(gzipSync(form([['upload_file_minidump', Buffer.alloc(40 * 1024 * 1024), 'x']])), {
          'content-encoding': 'gzip',
        })
      ).statusCode,
    ).toBe(413);
    expect(
      (
        await upload(
          form([
            ['sentry[release]', 'a@1'],
            ['upload_file_minidump', Buffer.alloc(8 * 1024 * 1024), 'x'],
          ]),
        )
      ).statusCode,
    ).toBe(200);
    await process();
    expect(await items()).toEqual({ 'attachment dropped too_large': 1, 'event stored': 1 });
    expect(await rows()).toMatchObject([{ kind: 'crash', version: '1' }]);
  });

  test('hostile MessagePack and field names do no harm', async () => {
    const { upload, process, rows } = await open();
    const nested = Buffer.alloc(100_000, 0x91);
    const hostile: Part[] = [
      ['sentry[__proto__][polluted]', 'yes'],
      ['sentry[constructor][prototype][polluted]', 'yes'],
      [`sentry${'[a]'.repeat(500)}`, 'deep'],
      ['__proto__', 'yes'],
    ];
    for (const bytes of [
      nested,
      Buffer.from([0xdd, 0xff, 0xff, 0xff, 0xff]),
      Buffer.from([0xdb, 0x7f, 0, 0, 0]),
      Buffer.from([0xc1]),
      Buffer.alloc(0),
    ]) {
      const own: Part = [
        'upload_file_minidump',
        Buffer.concat([dump, bytes.subarray(0, 20), Buffer.from([bytes.length & 255])]),
        'x',
      ];
      expect((await upload(form([...hostile, own, ['__sentry-event', bytes, 'x']]))).statusCode).toBe(200);
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    await process();
    expect(await rows()).toHaveLength(5);
  });

  test('fields that are too large together are dropped before they are joined and parsed', async () => {
    const { upload, process, rows, items } = await open();
    const text = `{"release":"shop@1.4.0+140","extra":{"text":"${'x'.repeat(900_000)}`;
    const fields: Part[] = [
      ['sentry__1', text],
      ['sentry__2', `${'y'.repeat(900_000)}"}}`],
    ];
    expect((await upload(form([...fields, file]))).statusCode).toBe(200);
    expect(await items()).toMatchObject({ 'event dropped too_large': 1 });
    await process();
    expect(await rows()).toMatchObject([{ kind: 'crash', version: '' }]);
  });

  test('of the files of Crashpad, one event and two files of breadcrumbs are read', async () => {
    const { upload, process, rows, get } = await open();
    const crumbs = (message: string, count: number) =>
      Buffer.concat(Array.from({ length: count }, () => pack({ timestamp: { toString: 1, valueOf: 1 }, message })));
    const odd = { toString: 1, valueOf: 1 };
    const saved = {
      release: 'shop@1.4.0+140',
      exception: [{ type: odd, mechanism: { type: odd, handled: false } }],
    };
    const body = form([
      file,
      ['__sentry-event', pack(saved), '__sentry-event'],
      ['__sentry-event', pack({ release: 'shop@2.0.0+200' }), '__sentry-event'],
      ...['first', 'second', 'third'].map(
        (message, at): Part => [`__sentry-breadcrumb${at}`, crumbs(message, 500), `__sentry-breadcrumb${at}`],
      ),
    ]);
    expect((await upload(body)).statusCode).toBe(200);
    await process();
    expect(await rows()).toMatchObject([{ kind: 'crash', version: '1.4.0' }]);
    const { logs } = await get(`crashes/${String((await rows())[0]?.id)}/session_logs`);
    const names = new Set(logs.map(({ event_name }: Record<string, string>) => event_name));
    expect([names.has('second'), names.has('third')]).toEqual([true, false]);
  });

  test('an envelope with a minidump and no event is a crash', async () => {
    const { sendItems, process, groups } = await open();
    await sendItems({ event_id: EVENT_ID }, [
      { type: 'attachment', filename: 'x.dmp', attachment_type: 'event.minidump' },
      dump,
    ]);
    await process();
    expect(await groups()).toMatchObject([{ kind: 'crash', exception_type: 'SIGSEGV' }]);
  });
});

eachDatabase('logs and breadcrumbs of Sentry SDKs', (dialect) => {
  test('structured logs become events with properties, once', async () => {
    const { sendItems, storedLogs, items } = await openSentryReports(dialect);
    const text = (value: string) => ({ value, type: 'string' });
    const item = {
      version: 2,
      items: [
        {
          timestamp: NOW / 1000,
          level: 'warn',
          body: 'Cart of ada is empty',
          trace_id: hexId(1),
          attributes: {
            'sentry.message.template': text('Cart of %s is empty'),
            'sentry.release': text('com.example.shop@1.4.0+140'),
            'sentry.environment': text('staging'),
            'user.id': text('ada'),
            'device.model': text('Pixel 7'),
            'os.name': text('Android'),
            price: { value: 12, type: 'integer' },
          },
        },
        { timestamp: NOW / 1000, body: 'plain' },
        { timestamp: NOW / 1000, level: 'info' },
      ],
    };
    for (let time = 0; time < 2; time += 1) await sendItems({}, [{ type: 'log', item_count: 3 }, item]);
    const logs = (await storedLogs()) as { id: string }[];
    expect(logs.slice(0, 2)).toMatchObject([
      {
        type: 'event',
        name: 'Cart of %s is empty',
        properties: { level: 'warn', message: 'Cart of ada is empty', price: '12', 'sentry.environment': 'staging' },
        device: { appVersion: '1.4.0', appBuild: '140', model: 'Pixel 7', osName: 'Android' },
      },
      { type: 'event', name: 'plain', properties: { level: 'info' } },
    ]);
    expect(logs.slice(2).map(({ id }) => id)).toEqual(logs.slice(0, 2).map(({ id }) => id));
    expect(await items()).toEqual({ 'log stored': 4, 'log dropped invalid': 2 });
  });

  test('breadcrumbs are shown before the crash, by the clock of the server', async () => {
    const { sendItems, process, get } = await openSentryReports(dialect);
    const wrong = NOW - 86_400_000;
    const breadcrumbs = {
      values: [
        { timestamp: (wrong - 3000) / 1000, category: 'navigation', data: { from: '/', to: '/cart' } },
        {
          timestamp: new Date(wrong - 2000).toISOString(),
          category: 'ui.click',
          message: 'Pay',
          level: 'info',
          data: { id: 7, x: {} },
        },
        null,
        { category: 'http' },
      ],
    };
    await sendItems({ event_id: EVENT_ID, sent_at: new Date(wrong).toISOString() }, [
      { type: 'event' },
      androidCrash({ timestamp: (wrong - 1000) / 1000, breadcrumbs }),
    ]);
    await process();
    const { logs } = await get(`crashes/${EVENT_ID}/session_logs`);
    expect(
      logs.map(({ type, timestamp, event_name, properties }: Record<string, unknown>) => [
        type,
        timestamp,
        event_name,
        properties,
      ]),
    ).toMatchObject([
      ['page', new Date(NOW - 3000).toISOString(), '/cart', { category: 'navigation', from: '/' }],
      ['event', new Date(NOW - 2000).toISOString(), 'Pay', { category: 'ui.click', level: 'info', id: '7' }],
      ['event', new Date(NOW - 1000).toISOString(), 'http', undefined],
      ['error', new Date(NOW - 1000).toISOString(), undefined, {}],
    ]);
    const [group] = (await get('crash_groups')).crash_groups;
    const details = await get(`errors/errorGroups/${group.crash_group_id}/errors/${EVENT_ID}`);
    expect(details.hasBreadcrumbs).toBe(true);
  });

  test('24: near the hourly limit sessions wait by an integer header, and events are stored with 200', async () => {
    const { sendItems, process, rows, items } = await openSentryReports(dialect, { ingestMbPerHour: 1 });
    let answer = await sendItems({ event_id: hexId(1) }, [{ type: 'event' }, { message: 'a' }]);
    const noise = () => Buffer.from(crypto.getRandomValues(new Uint8Array(60_000)));
    for (let count = 2; count < 40 && answer.headers['x-sentry-rate-limits'] === undefined; count += 1) {
      answer = await sendItems(
        { event_id: hexId(count) },
        [{ type: 'event' }, { message: 'a' }],
        [{ type: 'attachment' }, noise()],
      );
    }
    answer = await sendItems({ event_id: hexId(99) }, [{ type: 'event' }, { message: 'last' }], sessionItem(session()));
    expect([answer.statusCode, answer.headers['x-sentry-rate-limits']]).toEqual([200, '600:session;log_item:project']);
    expect(await items()).toMatchObject({ 'session dropped rate_limited': 1 });
    await process();
    expect((await rows()).map(({ id }) => id)).toContain(hexId(99));
  });
});
