import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import http, { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startS3 } from '../../../../../tools/s3.ts';
import { type TestApp, testApp } from '../../../test/harness/app.ts';
import { changes } from '../../../test/harness/audit.ts';
import { eachDatabase, emptyDatabase } from '../../../test/harness/databases.ts';
import { sendLogs, tidyLogs } from '../../../test/harness/happenings.ts';
import { readParquet } from '../../../test/harness/parquet.ts';
import { atOnce } from '../../../test/harness/races.ts';
import { systemCtx } from '../../context.ts';
import type { DialectName } from '../../db/connection.ts';
import { tx } from '../../db/tx.ts';
import { DAY, HOUR, MINUTE } from '../../kernel/clock.ts';
import { addLogs } from '../ingest/index.ts';
import { postgresReceiver, readPostgres } from './destinations/postgres.ts';
import { exportGauges } from './gauges.ts';
import { runExports, writeExport } from './writing.ts';

const device = { appVersion: '1.0', osName: 'iOS', osApiLevel: 2, model: 'iPhone', timeZoneOffset: 2, locale: 'de_DE' };
const event = (name: string, more: object = {}) => ({
  type: 'event',
  id: randomUUID(),
  name,
  timestamp: '2026-11-01T08:00:00.000Z',
  device,
  ...more,
});

/** So many days ago. */
const crash = ({ deps }: Pick<TestApp, 'deps'>, days: number) => ({
  type: 'managedError',
  id: randomUUID(),
  timestamp: new Date(deps.clock.now() - days * DAY).toISOString(),
  exception: {
    ...{ type: 'X', message: 'y' },
    frames: [{ className: 'org.example.Cart', methodName: 'pay', fileName: 'Cart.java', lineNumber: 7 }],
  },
  device,
});

interface Shown {
  id: string;
  state: string;
  state_info?: string;
  last_error?: string;
  waiting_batches: number;
  export_configuration: object;
}

/** Everything below a folder, by its path within. */
function filesIn(folder: string): Record<string, Buffer> {
  const names = existsSync(folder) ? (readdirSync(folder, { recursive: true, withFileTypes: true }) as never[]) : [];
  return Object.fromEntries(
    (names as { parentPath: string; name: string; isFile(): boolean }[])
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => path.join(parentPath, name))
      .sort()
      .map((file) => [path.relative(folder, file), readFileSync(file)]),
  );
}

async function withApp(dialect: DialectName, settings = {}) {
  const app = await testApp(dialect, { outboundAllow: ['127.0.0.0/8'], ...settings });
  const ada = await app.addUser('ada');
  const ref = await app.addApp(ada, 'buoy');
  const token = await app.userToken(ada);
  const ctx = systemCtx(app.deps);
  const home = '/v0.1/apps/ada/buoy/export_configurations';
  const ask = async (method: string, rest = '', body?: object, as = token) => {
    const answer = await app.call(method, `${home}${rest}`, { token: as, ...(body ? { body } : {}) });
    return { status: answer.statusCode, body: answer.body ? answer.json() : undefined };
  };
  return {
    app,
    ada,
    ref,
    token,
    ctx,
    ask,
    add: async (body: object) => {
      const { status, body: made } = await ask('POST', '', { type: 'file', format: 'minutes', ...body });
      expect(status, JSON.stringify(made)).toBe(202);
      return made as Shown;
    },
    get: async (id: string) => (await ask('GET', `/${id}`)).body as Shown,
    send: (...logs: object[]) => addLogs(app.deps, { appId: ref.id, installId: randomUUID(), logs }),
    /** Lets time pass and does what is due. */
    run: async (ms = 3 * MINUTE) => {
      app.advance(ms);
      await runExports(ctx);
      await app.runJobs();
    },
    files: (folder = 'export') => filesIn(path.join(app.deps.config.dataDir, 'exports', ref.id, folder)),
  };
}

type Answer = { status: number; headers?: Record<string, string>; body?: string };

/** Somebody else's server on this machine. */
async function startReceiver(answer: (request: IncomingMessage, body: Buffer) => Answer | Promise<Answer>) {
  const server = createServer(async (request, response) => {
    const { status, headers = {}, body = '' } = await answer(request, await buffer(request));
    response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** In front of a real store: after so many files it has no room, says so, and has half of what was sent by then. */
async function fullStore(target: string, refusal: Answer) {
  const store = { url: '', room: Number.POSITIVE_INFINITY, written: [] as string[] };
  const { host } = new URL(target);
  store.url = await startReceiver(async ({ method = '', url = '', headers }, body) => {
    const isFile = method === 'PUT' && !url.includes('mooring-check');
    const isFull = isFile && store.room <= 0;
    const passed = isFull ? body.subarray(0, body.length / 2) : body;
    const answer = await new Promise<Answer>((resolve, reject) => {
      const [hostname, port] = host.split(':');
      const request = http.request({ hostname, port, method, path: url, headers }, async (response) => {
        const bytes = await buffer(response);
        resolve({
          status: response.statusCode ?? 500,
          headers: response.headers as Record<string, string>,
          body: String(bytes),
        });
      });
      request.on('error', (error) => (isFull ? resolve(refusal) : reject(error)));
      if (isFull) request.write(passed, () => request.destroy());
      else request.end(passed);
    });
    if (isFull) return refusal;
    if (isFile && answer.status < 300) {
      store.room -= 1;
      store.written.push(url);
    }
    return answer;
  });
  return store;
}

/** Blobs as the service keeps them; whether it takes them is up to the test. */
async function blobService() {
  const blobs = new Map<string, { body: Buffer; tag: string }>();
  const service = { blobs, refuses: undefined as Answer | undefined, cutsOff: false, url: '' };
  service.url = await startReceiver(({ method, url = '', headers }, body) => {
    if (service.refuses) return service.refuses;
    const name = url.replace('/archive/', '');
    const known = blobs.get(name);
    if (method === 'HEAD') {
      return known ? { status: 200, headers: { 'x-ms-meta-mooring': known.tag } } : { status: 404 };
    }
    if (method === 'DELETE') return { status: blobs.delete(name) ? 202 : 404 };
    if (known && headers['if-none-match'] === '*')
      return { status: 409, headers: { 'x-ms-error-code': 'BlobAlreadyExists' } };
    blobs.set(name, { body, tag: String(headers['x-ms-meta-mooring']) });
    return { status: service.cutsOff ? 500 : 201 };
  });
  const connection = (key = 'a2V5') => `AccountName=harbour;AccountKey=${key};BlobEndpoint=${service.url}`;
  return { ...service, service, connection };
}

const texts = (maxLength: number) => ({ type: 'object', additionalProperties: { type: 'string', maxLength } });

/** The form of an envelope with an event, as the service documents it with its limits. */
const isEnvelope = addFormats.default(new Ajv({ strict: false })).compile({
  type: 'object',
  required: ['name', 'time', 'iKey', 'data'],
  additionalProperties: false,
  properties: {
    ver: { const: 1 },
    name: { type: 'string', minLength: 1, maxLength: 1024 },
    time: { type: 'string', format: 'date-time' },
    iKey: { type: 'string', format: 'uuid' },
    tags: {
      ...texts(1024),
      propertyNames: { pattern: '^ai\\.(application|device|location|operation|session|user|cloud|internal)\\.' },
    },
    data: {
      type: 'object',
      required: ['baseType', 'baseData'],
      additionalProperties: false,
      properties: {
        baseType: { const: 'EventData' },
        baseData: {
          type: 'object',
          required: ['ver', 'name'],
          additionalProperties: false,
          properties: {
            ver: { const: 2 },
            name: { type: 'string', minLength: 1, maxLength: 512 },
            properties: { ...texts(8192), propertyNames: { minLength: 1, maxLength: 150 } },
            measurements: { type: 'object', additionalProperties: { type: 'number' } },
          },
        },
      },
    },
  },
});

const blobsAt = (place: string) => `AccountName=harbour;AccountKey=a2V5;BlobEndpoint=${place}`;

const namesOf = (bytes: Buffer | undefined): string[] =>
  (JSON.parse(String(bytes ?? '[]')) as { EventName: string }[]).map(({ EventName }) => EventName);

eachDatabase('an export', (dialect) => {
  test('writes what came in a minute into a file of that minute, once it is over', async () => {
    const { add, get, send, run, files, ref, app } = await withApp(dialect);
    const { id, state } = await add({ backfill: false });
    expect(state).toBe('Pending');
    await send(event('open', { properties: { plan: 'free' }, userId: 'u' }), {
      type: 'startSession',
      sid: 's',
      device,
    });
    await run(MINUTE);
    expect(files()).toEqual({});
    expect(await get(id)).toMatchObject({ state: 'Enabled', waiting_batches: 1 });
    await run(MINUTE);
    const name = '2026/11/01/09/00/logs.v1.data';
    expect(Object.keys(files())).toEqual([name]);
    const [first, second] = JSON.parse(String(files()[name]));
    expect(first).toMatchObject({
      AppId: ref.id,
      Timestamp: '2026-11-01T08:00:00.000Z',
      IngressTimestamp: expect.stringContaining('2026-11-01T09:00:'),
      MessageType: 'EventLog',
      EventName: 'open',
      IsTestMessage: 'False',
      OsApiLevel: '2',
      TimeZoneOffset: 'PT2M',
      Properties: '{"plan":"free"}',
      UserId: 'u',
      CarrierName: '',
    });
    expect(Object.values(first).every((value) => typeof value === 'string')).toBe(true);
    expect(second).toMatchObject({ MessageType: 'StartSessionLog', SessionId: 's' });
    expect(await get(id)).toMatchObject({
      waiting_batches: 0,
      last_run_time: new Date(app.deps.clock.now()).toISOString(),
    });
    await run();
    expect(Object.keys(files())).toEqual([name]);
  });

  test('begins with what still waits here if it should, otherwise with what comes', async () => {
    const { add, send, run, files } = await withApp(dialect);
    await send(event('before'));
    await add({ folder: 'all' });
    await add({ folder: 'new', backfill: false });
    await send(event('after'));
    await run();
    const of = (folder: string) => Object.values(files(folder)).flatMap(namesOf);
    expect([of('all'), of('new')]).toEqual([['before', 'after'], ['after']]);
  });

  test('begins with all that is kept, once and nothing twice, whatever is merged or deleted meanwhile', async () => {
    const { app, add, get, send, run, files } = await withApp(dialect);
    const day = (days: number, name: string) =>
      event(name, {
        timestamp: new Date(app.deps.clock.now() - days * DAY).toISOString(),
        properties: { plan: 'free' },
      });
    await send(day(20, 'old'), day(1, 'yesterday'));
    await send(day(0, 'today'), { type: 'managedError', id: randomUUID(), device });
    const compact = async () => {
      app.advance(5000);
      await app.runJobs();
    };
    await compact();
    const waiting = day(0, 'waiting');
    await send(waiting);
    const { id } = await add({ export_entities: ['crashes'] });
    expect(await get(id)).toMatchObject({ waiting_parts: 4 });
    await send(day(0, 'new'));
    for (let n = 0; n < 9; n += 1) {
      await send(day(1, `more ${n}`));
      await compact();
    }
    await run();
    const written = Object.entries(files());
    const names = written.flatMap(([file, bytes]) => (file.includes('crashes') ? [] : namesOf(bytes)));
    const more = Array.from({ length: 9 }, (_, n) => `more ${n}`);
    expect(names.sort()).toEqual(['old', 'yesterday', 'today', 'waiting', 'new', ...more].sort());
    const [[file = '', bytes] = []] = written.filter(([name]) => name.startsWith('2026/10/12'));
    expect(file).toMatch(/^2026\/10\/12\/09\/00\/backfill\.[\w-]+\.0\.logs\.v1\.data$/);
    expect(JSON.parse(String(bytes))).toMatchObject([
      {
        EventName: 'old',
        Timestamp: '2026-10-12T09:00:00.000Z',
        AppVersion: '1.0',
        Locale: 'de-DE',
        Properties: '{"plan":"free"}',
      },
    ]);
    expect(written.filter(([name]) => name.includes('crashes'))).toHaveLength(1);
    expect(await get(id)).toMatchObject({ state: 'Enabled', waiting_parts: 0, waiting_batches: 0 });
  });

  test('begins with crashes, errors and attachments that are kept longer than what they came in, each once', async () => {
    const { app, ctx, ref, add, get, run, send, files } = await withApp(dialect);
    const broken = ['no_logs', 'crashes', 'errors', 'attachments'];
    const old = [crash(app, 40), crash(app, 40), crash(app, 3), { ...crash(app, 3), type: 'handledError' }];
    const file = { type: 'errorAttachment', errorId: old[0]?.id, contentType: 'text/plain', device };
    const attached = { ...file, id: '../escape', timestamp: old[0]?.timestamp, data: btoa('hello') };
    await sendLogs(app, ref.id, [...old, attached]);
    app.advance(DAY);
    await tidyLogs(app, ref.id);
    expect(await app.database.query((q) => q.selectFrom('ingest_batches').select('number'))).toEqual([]);
    // What came before batches were noted is there as well.
    await app.database.transaction((db) => db.query((q) => q.updateTable('crash_reports').set({ batch: null })));
    // This one is kept, and what it came in is there, too; the next one is only in what it came in.
    const both = crash(app, 0);
    await sendLogs(app, ref.id, [both]);
    const waiting = crash(app, 0);
    await send(waiting);
    const { id } = await add({ export_entities: broken });
    await add({ folder: 'crashes', export_entities: ['crashes'] });
    await add({ folder: 'attachments', export_entities: ['attachments', 'no_logs'] });
    await add({ folder: 'logs' });
    expect(await get(id)).toMatchObject({ waiting_parts: 3 });
    const later = crash(app, 0);
    await sendLogs(app, ref.id, [later]);
    app.advance(3 * MINUTE);
    await atOnce(app, [() => writeExport(ctx, id), () => writeExport(ctx, id)]);
    await run();
    const written = files();
    const ids = Object.entries(written)
      .filter(([name]) => name.includes('.v1.'))
      .flatMap(([, bytes]) => JSON.parse(String(bytes)).map(({ EventId }: { EventId: string }) => EventId));
    expect(ids.sort()).toEqual([...old, both, waiting, later].map((log) => log.id).sort());
    const [first] = old;
    const folder = '2026/09/22/09/00';
    expect(Object.keys(written).filter((name) => name.startsWith(folder))).toEqual([
      expect.stringMatching(new RegExp(`^${folder}/attachments/[0-9a-f-]{36}$`)),
      `${folder}/backfill.reports.0.crashes.v1.data`,
    ]);
    expect(String(written[Object.keys(written)[0] ?? ''])).toBe('hello');
    const records = JSON.parse(String(written[`${folder}/backfill.reports.0.crashes.v1.data`]));
    expect(records.find(({ EventId }: { EventId: string }) => EventId === first?.id)).toMatchObject({
      ...{ MessageType: 'ManagedErrorLog', Fatal: 'True', CorrelationId: '', AppVersion: '1.0' },
      ...{ Stack: 'X: y\n\tat org.example.Cart.pay (Cart.java:7)', IngressTimestamp: '2026-11-01T09:00:00.000Z' },
      Log: JSON.stringify(first),
    });
    expect(Object.keys(written).filter((name) => name.includes('errors.v1'))).toHaveLength(1);
    expect(await get(id)).toMatchObject({ state: 'Enabled', waiting_parts: 0, waiting_batches: 0 });
    expect(Object.keys(files('logs'))).toEqual([]);
    expect(Object.keys(files('attachments'))).toHaveLength(1);
    const only = Object.entries(files('crashes')).flatMap(([, bytes]) => JSON.parse(String(bytes)));
    expect(only).toHaveLength(6);
  });

  test('goes on with kept crashes where it was cut off, whatever comes or is deleted meanwhile', async () => {
    const { service, blobs, connection } = await blobService();
    const { app, ref, add, get, run } = await withApp(dialect);
    const old = [crash(app, 5), crash(app, 4), crash(app, 3)];
    await sendLogs(app, ref.id, old);
    app.advance(DAY);
    await tidyLogs(app, ref.id);
    const { id } = await add({
      ...{ type: 'blob_storage_connection_string', connection_string: connection() },
      export_entities: ['crashes'],
    });
    // It is written, and nobody hears of it.
    service.cutsOff = true;
    await run();
    expect(await get(id)).toMatchObject({ last_error: expect.stringContaining('500'), waiting_parts: 1 });
    service.cutsOff = false;
    for (const one of [old[0], old[1]]) {
      const { id: reportId = '' } = one ?? {};
      await app.database.transaction((db) => db.query((q) => q.deleteFrom('crash_reports').where('id', '=', reportId)));
    }
    const later = crash(app, 4);
    await sendLogs(app, ref.id, [later]);
    await run(HOUR);
    await run(HOUR);
    const ids = [...blobs].flatMap(([name, { body }]) =>
      name.endsWith('crashes.v1.data') ? JSON.parse(String(body)).map((one: { EventId: string }) => one.EventId) : [],
    );
    expect(ids.sort()).toEqual([old[0], old[2], later].map((log) => log?.id).sort());
    expect(await get(id)).toMatchObject({ state: 'Enabled', waiting_parts: 0 });
  });

  test('leaves kept crashes alone once it is disabled', async () => {
    const { app, ref, add, ask, get, run, files } = await withApp(dialect);
    await sendLogs(app, ref.id, [crash(app, 5)]);
    app.advance(DAY);
    await tidyLogs(app, ref.id);
    const { id } = await add({ export_entities: ['crashes'] });
    await ask('POST', `/${id}/disable`, {});
    expect(await get(id)).toMatchObject({ state: 'Disabled', waiting_parts: 0 });
    await ask('POST', `/${id}/enable`, {});
    await run();
    expect(files()).toEqual({});
  });

  test('does not take the next part for one that another process has finished', async () => {
    const { app, add, ctx, ref, send } = await withApp(dialect);
    for (const days of [2, 1]) {
      await send(event('kept', { timestamp: new Date(app.deps.clock.now() - days * DAY).toISOString() }));
      app.advance(5000);
      await app.runJobs();
    }
    const { id } = await add({});
    const part = await ctx.keptLogs.next(ctx, ref.id, id);
    const page = { partId: part?.id ?? '', hour: new Date(app.deps.clock.now()).getUTCHours(), skip: 0, limit: 10 };
    const read = async () => (await ctx.keptLogs.read(ctx, ref.id, id, page)).length;
    expect(await read()).toBe(1);
    await tx(ctx, (ctx) => ctx.keptLogs.done(ctx, ref.id, id, part?.id ?? ''));
    expect([await ctx.keptLogs.count(ctx, ref.id, id), await read()]).toEqual([1, 0]);
  });

  test('takes crashes, errors and attachments only if they are asked for, and leaves logs away if that is', async () => {
    const { app, add, ref, run, files } = await withApp(dialect);
    await add({ folder: 'plain' });
    await add({ folder: 'broken', export_entities: ['no_logs', 'crashes', 'errors', 'attachments'] });
    const id = randomUUID();
    const frames = [{ className: 'org.example.Cart', methodName: 'pay', fileName: 'Cart.java', lineNumber: 7 }];
    const exception = { type: 'X', message: 'y', frames, innerExceptions: [{ type: 'Z' }] };
    // Reports of them are made before it is written.
    await sendLogs(app, ref.id, [
      event('open'),
      { type: 'managedError', id, exception, device },
      { type: 'handledError', id: randomUUID(), device },
      { type: 'errorAttachment', id: '../../../escape', errorId: id, contentType: 'text/plain', data: btoa('hello') },
    ]);
    await run();
    expect(Object.keys(files('plain'))).toEqual(['2026/11/01/09/00/logs.v1.data']);
    const names = Object.keys(files('broken')).map((name) => name.replace('2026/11/01/09/00/', ''));
    expect(names).toEqual([expect.stringMatching(/^attachments\/[0-9a-f-]{36}$/), 'crashes.v1.data', 'errors.v1.data']);
    const [attachment, crashes] = Object.values(files('broken'));
    expect(String(attachment)).toBe('hello');
    expect(JSON.parse(String(crashes))).toMatchObject([
      {
        ...{ EventId: id, Fatal: 'True', Log: expect.stringContaining('"X"') },
        Stack: 'X: y\n\tat org.example.Cart.pay (Cart.java:7)\nCaused by: Z',
      },
    ]);
    // Of an error that says nothing there is no stack.
    expect(JSON.parse(String(Object.values(files('broken'))[2]))).toMatchObject([{ Fatal: 'False', Stack: '' }]);
  });

  test('writes lines by hour, compressed, with the same bytes whenever they are written', async () => {
    const { add, send, run, files } = await withApp(dialect);
    await add({ folder: 'one', format: 'json_lines' });
    await add({ folder: 'two', format: 'json_lines' });
    await send(event('a'));
    await run(10 * MINUTE);
    await send(event('b'));
    await run(10 * MINUTE);
    expect(files('one')).toEqual({});
    await run(HOUR);
    const [[name, bytes] = []] = Object.entries(files('one'));
    expect(name).toBe('2026/11/01/09/logs.v1.jsonl.gz');
    const lines = gunzipSync(bytes ?? '')
      .toString()
      .trimEnd()
      .split('\n');
    expect(lines.map((line) => JSON.parse(line).EventName)).toEqual(['a', 'b']);
    expect(files('two')).toEqual(files('one'));
  });

  test('that was cut off after a file was written writes the same again, whatever came meanwhile', async () => {
    const { service, blobs, connection } = await blobService();
    const { add, get, send, run } = await withApp(dialect);
    const { id } = await add({ type: 'blob_storage_connection_string', connection_string: connection() });
    expect(blobs.size).toBe(0);
    await send(event('a'));
    service.cutsOff = true;
    await run();
    const [written] = [...blobs];
    expect(written?.[0]).toBe('2026/11/01/09/00/logs.v1.data');
    expect(await get(id)).toMatchObject({
      state: 'Pending',
      state_info: expect.stringContaining('500'),
      waiting_batches: 1,
    });
    service.cutsOff = false;
    await run();
    expect([...blobs]).toEqual([written]);
    expect(await get(id)).toMatchObject({ state: 'Enabled', waiting_batches: 0 });
    expect(await get(id)).not.toHaveProperty('failing_since');
  });

  test('that was cut off after a file was written does not write it twice, although its stacks differ now', async () => {
    const { app, ctx, add, get, send, files } = await withApp(dialect);
    const { id } = await add({ folder: 'export', export_entities: ['crashes'] });
    await send(crash(app, 0));
    app.advance(3 * MINUTE);
    let attempts = 0;
    const symbolicated = {
      ...ctx,
      issues: { ...ctx.issues, stacksOf: async () => [`stack of attempt ${++attempts}`] },
    };
    const transaction = app.deps.db.transaction.bind(app.deps.db);
    const cutOff = vi.spyOn(app.deps.db, 'transaction').mockImplementation(async (work) => {
      if (Object.keys(files()).length > 0 && attempts === 1) {
        attempts += 1;
        throw new Error('The server was killed.');
      }
      return transaction(work);
    });
    onTestFinished(() => cutOff.mockRestore());
    await writeExport(symbolicated, id);
    const written = Object.entries(files());
    expect(written.map(([name]) => path.basename(name))).toEqual(['crashes.v1.data']);
    expect(String(written[0]?.[1])).toContain('stack of attempt 1');
    expect(await get(id)).toMatchObject({ waiting_batches: 1 });
    await writeExport(symbolicated, id);
    expect(attempts).toBe(3);
    expect(Object.entries(files())).toEqual(written);
    expect(await get(id)).toMatchObject({ state: 'Enabled', waiting_batches: 0 });
  });

  test('of a process that was killed in the middle of a file leaves no draft once that is written', async () => {
    const { add, send, run, files, app, ref } = await withApp(dialect);
    await add({ folder: 'export' });
    await send(event('sail'));
    const folder = path.join(app.deps.config.dataDir, 'exports', ref.id, 'export', '2026/11/01/09/00');
    mkdirSync(folder, { recursive: true });
    // One that is young is another process's, which is at it.
    for (const [draft, seconds] of [
      ['logs.v1.data.k1ll3d00.draft', 4000],
      ['logs.v1.data.wr1t1ng0.draft', 0],
      ['other.v1.data.k1ll3d00.draft', 4000],
    ] as const) {
      writeFileSync(path.join(folder, draft), '[{"half');
      const since = Date.now() / 1000 - seconds;
      utimesSync(path.join(folder, draft), since, since);
    }
    await run();
    expect(Object.keys(files()).map((name) => path.basename(name))).toEqual([
      'logs.v1.data',
      'logs.v1.data.wr1t1ng0.draft',
      'other.v1.data.k1ll3d00.draft',
    ]);
  });

  test('goes nowhere any more when the app gets another owner, until that one says so', async () => {
    const { add, send, run, files, app, ada, token } = await withApp(dialect);
    const { id } = await add({ folder: 'export' });
    await app.addOrg(ada, 'harbour');
    await app.call('POST', '/v0.1/apps/ada/buoy/transfer/harbour', { token, body: {} });
    await send(event('sail'));
    await run();
    expect(files()).toEqual({});
    const home = `/v0.1/apps/harbour/buoy/export_configurations/${id}`;
    const shown = (await app.call('GET', home, { token })).json();
    expect([shown.state, shown.state_info]).toEqual(['Disabled', expect.stringContaining('another owner')]);
    await app.call('POST', `${home}/enable`, { token, body: {} });
    await send(event('row'));
    await run();
    expect(Object.keys(files()).length).toBe(1);
  });

  test('leaves files of others as they are, and writes beside them', async () => {
    const { blobs, connection } = await blobService();
    const { add, get, send, run } = await withApp(dialect);
    const name = '2026/11/01/09/00/logs.v1.data';
    blobs.set(name, { body: Buffer.from('mine'), tag: 'mine' });
    const { id } = await add({ type: 'blob_storage_connection_string', connection_string: connection() });
    await send(event('a'));
    await run();
    expect(String(blobs.get(name)?.body)).toBe('mine');
    const [other] = [...blobs.keys()].filter((each) => each !== name);
    expect(other).toMatch(/^2026\/11\/01\/09\/00\/.+logs\.v1\.data$/);
    expect(namesOf(blobs.get(other ?? '')?.body)).toEqual(['a']);
    expect((await get(id)).waiting_batches).toBe(0);
  });

  test('whose clock was set back writes a second file for that minute instead of losing what came', async () => {
    const { app, add, send, run, files } = await withApp(dialect);
    await add({ backfill: false });
    await send(event('a'));
    await run();
    app.advance(-3 * MINUTE);
    await send(event('b'));
    await run(4 * MINUTE);
    expect(Object.entries(files()).map(([name, bytes]) => [name, namesOf(bytes)])).toEqual([
      ['2026/11/01/09/00/2.logs.v1.data', ['b']],
      ['2026/11/01/09/00/logs.v1.data', ['a']],
    ]);
  });

  test('that cannot be reached for a day loses nothing: what devices sent waits for it', async () => {
    const { service, blobs, connection } = await blobService();
    const { add, get, send, run } = await withApp(dialect);
    const { id } = await add({ type: 'blob_storage_connection_string', connection_string: connection() });
    await send(event('a'));
    service.refuses = { status: 503 };
    await run();
    await run(DAY);
    await send(event('b'));
    expect(await get(id)).toMatchObject({ waiting_batches: 2, last_error: expect.stringContaining('503') });
    service.refuses = undefined;
    await run(HOUR);
    expect([...blobs.values()].flatMap(({ body }) => namesOf(body))).toEqual(['a', 'b']);
  });

  test('whose key is refused is Invalid and says why; with a new key it goes on where it was', async () => {
    const { service, blobs, connection } = await blobService();
    const { app, add, ask, get, send, run } = await withApp(dialect);
    const { id } = await add({ type: 'blob_storage_connection_string', connection_string: connection() });
    await send(event('a'));
    service.refuses = { status: 403, headers: { 'x-ms-error-code': 'AuthenticationFailed' } };
    await run();
    expect(await get(id)).toMatchObject({
      state: 'Invalid',
      state_info: expect.stringContaining('AuthenticationFailed'),
    });
    expect((await ask('PATCH', `/${id}`, { connection_string: connection('b2xk') })).status).toBe(400);
    const test = async () => (await ask('POST', `/${id}/test`, {})).body;
    const tested_at = '2026-11-01T09:03:00.000Z';
    const reason = 'The storage account refuses the key: 403 AuthenticationFailed.';
    expect(await test()).toEqual({ succeeded: false, reason, tested_at, milliseconds: 0 });
    service.refuses = undefined;
    // A test mends nothing, and leaves nothing there.
    expect(await test()).toEqual({ succeeded: true, tested_at, milliseconds: 0 });
    expect([(await get(id)).state, blobs.size]).toEqual(['Invalid', 0]);
    // Whoever lost the key of the server gives that of the store again.
    await app.database.transaction((db) =>
      db.query((q) => q.updateTable('export_configurations').set({ secret: 'sealed with another key' })),
    );
    expect(await test()).toMatchObject({ succeeded: false, reason: expect.stringContaining('give it again') });
    const enabled = await ask('POST', `/${id}/enable`, {});
    expect([enabled.status, enabled.body.error.message]).toEqual([400, expect.stringContaining('give it again')]);
    expect((await ask('PATCH', `/${id}`, { format: 'parquet' })).body.error.message).toContain('connection_string');
    await send(event('b'));
    expect((await ask('PATCH', `/${id}`, { connection_string: connection('bmV3') })).body.state).toBe('Enabled');
    await run();
    expect([...blobs.values()].flatMap(({ body }) => namesOf(body)).sort()).toEqual(['a', 'b']);
    const recorded = await changes(app, 'export_configuration');
    expect(recorded.map(([action]) => String(action).split('.')[1])).toEqual([
      ...['create', 'fail', 'test', 'test', 'test', 'update'],
    ]);
    const tests = recorded.filter(([action]) => action === 'export_configuration.test').map(([, , , after]) => after);
    expect(tests).toEqual([false, true, false].map((succeeded) => ({ id, succeeded })));
  });

  test.each([503, 403])('that answers %s for longer than it is waited for holds nothing any more', async (status) => {
    const { service, connection } = await blobService();
    const { app, add, get, send, run } = await withApp(dialect, { exportPatienceDays: 2 });
    const { id } = await add({ type: 'blob_storage_connection_string', connection_string: connection() });
    await send(event('a'));
    service.refuses = { status };
    await run();
    const cursors = () =>
      app.database.query((q) => q.selectFrom('ingest_cursors').selectAll().where('consumer', 'like', 'reader:%'));
    expect(await cursors()).toHaveLength(1);
    await run(DAY);
    expect(await cursors()).toHaveLength(1);
    await run(DAY + HOUR);
    expect(await cursors()).toEqual([]);
    expect(await get(id)).toMatchObject({ state: 'Invalid', waiting_batches: 0 });
  });

  test('that is disabled holds nothing; enabled again it goes on from now, or with what is there', async () => {
    const { app, add, ask, get, send, run, files } = await withApp(dialect);
    const { id } = await add({ backfill: false });
    const all = () => Object.values(files()).flatMap(namesOf);
    for (const time of [1, 2]) expect((await ask('POST', `/${id}/disable`, {})).status, String(time)).toBe(200);
    await send(event('lost'));
    await run();
    expect((await ask('POST', `/${id}/test`, {})).body.succeeded).toBe(true);
    expect([await get(id), files()]).toMatchObject([{ state: 'Disabled', waiting_batches: 0 }, {}]);
    expect((await ask('POST', `/${id}/enable`, {})).status).toBe(200);
    await send(event('a'));
    await run();
    expect(all()).toEqual(['a']);
    await ask('POST', `/${id}/disable`, {});
    await ask('POST', `/${id}/enable`, { backfill: true });
    await run();
    expect(new Set(all())).toEqual(new Set(['lost', 'a']));
    expect((await ask('DELETE', `/${id}`)).status).toBe(200);
    expect((await ask('GET', `/${id}`)).status).toBe(404);
    expect(
      await app.database.query((q) => q.selectFrom('ingest_cursors').selectAll().where('consumer', 'like', 'reader:%')),
    ).toEqual([]);
  });

  test('of two processes at once neither writes twice nor fails', { repeats: 8 }, async () => {
    const { app, add, ctx, get, send, files } = await withApp(dialect);
    const { id } = await add({});
    await send(event('a'));
    app.advance(3 * MINUTE);
    const other = systemCtx((await app.another()).deps);
    await Promise.all([writeExport(ctx, id), writeExport(other, id), writeExport(ctx, id)]);
    await writeExport(ctx, id);
    expect(Object.values(files()).flatMap(namesOf)).toEqual(['a']);
    expect(await get(id)).toMatchObject({ state: 'Enabled', waiting_batches: 0 });
    expect(await get(id)).not.toHaveProperty('last_error');
  });

  test('that is disabled while a file is on its way holds nothing afterwards', async () => {
    const { app, add, ask, ctx, send } = await withApp(dialect);
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const url = await startReceiver(() => ({ status: 200 }));
    const { id } = await add({ type: 'http', url, signing_secret: secret });
    await send(event('a'));
    const slow: typeof ctx.fetch = async (...request) => {
      await ask('POST', `/${id}/disable`, {});
      return ctx.fetch(...request);
    };
    await writeExport({ ...ctx, fetch: slow }, id);
    const held = await app.database.query((q) =>
      q.selectFrom('ingest_cursors').selectAll().where('consumer', 'like', 'reader:%'),
    );
    expect(held).toEqual([]);
  });

  test.each([
    { what: 'disabled', before: 503, meanwhile: 403, state: 'Disabled', written: [] },
    { what: 'mended', before: 403, meanwhile: undefined, state: 'Enabled', written: ['a'] },
  ])('that is $what while a failure of it is noted stays so', async ({ what, before, meanwhile, state, written }) => {
    const { service, blobs, connection } = await blobService();
    const { app, add, ask, ctx, get, send, run } = await withApp(dialect);
    const { id } = await add({ type: 'blob_storage_connection_string', connection_string: connection() });
    await send(event('a'));
    service.refuses = { status: before };
    await run();
    service.refuses = meanwhile === undefined ? undefined : { status: meanwhile };
    const change = () =>
      what === 'mended'
        ? ask('PATCH', `/${id}`, { connection_string: connection('bmV3') })
        : ask('POST', `/${id}/disable`, {});
    const [answer] = await atOnce<unknown>(app, [change, () => writeExport(ctx, id)]);
    expect(answer).toMatchObject({ status: 200 });
    expect(await get(id)).toMatchObject({ state });
    await run();
    expect([...blobs.values()].flatMap(({ body }) => namesOf(body))).toEqual(written);
  });

  test('that rests leaves others as they are; how far one is behind is told of the one that waits longest', async () => {
    const { service, connection } = await blobService();
    const { app, add, ask, ctx, get, ref, run, send } = await withApp(dialect);
    const lag = () => exportGauges[0]?.read(ctx, ref.id);
    expect(await lag()).toEqual({ unknown: 'No export of this app is enabled.' });
    const { id: disabled } = await add({ folder: 'disabled' });
    await ask('POST', `/${disabled}/disable`, {});
    expect(await lag()).toEqual({ unknown: 'No export of this app is enabled.' });
    await add({ folder: 'well' });
    expect(await lag()).toEqual({ value: 0, subject: 'file' });
    const type = 'blob_storage_connection_string';
    const { id: failing } = await add({ type, connection_string: connection() });
    await send(event('a'));
    service.refuses = { status: 503 };
    await run();
    // Nothing new came: only the one that failed has something to do.
    await run();
    expect(await get(disabled)).toMatchObject({ state: 'Disabled' });
    const failed = await get(failing);
    expect(failed).toMatchObject({ last_error: expect.stringContaining('503'), failing_since: expect.any(String) });
    expect(await lag()).toEqual({ value: 6, subject: type });
    app.advance(MINUTE - 1);
    expect(await lag()).toMatchObject({ value: 6 });
    app.advance(2);
    expect(await lag()).toMatchObject({ value: 7 });
  });

  test('goes with its app', async () => {
    const { app, add, token } = await withApp(dialect);
    await add({});
    expect((await app.call('DELETE', '/v0.1/apps/ada/buoy', { token })).statusCode).toBe(204);
    expect(await app.database.query((q) => q.selectFrom('export_configurations').selectAll())).toEqual([]);
  });
});

eachDatabase('export configurations', (dialect) => {
  test('are not for those who only read, nor for strangers; nobody reaches those of another app', async () => {
    const { app, ada, ref, add, ask } = await withApp(dialect);
    const { id } = await add({});
    const eve = await app.addUser('eve');
    const viewer = await app.addUser('viewer');
    await app.addMember(ref, viewer, 'viewer');
    await app.addApp(eve, 'buoy');
    const readOnly = await app.userToken(ada, { scope: ['viewer'] });
    const ofViewer = await app.userToken(viewer);
    const ofEve = await app.userToken(eve);
    for (const token of [readOnly, ofViewer]) {
      expect((await ask('GET', '', undefined, token)).body.total).toBe(1);
      expect((await ask('POST', '', { type: 'file' }, token)).status).toBe(403);
      for (const [method, rest] of [
        ['PATCH', ''],
        ['DELETE', ''],
        ['POST', '/enable'],
        ['POST', '/disable'],
        ['POST', '/test'],
      ] as const) {
        expect((await ask(method, `/${id}${rest}`, {}, token)).status, `${method} ${rest}`).toBe(403);
      }
    }
    expect((await ask('GET', '', undefined, ofEve)).status).toBe(404);
    const elsewhere = await app.call('GET', `/v0.1/apps/eve/buoy/export_configurations/${id}`, { token: ofEve });
    expect(elsewhere.statusCode).toBe(404);
    const tested = `/v0.1/apps/eve/buoy/export_configurations/${id}/test`;
    expect((await app.call('POST', tested, { token: ofEve, body: {} })).statusCode).toBe(404);
  });

  test('never show what is secret, in no answer, no audit event and no row', async () => {
    const { connection } = await blobService();
    const { app, add, ask } = await withApp(dialect);
    const key = Buffer.from('a very secret key').toString('base64');
    const { id } = await add({ type: 'blob_storage_connection_string', connection_string: connection(key) });
    const seen = [
      (await ask('GET')).body,
      (await ask('PATCH', `/${id}`, { export_entities: ['crashes'] })).body,
      await app.database.query((q) => q.selectFrom('export_configurations').selectAll()),
      await app.database.query((q) => q.selectFrom('audit_events').selectAll()),
      await app.logged(),
    ];
    expect(JSON.stringify(seen)).not.toContain(key);
    expect(seen[1]).toMatchObject({ export_entities: ['crashes'], export_type: 'BlobStorage' });
  });

  test('are refused if something is missing or wrong, and it is said what', async () => {
    const { ask } = await withApp(dialect);
    for (const [body, message] of [
      [{ type: 'blob_storage_linked_subscription', subscription_id: 'x' }, 'blob_storage_connection_string'],
      [{ type: 'application_insights_linked_subscription', subscription_id: 'x' }, 's3, file, http or postgres'],
      [{ type: 'blob_storage_connection_string' }, 'connection_string is needed'],
      [{ type: 'blob_storage_connection_string', connection_string: 'UseDevelopmentStorage=true' }, 'AccountName'],
      [{ type: 'blob_storage_connection_string', connection_string: blobsAt('ftp://127.0.0.1/x') }, 'no address'],
      [{ type: 'blob_storage_connection_string', connection_string: blobsAt('nowhere') }, 'no address'],
      [{ type: 'application_insights_instrumentation_key', instrumentation_key: 'x' }, 'InstrumentationKey='],
      [{ type: 's3', bucket: 'bay' }, 'access_key_id is needed'],
      [{ type: 'http', url: 'ftp://x', signing_secret: 'whsec_' }, 'https://'],
      [{ type: 'http', url: 'https://x', signing_secret: 'whsec_' }, '24 to 64 bytes'],
      [{ type: 'file', folder: '../other' }, 'folder'],
      [{ type: 'file', folder: '/etc' }, 'folder'],
      [{ type: 'carrier_pigeon' }, 'type'],
    ] as const) {
      const refused = await ask('POST', '', body);
      expect([body, refused.status, refused.body.error?.message]).toEqual([
        body,
        400,
        expect.stringContaining(message),
      ]);
    }
    expect((await ask('GET')).body.total).toBe(0);
  });

  test('are refused where nothing can be written: in no private network, and not on a disk that is not for it', async () => {
    const { url } = await blobService();
    const { ask } = await withApp(dialect, { outboundAllow: [], exportFolder: 'off' });
    const connection_string = `AccountName=harbour;AccountKey=a2V5;BlobEndpoint=${url}`;
    const guarded = await ask('POST', '', { type: 'blob_storage_connection_string', connection_string });
    expect(guarded.body.error.message).toContain('MOORING_OUTBOUND_ALLOW');
    const off = await ask('POST', '', { type: 'file' });
    expect([off.status, off.body.error.message]).toEqual([400, expect.stringContaining('MOORING_EXPORT_FOLDER')]);
  });

  test('keep their type, go nowhere in the clear, and need the key again for another endpoint', async () => {
    const { add, ask } = await withApp(dialect);
    const { id } = await add({});
    const inTheClear = { type: 'http', url: 'http://hooks.example.com', signing_secret: `whsec_${'A'.repeat(43)}=` };
    expect((await ask('POST', '', inTheClear)).body.error.message).toContain('https://');
    expect((await ask('PATCH', `/${id}`, { type: 's3' })).body.error.message).toContain('file');
    expect((await ask('PATCH', `/${id}`, { endpoint: 'https://evil.example.com' })).status).toBe(400);
  });

  test('are twenty for an app at most, also when the last ones are made at once', async () => {
    const { app, add, ask } = await withApp(dialect);
    for (let n = 0; n < 19; n += 1) await add({ folder: `f${n}` });
    const make = (folder: string) => async () => (await ask('POST', '', { type: 'file', folder })).status;
    expect(await atOnce(app, [make('one'), make('other')])).toEqual([202, 409]);
  });
});

eachDatabase('an export to', (dialect) => {
  test('a bucket is signed as its store wants it, and repeats nothing', async () => {
    const s3 = await startS3();
    onTestFinished(() => s3.stop());
    const { add, ask, get, send, run, ref } = await withApp(dialect);
    const { bucket, endpoint, region, credentials } = s3.options;
    const body = {
      ...{ type: 's3', bucket, endpoint, region, prefix: 'raw', format: 'minutes' },
      access_key_id: credentials.accessKeyId,
      secret_access_key: credentials.secretAccessKey,
    };
    expect((await ask('POST', '', { ...body, secret_access_key: 'wrong' })).body.error.message).toContain('403');
    expect((await ask('POST', '', { ...body, bucket: 'nowhere' })).body.error.message).toContain('404');
    const { id } = await add(body);
    await send(event('a'));
    await run();
    expect(await get(id)).toMatchObject({ state: 'Enabled', waiting_batches: 0 });
    const put = s3.asked.filter((line) => line.startsWith('PUT') && line.includes('logs.v1.data'));
    expect(put).toEqual([`PUT /mooring/raw/${ref.id}/2026/11/01/09/00/logs.v1.data`]);
    s3.asked.length = 0;
    expect((await ask('POST', `/${id}/test`, {})).body.succeeded).toBe(true);
    expect(s3.asked.map((line) => line.replace(/\d+$/, ''))).toEqual(
      ['HEAD', 'PUT', 'DELETE'].map((method) => `${method} /mooring/raw/mooring-check-`),
    );
  });

  test.each([
    [507, 'XMinioStorageFull'],
    [413, 'EntityTooLarge'],
    [403, 'QuotaExceeded'],
    [400, 'EntityTooLarge'],
    [400, 'XMinioAdminBucketQuotaExceeded'],
  ])(
    'a bucket that is full (%i %s) says so, goes on by itself when it has room, and has no half file',
    async (status, code) => {
      const s3 = await startS3();
      onTestFinished(() => s3.stop());
      const { bucket, endpoint, region, credentials } = s3.options;
      const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>No room.</Message></Error>`;
      const store = await fullStore(endpoint, { status, body });
      const { add, get, send, run, ref } = await withApp(dialect);
      const { id } = await add({
        ...{
          type: 's3',
          bucket,
          endpoint: store.url,
          region,
          format: 'minutes',
          export_entities: ['crashes', 'attachments'],
        },
        ...{ access_key_id: credentials.accessKeyId, secret_access_key: credentials.secretAccessKey },
      });
      const folder = `/mooring/${ref.id}/2026/11/01/09/00`;
      const read = async (name: string) => {
        const answer = await fetch(`${endpoint}${folder}/${name}`);
        return [answer.status, answer.status === 200 ? await answer.text() : ''] as const;
      };
      const errorId = randomUUID();
      const data = Buffer.alloc(100_000, 'x').toString('base64');
      await send(event('a'), { type: 'errorAttachment', id: errorId, errorId, contentType: 'text/plain', data });
      // The first file fits, and the next one does not.
      store.room = 1;
      await run();
      const failing = await get(id);
      expect(failing).toMatchObject({
        waiting_batches: 1,
        last_error: expect.stringContaining(`no room: ${status} ${code}`),
      });
      expect(failing.state).not.toBe('Invalid');
      expect([(await read('logs.v1.data'))[0], (await read(`attachments/${errorId}`))[0]]).toEqual([200, 404]);
      // What comes meanwhile waits, for as long as it takes.
      await run(DAY);
      await send(event('b'));
      expect(await get(id)).toMatchObject({ waiting_batches: 2 });
      store.room = Number.POSITIVE_INFINITY;
      await run(HOUR);
      expect(await get(id)).toMatchObject({ state: 'Enabled', waiting_batches: 0 });
      expect(await get(id)).not.toHaveProperty('failing_since');
      const [, logs] = await read('logs.v1.data');
      expect(namesOf(Buffer.from(logs))).toEqual(['a']);
      expect(await read(`attachments/${errorId}`)).toEqual([200, 'x'.repeat(100_000)]);
      // Each once: whatever was there stayed as it was.
      const later = await fetch(`${endpoint}/mooring/${ref.id}/2026/11/02/09/03/logs.v1.data`);
      expect(namesOf(Buffer.from(await later.arrayBuffer()))).toEqual(['b']);
      expect(store.written.toSorted()).toEqual([...new Set(store.written)].toSorted());
    },
  );

  test('a bucket whose key may only add writes all, and beside what may be of others; only after a cut it may be there twice', async () => {
    const objects = new Map<string, Buffer>();
    let cutsOff = false;
    const endpoint = await startReceiver(({ method, url = '' }, body) => {
      if (method !== 'PUT') return { status: 403 };
      if (objects.has(url)) return { status: 412 };
      objects.set(url, body);
      return { status: cutsOff ? 500 : 200 };
    });
    const { add, ask, get, send, run, ref } = await withApp(dialect);
    const key = { access_key_id: 'adder', secret_access_key: 'secret' };
    const { id } = await add({ type: 's3', bucket: 'bay', endpoint, backfill: false, ...key });
    expect((await ask('POST', `/${id}/test`, {})).body).toMatchObject({ succeeded: true });
    objects.clear();
    const folder = `/bay/${ref.id}/2026/11/01/09`;
    await send(event('a'));
    await run();
    objects.set(`${folder}/06/logs.v1.data`, Buffer.from('of somebody else'));
    await run();
    await send(event('b'));
    await run();
    cutsOff = true;
    await send(event('c'));
    await run();
    expect(await get(id)).toMatchObject({ waiting_batches: 1, last_error: expect.stringContaining('500') });
    cutsOff = false;
    await run();
    expect(await get(id)).toMatchObject({ state: 'Enabled', waiting_batches: 0 });
    expect(String(objects.get(`${folder}/06/logs.v1.data`))).toBe('of somebody else');
    objects.delete(`${folder}/06/logs.v1.data`);
    const written = [...objects].map(([name, bytes]) => [name.slice(folder.length), namesOf(bytes)]);
    expect(written).toEqual([
      ['/00/logs.v1.data', ['a']],
      [`/06/${id}.2-2.1.logs.v1.data`, ['b']],
      ['/09/logs.v1.data', ['c']],
      [`/09/${id}.3-3.1.logs.v1.data`, ['c']],
    ]);
  });

  test('an address is signed, at once, and has the same id when it comes again', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const got: { id: string; body: { type: string; data: { records: { EventName: string }[] } } }[] = [];
    let status = 200;
    const url = await startReceiver(({ headers }, body) => {
      // The library compares with the real clock; ours stands in a test.
      const at = new Date(Number(headers['webhook-timestamp']) * 1000);
      const signature = new Webhook(secret).sign(String(headers['webhook-id']), at, String(body));
      expect(headers['webhook-signature']).toBe(signature);
      got.push({ id: String(headers['webhook-id']), body: JSON.parse(String(body)) });
      return { status };
    });
    const { add, ask, get, send, run } = await withApp(dialect);
    const { id, export_configuration } = await add({
      type: 'http',
      url: `${url}/in?token=secret`,
      signing_secret: secret,
    });
    expect(JSON.stringify(export_configuration)).not.toContain('token');
    expect(got.splice(0)).toMatchObject([{ body: { type: 'export.check' } }]);
    status = 500;
    await send(...Array.from({ length: 501 }, (_, n) => event(`e${n}`)));
    await run(30_000);
    status = 200;
    await send(event('later'));
    await run(HOUR);
    expect(got.map(({ body }) => body.data.records.length)).toEqual([500, 500, 1, 1]);
    expect(got[0]?.id).toBe(got[1]?.id);
    expect(new Set(got.map(({ id }) => id)).size).toBe(3);
    const before = await get(id);
    expect(before).toMatchObject({ state: 'Enabled', waiting_batches: 0 });
    status = 418;
    got.length = 0;
    const { succeeded, reason } = (await ask('POST', `/${id}/test`, {})).body;
    expect([succeeded, reason, got.map(({ body }) => body.type)]).toEqual([
      ...[false, 'The receiver answered 418', ['export.check']],
    ]);
    expect(await get(id)).toEqual(before);
  });

  test('an address gets what was kept, in parts that have ids of their own; another process waits meanwhile', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const { app, add, ask, ctx, get, run, send } = await withApp(dialect);
    const got: { id: string; names: string[] }[] = [];
    const due: number[] = [];
    const url = await startReceiver(({ headers }, body) => {
      const { type, data } = JSON.parse(String(body));
      const names =
        type === 'export.check' ? [] : data.records.map(({ EventName }: { EventName: string }) => EventName);
      if (names.length > 0) got.push({ id: String(headers['webhook-id']), names });
      return { status: 200 };
    });
    const ago = (days: number) => new Date(app.deps.clock.now() - days * DAY).toISOString();
    await send(...Array.from({ length: 501 }, (_, n) => event(`e${n}`, { timestamp: ago(2) })));
    await send(event('other', { timestamp: ago(1) }));
    app.advance(5000);
    await app.runJobs();
    const { id } = await add({ type: 'http', url, signing_secret: secret });
    const dueAt = () => app.database.query((q) => q.selectFrom('export_configurations').select('due_at'));
    const read = ctx.keptLogs.read;
    const watching = {
      ...ctx,
      keptLogs: {
        ...ctx.keptLogs,
        read: async (...asked: Parameters<typeof read>) => {
          due.push(Number((await dueAt())[0]?.due_at) - app.deps.clock.now());
          return read(...asked);
        },
      },
    };
    await writeExport(watching, id);
    expect(got.map(({ names }) => names.length)).toEqual([500, 1, 1]);
    expect(new Set(got.flatMap(({ names }) => names)).size).toBe(502);
    expect(new Set(got.map((each) => each.id)).size).toBe(3);
    for (const each of got) expect(each.id).toMatch(new RegExp(`^${id}\\.backfill\\.[\\w-]+\\.\\d+\\.[01]$`));
    expect(new Set(due)).toEqual(new Set([5 * MINUTE]));
    await run();
    expect(got).toHaveLength(3);
    expect(await get(id)).toMatchObject({ state: 'Enabled', waiting_parts: 0 });
    expect((await ask('GET')).body.total).toBe(1);
  });

  test('an address gets crashes and attachments that were kept, each once', async () => {
    const { app, ref, add, get, run } = await withApp(dialect);
    const got: { id: string; entity: string; ids: string[] }[] = [];
    const url = await startReceiver(({ headers }, body) => {
      const { type, data } = JSON.parse(String(body));
      if (type === 'export.check') return { status: 200 };
      const ids = data.records.map((one: Record<string, string>) => one.AttachmentId ?? one.EventId);
      got.push({ id: String(headers['webhook-id']), entity: data.entity, ids });
      return { status: 200 };
    });
    const old = crash(app, 5);
    const attached = { type: 'errorAttachment', id: randomUUID(), errorId: old.id, data: btoa('hello'), device };
    await sendLogs(app, ref.id, [old, attached]);
    app.advance(DAY);
    await tidyLogs(app, ref.id);
    const { id } = await add({
      ...{ type: 'http', url, signing_secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` },
      export_entities: ['crashes', 'errors', 'attachments'],
    });
    await run();
    await run();
    expect(got).toEqual([
      { id: `${id}.backfill.reports.0.crashes.1`, entity: 'crashes', ids: [old.id] },
      { id: `${id}.backfill.reports.1.attachments.1`, entity: 'attachments', ids: [attached.id] },
    ]);
    expect(await get(id)).toMatchObject({ state: 'Enabled', waiting_parts: 0 });
  });

  test('Application Insights is one event for each log; what it refuses for now is sent again', async () => {
    const key = randomUUID();
    const got: {
      iKey: string;
      data: { baseType: string; baseData: { name: string; properties: object } };
      tags: object;
    }[][] = [];
    const misshapen: string[] = [];
    const url = await startReceiver(({ url, headers }, body) => {
      if (url !== '/v2.1/track' || headers['content-type'] !== 'application/json') misshapen.push(`${url}`);
      const envelopes = JSON.parse(String(body));
      for (const envelope of envelopes) if (!isEnvelope(envelope)) misshapen.push(JSON.stringify(isEnvelope.errors));
      got.push(envelopes);
      const isSecond = got.length === 2;
      const errors = isSecond
        ? [
            { index: 1, statusCode: 429 },
            { index: 2, statusCode: 400 },
          ]
        : [];
      const counts = { itemsReceived: envelopes.length, itemsAccepted: envelopes.length - errors.length, errors };
      return { status: isSecond ? 206 : 200, body: JSON.stringify(counts) };
    });
    const { add, ask, get, send, run } = await withApp(dialect);
    const instrumentation_key = `InstrumentationKey=${key};IngestionEndpoint=${url}/`;
    const { id } = await add({
      type: 'application_insights_instrumentation_key',
      instrumentation_key,
      export_entities: ['crashes'],
    });
    // It has no use for crashes, so none are looked for.
    expect(await get(id)).toMatchObject({ waiting_parts: 0 });
    await send(event('a', { sid: 's' }), event('b'), event('c'), { type: 'managedError', id: randomUUID() });
    await run();
    expect(got.slice(1).map((each) => each.map(({ data }) => data.baseData.name))).toEqual([['a', 'b', 'c'], ['b']]);
    expect(got[1]?.[0]).toMatchObject({
      ...{ ver: 1, iKey: key, time: '2026-11-01T08:00:00.000Z' },
      tags: {
        'ai.user.id': expect.any(String),
        'ai.session.id': 's',
        'ai.application.ver': '1.0',
        'ai.device.model': 'iPhone',
      },
      data: { baseType: 'EventData', baseData: { ver: 2, name: 'a', properties: { OsApiLevel: '2' } } },
    });
    expect(await get(id)).toMatchObject({ state: 'Enabled', waiting_batches: 0 });
    expect((await ask('POST', `/${id}/test`, {})).body.succeeded).toBe(true);
    expect(misshapen).toEqual([]);
    expect(got.at(-1)).toMatchObject([{ iKey: key, data: { baseData: { name: 'MooringExportCheck' } } }]);
  });

  test('writes Parquet by the hour, with a column for each field, the same whenever it is written', async () => {
    const { app, add, ref, run, send, files } = await withApp(dialect);
    await add({ backfill: false, format: 'parquet', export_entities: ['crashes'] });
    await send(event("it's", { properties: { plan: 'free' } }), { ...event('x'), type: 'managedError', fatal: true });
    await send(event('ünï\ncode'));
    await run(2 * HOUR);
    expect(Object.keys(files())).toEqual(['2026/11/01/09/crashes.v1.parquet', '2026/11/01/09/logs.v1.parquet']);
    const rows = (entity: string) =>
      readParquet(path.join(app.deps.config.dataDir, 'exports', ref.id, `export/2026/11/01/09/${entity}.v1.parquet`));
    const logs = await rows('logs');
    expect(logs.map(({ EventName, Properties, OsApiLevel }) => [EventName, Properties, OsApiLevel])).toEqual([
      ["it's", '{"plan":"free"}', '2'],
      ['ünï\ncode', '{}', '2'],
    ]);
    expect(await rows('crashes')).toMatchObject([{ Fatal: 'True', Log: expect.stringContaining('managedError') }]);
    const again = () => app.deps.telemetry.toParquet(['a'], [{ a: '1' }, { a: '2' }]);
    expect((await again()).equals(await again())).toBe(true);
  });

  test('makes rows in a PostgreSQL of somebody else, each once, however often it is sent', async () => {
    const { add, get, run, send, ref, ask } = await withApp(dialect);
    const place = new URL(await emptyDatabase('postgres'));
    place.password ||= 'secret-word';
    place.search = 'sslmode=disable';
    const { id } = await add({ type: 'postgres', backfill: false, connection_string: place.href, format: undefined });
    await send(event('open', { userId: 'mo' }), event('close'));
    await run(MINUTE);
    const client = new pg.Client(place.href);
    await client.connect();
    onTestFinished(() => client.end());
    const rows = async () =>
      (await client.query('SELECT event_name, user_id, app_id, record FROM mooring_logs ORDER BY delivery, position'))
        .rows;
    expect((await rows()).map(({ event_name, user_id, app_id }) => [event_name, user_id, app_id])).toEqual([
      ['open', 'mo', ref.id],
      ['close', '', ref.id],
    ]);
    expect(await get(id)).toMatchObject({
      state: 'Enabled',
      export_configuration: { type: 'postgres', table: 'mooring_logs', host: place.hostname },
    });
    const allow = ['127.0.0.0/8'];
    const receiver = postgresReceiver(readPostgres(place.href), { table: 'mooring_logs', appId: ref.id, allow });
    const delivery = { id: 'zzz', entity: 'logs', records: [{ EventName: 'a\0b' }, { EventName: 'c' }] };
    for (let n = 0; n < 2; n += 1) await receiver.send(delivery);
    expect((await ask('POST', `/${id}/test`, {})).body.succeeded).toBe(true);
    expect((await rows()).map(({ record }) => record.EventName)).toEqual(['open', 'close', 'ab', 'c']);

    for (const [connection_string, message] of [
      ['postgres://mo@127.0.0.1/x', 'connection_string must be like'],
      ['postgres://mo:%zz@127.0.0.1/x', 'connection_string must be like'],
      ['mysql://mo:secret-word@127.0.0.1/x', 'connection_string must be like'],
      ['postgres://mo:secret-word@127.0.0.1/x?sslmode=maybe', 'sslmode must be one of'],
      ['postgres://mo:secret-word@10.0.0.7/x?sslmode=disable', 'not a public address'],
      ['postgres://mo:secret-word@127.0.0.1:1/x?sslmode=disable', 'The database refuses'],
      [place.href.replace('sslmode=disable', ''), 'The database refuses'],
      [place.href.replace(place.pathname, '/nowhere'), 'The database refuses'],
    ] as const) {
      const refused = await ask('POST', '', { type: 'postgres', connection_string });
      const said = JSON.stringify(refused.body);
      expect([connection_string, refused.status, said]).toEqual([
        connection_string,
        400,
        expect.stringContaining(message),
      ]);
      expect(said).not.toContain('secret-word');
    }
    expect((await ask('POST', '', { type: 'postgres', connection_string: place.href, table: 'a"b' })).status).toBe(400);
  });
});
