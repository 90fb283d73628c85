import { randomUUID } from 'node:crypto';
import path from 'node:path';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startS3 } from '../../../../../test-support/s3.ts';
import { sendLogs, tidyLogs } from '../../../test/harness/background-work.ts';
import {
  crash,
  device,
  event,
  fullStore,
  isEnvelope,
  readEventNames,
  startReceiver,
  withApp,
} from '../../../test/harness/exports.ts';
import { readParquet } from '../../../test/harness/references/parquet.ts';
import { eachDatabase, emptyDatabase } from '../../../test/harness/services/databases.ts';
import { DAY, HOUR, MINUTE } from '../../kernel/clock.ts';
import { logArchive } from '../analytics/index.ts';
import { postgresReceiver, readPostgres } from './destinations/postgres.ts';
import { writeExport } from './writing.ts';

eachDatabase('an export to', (dialect) => {
  test('a bucket is signed as required and overwrites nothing', async () => {
    const s3 = await startS3();
    onTestFinished(() => s3.stop());
    const { add, request, get, send, run, ref } = await withApp(dialect);
    const { bucket, endpoint, region, credentials } = s3.options;
    const body = {
      ...{ type: 's3', bucket, endpoint, region, prefix: 'raw', format: 'minutes' },
      access_key_id: credentials.accessKeyId,
      secret_access_key: credentials.secretAccessKey,
    };
    expect((await request('POST', '', { ...body, secret_access_key: 'wrong' })).body.error.message).toContain('403');
    expect((await request('POST', '', { ...body, bucket: 'nowhere' })).body.error.message).toContain('404');
    const { id } = await add(body);
    await send(event('a'));
    await run();
    expect(await get(id)).toMatchObject({ state: 'Enabled', waiting_batches: 0 });
    const put = s3.requests.filter((line) => line.startsWith('PUT') && line.includes('logs.v1.data'));
    expect(put).toEqual([`PUT /mooring/raw/${ref.id}/2026/11/01/09/00/logs.v1.data`]);
    s3.requests.length = 0;
    expect((await request('POST', `/${id}/test`, {})).body.succeeded).toBe(true);
    expect(s3.requests.map((line) => line.replace(/\d+$/, ''))).toEqual(
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
    'a bucket that is full (%i %s) reports it, continues when there is space, and leaves no partial file',
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
      // The first file fits, the next one does not.
      store.capacity = 1;
      await run();
      const failing = await get(id);
      expect(failing).toMatchObject({
        waiting_batches: 1,
        last_error: expect.stringContaining(`The bucket is full: ${status} ${code}`),
      });
      expect(failing.state).not.toBe('Invalid');
      expect([(await read('logs.v1.data'))[0], (await read(`attachments/${errorId}`))[0]]).toEqual([200, 404]);
      // Data that arrives in the meantime waits.
      await run(DAY);
      await send(event('b'));
      expect(await get(id)).toMatchObject({ waiting_batches: 2 });
      store.capacity = Number.POSITIVE_INFINITY;
      await run(HOUR);
      expect(await get(id)).toMatchObject({ state: 'Enabled', waiting_batches: 0 });
      expect(await get(id)).not.toHaveProperty('failing_since');
      const [, logs] = await read('logs.v1.data');
      expect(readEventNames(Buffer.from(logs))).toEqual(['a']);
      expect(await read(`attachments/${errorId}`)).toEqual([200, 'x'.repeat(100_000)]);
      // Each record once: existing files stay unchanged.
      const later = await fetch(`${endpoint}/mooring/${ref.id}/2026/11/02/09/03/logs.v1.data`);
      expect(readEventNames(Buffer.from(await later.arrayBuffer()))).toEqual(['b']);
      expect(store.written.toSorted()).toEqual([...new Set(store.written)].toSorted());
    },
  );

  test('a bucket with a write-only key writes everything next to existing files, and repeats a file only after an interruption', async () => {
    const objects = new Map<string, Buffer>();
    let cutsOff = false;
    const endpoint = await startReceiver(({ method, url = '' }, body) => {
      if (method !== 'PUT') return { status: 403 };
      if (objects.has(url)) return { status: 412 };
      objects.set(url, body);
      return { status: cutsOff ? 500 : 200 };
    });
    const { add, request, get, send, run, ref } = await withApp(dialect);
    const key = { access_key_id: 'adder', secret_access_key: 'secret' };
    const { id } = await add({ type: 's3', bucket: 'bay', endpoint, backfill: false, ...key });
    expect((await request('POST', `/${id}/test`, {})).body).toMatchObject({ succeeded: true });
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
    const written = [...objects].map(([name, bytes]) => [name.slice(folder.length), readEventNames(bytes)]);
    expect(written).toEqual([
      ['/00/logs.v1.data', ['a']],
      [`/06/${id}.2-2.1.logs.v1.data`, ['b']],
      ['/09/logs.v1.data', ['c']],
      [`/09/${id}.3-3.1.logs.v1.data`, ['c']],
    ]);
  });

  test('an HTTP receiver is signed, immediate, and repeats deliveries with the same ID', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const got: { id: string; body: { type: string; data: { records: { EventName: string }[] } } }[] = [];
    let status = 200;
    const url = await startReceiver(({ headers }, body) => {
      // The library uses the real clock; the test's clock is stopped.
      const at = new Date(Number(headers['webhook-timestamp']) * 1000);
      const signature = new Webhook(secret).sign(String(headers['webhook-id']), at, String(body));
      expect(headers['webhook-signature']).toBe(signature);
      got.push({ id: String(headers['webhook-id']), body: JSON.parse(String(body)) });
      return { status };
    });
    const { add, request, get, send, run } = await withApp(dialect);
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
    const { succeeded, reason } = (await request('POST', `/${id}/test`, {})).body;
    expect([succeeded, reason, got.map(({ body }) => body.type)]).toEqual([
      ...[false, 'The receiver responded with 418', ['export.check']],
    ]);
    expect(await get(id)).toEqual(before);
  });

  test('an HTTP receiver sends stored logs in parts with IDs; another process waits meanwhile', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const { app, add, request, ctx, get, run, send } = await withApp(dialect);
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
    const { read } = logArchive;
    const spy = vi.spyOn(logArchive, 'read').mockImplementation(async (...page) => {
      due.push(Number((await dueAt())[0]?.due_at) - app.deps.clock.now());
      return read(...page);
    });
    onTestFinished(() => spy.mockRestore());
    await writeExport(ctx, id);
    expect(got.map(({ names }) => names.length)).toEqual([500, 1, 1]);
    expect(new Set(got.flatMap(({ names }) => names)).size).toBe(502);
    expect(new Set(got.map((each) => each.id)).size).toBe(3);
    for (const each of got) expect(each.id).toMatch(new RegExp(`^${id}\\.backfill\\.[\\w-]+\\.\\d+\\.[01]$`));
    expect(new Set(due)).toEqual(new Set([5 * MINUTE]));
    await run();
    expect(got).toHaveLength(3);
    expect(await get(id)).toMatchObject({ state: 'Enabled', waiting_parts: 0 });
    expect((await request('GET')).body.total).toBe(1);
  });

  test('an HTTP receiver sends stored crashes and attachments once', async () => {
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

  test('Application Insights sends one event per log and retries temporarily rejected ones', async () => {
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
    const { add, request, get, send, run } = await withApp(dialect);
    const instrumentation_key = `InstrumentationKey=${key};IngestionEndpoint=${url}/`;
    const { id } = await add({
      type: 'application_insights_instrumentation_key',
      instrumentation_key,
      export_entities: ['crashes'],
    });
    // Application Insights takes no crashes, so none are back-filled.
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
    expect((await request('POST', `/${id}/test`, {})).body.succeeded).toBe(true);
    expect(misshapen).toEqual([]);
    expect(got.at(-1)).toMatchObject([{ iKey: key, data: { baseData: { name: 'MooringExportCheck' } } }]);
  });

  test('Parquet files writes a file per hour, with a column for each field, with the same bytes each time', async () => {
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

  test('PostgreSQL inserts rows once, even if deliveries are repeated', async () => {
    const { add, get, run, send, ref, request } = await withApp(dialect);
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
    expect((await request('POST', `/${id}/test`, {})).body.succeeded).toBe(true);
    expect((await rows()).map(({ record }) => record.EventName)).toEqual(['open', 'close', 'ab', 'c']);

    for (const [connection_string, message] of [
      ['postgres://mo@127.0.0.1/x', 'connection_string must look like'],
      ['postgres://mo:%zz@127.0.0.1/x', 'connection_string must look like'],
      ['mysql://mo:secret-word@127.0.0.1/x', 'connection_string must look like'],
      ['postgres://mo:secret-word@127.0.0.1/x?sslmode=maybe', 'sslmode must be one of'],
      ['postgres://mo:secret-word@10.0.0.7/x?sslmode=disable', 'not a public address'],
      ['postgres://mo:secret-word@127.0.0.1:1/x?sslmode=disable', 'The database rejected'],
      [place.href.replace('sslmode=disable', ''), 'The database rejected'],
      [place.href.replace(place.pathname, '/nowhere'), 'The database rejected'],
    ] as const) {
      const refused = await request('POST', '', { type: 'postgres', connection_string });
      const response = JSON.stringify(refused.body);
      expect([connection_string, refused.status, response]).toEqual([
        connection_string,
        400,
        expect.stringContaining(message),
      ]);
      expect(response).not.toContain('secret-word');
    }
    expect((await request('POST', '', { type: 'postgres', connection_string: place.href, table: 'a"b' })).status).toBe(
      400,
    );
  });
});
