import { randomUUID } from 'node:crypto';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { sendLogs } from '../../../test/harness/background-work.ts';
import { blobService, crash, device, event, readEventNames, withApp } from '../../../test/harness/exports.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import { HOUR, MINUTE } from '../../kernel/clock.ts';
import { reportArchive } from '../crashes/index.ts';
import { writeExport } from './writing.ts';

eachDatabase('an export', (dialect) => {
  test('writes a file per minute once the minute is over', async () => {
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

  test('begins with waiting data if requested, otherwise with new data', async () => {
    const { add, send, run, files } = await withApp(dialect);
    await send(event('before'));
    await add({ folder: 'all' });
    await add({ folder: 'new', backfill: false });
    await send(event('after'));
    await run();
    const of = (folder: string) => Object.values(files(folder)).flatMap(readEventNames);
    expect([of('all'), of('new')]).toEqual([['before', 'after'], ['after']]);
  });

  test('includes crashes, errors and attachments only if selected, and can exclude logs', async () => {
    const { app, add, ref, run, files } = await withApp(dialect);
    await add({ folder: 'plain' });
    await add({ folder: 'broken', export_entities: ['no_logs', 'crashes', 'errors', 'attachments'] });
    const id = randomUUID();
    const frames = [{ className: 'org.example.Cart', methodName: 'pay', fileName: 'Cart.java', lineNumber: 7 }];
    const exception = { type: 'X', message: 'y', frames, innerExceptions: [{ type: 'Z' }] };
    // Their reports are processed before the export.
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
    // An error without details has no stack.
    expect(JSON.parse(String(Object.values(files('broken'))[2]))).toMatchObject([{ Fatal: 'False', Stack: '' }]);
  });

  test('writes compressed lines by hour, with the same bytes each time', async () => {
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

  test('that was interrupted after writing a file writes the same file again, despite new data', async () => {
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

  test('that was interrupted after writing a file does not write it twice, although its stacks differ now', async () => {
    const { app, ctx, add, get, send, files } = await withApp(dialect);
    const { id } = await add({ folder: 'export', export_entities: ['crashes'] });
    await send(crash(app, 0));
    app.advance(3 * MINUTE);
    let attempts = 0;
    const stacks = vi
      .spyOn(reportArchive, 'sentStacks')
      .mockImplementation(async () => [`stack of attempt ${++attempts}`]);
    const transaction = app.deps.db.transaction.bind(app.deps.db);
    const cutOff = vi.spyOn(app.deps.db, 'transaction').mockImplementation(async (work) => {
      if (Object.keys(files()).length > 0 && attempts === 1) {
        attempts += 1;
        throw new Error('The server was killed.');
      }
      return transaction(work);
    });
    onTestFinished(() => {
      stacks.mockRestore();
      cutOff.mockRestore();
    });
    await writeExport(ctx, id);
    const written = Object.entries(files());
    expect(written.map(([name]) => path.basename(name))).toEqual(['crashes.v1.data']);
    expect(String(written[0]?.[1])).toContain('stack of attempt 1');
    expect(await get(id)).toMatchObject({ waiting_batches: 1 });
    await writeExport(ctx, id);
    expect(attempts).toBe(3);
    expect(Object.entries(files())).toEqual(written);
    expect(await get(id)).toMatchObject({ state: 'Enabled', waiting_batches: 0 });
  });

  test('leaves no draft of a killed process once the file is written', async () => {
    const { add, send, run, files, app, ref } = await withApp(dialect);
    await add({ folder: 'export' });
    await send(event('sail'));
    const folder = path.join(app.deps.config.dataDir, 'exports', ref.id, 'export', '2026/11/01/09/00');
    mkdirSync(folder, { recursive: true });
    // A recent draft belongs to another process that is still writing.
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

  test('keeps files of others unchanged and writes under other names', async () => {
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
    expect(readEventNames(blobs.get(other ?? '')?.body)).toEqual(['a']);
    expect((await get(id)).waiting_batches).toBe(0);
  });

  test('writes a second file for a minute after the clock was set back, instead of losing data', async () => {
    const { app, add, send, run, files } = await withApp(dialect);
    await add({ backfill: false });
    await send(event('a'));
    await run();
    app.advance(-3 * MINUTE);
    await send(event('b'));
    await run(4 * MINUTE);
    expect(Object.entries(files()).map(([name, bytes]) => [name, readEventNames(bytes)])).toEqual([
      ['2026/11/01/09/00/2.logs.v1.data', ['b']],
      ['2026/11/01/09/00/logs.v1.data', ['a']],
    ]);
  });
});
