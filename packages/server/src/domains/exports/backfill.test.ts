import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sendLogs, tidyLogs } from '../../../test/harness/background-work.ts';
import { blobService, crash, device, event, readEventNames, withApp } from '../../../test/harness/exports.ts';
import { atOnce } from '../../../test/harness/races.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import { tx } from '../../db/tx.ts';
import { DAY, HOUR, MINUTE } from '../../kernel/clock.ts';
import { logArchive } from '../analytics/index.ts';
import { writeExport } from './writing.ts';

eachDatabase('an export', (dialect) => {
  test('begins with all stored logs, each once, despite merges and deletions meanwhile', async () => {
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
    const names = written.flatMap(([file, bytes]) => (file.includes('crashes') ? [] : readEventNames(bytes)));
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

  test('begins with stored crashes, errors and attachments, which outlive their batches, each once', async () => {
    const { app, ctx, ref, add, get, run, send, files } = await withApp(dialect);
    const broken = ['no_logs', 'crashes', 'errors', 'attachments'];
    const old = [crash(app, 40), crash(app, 40), crash(app, 3), { ...crash(app, 3), type: 'handledError' }];
    const file = { type: 'errorAttachment', errorId: old[0]?.id, contentType: 'text/plain', device };
    const attached = { ...file, id: '../escape', timestamp: old[0]?.timestamp, data: btoa('hello') };
    await sendLogs(app, ref.id, [...old, attached]);
    app.advance(DAY);
    await tidyLogs(app, ref.id);
    expect(await app.database.query((q) => q.selectFrom('ingest_batches').select('number'))).toEqual([]);
    // Reports without a batch number, as earlier versions stored them, are exported too.
    await app.database.transaction((db) => db.query((q) => q.updateTable('crash_reports').set({ batch: null })));
    // This one is stored as a report and in its batch; the next one only in its batch.
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

  test('continues with stored crashes after an interruption, despite new and deleted ones', async () => {
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
    // The file is written, but the response is lost.
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

  test('stops reading stored crashes once it is disabled', async () => {
    const { app, ref, add, request, get, run, files } = await withApp(dialect);
    await sendLogs(app, ref.id, [crash(app, 5)]);
    app.advance(DAY);
    await tidyLogs(app, ref.id);
    const { id } = await add({ export_entities: ['crashes'] });
    await request('POST', `/${id}/disable`, {});
    expect(await get(id)).toMatchObject({ state: 'Disabled', waiting_parts: 0 });
    await request('POST', `/${id}/enable`, {});
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
    const part = await logArchive.next(ctx, ref.id, id);
    const page = { partId: part?.id ?? '', hour: new Date(app.deps.clock.now()).getUTCHours(), skip: 0, limit: 10 };
    const read = async () => (await logArchive.read(ctx, ref.id, id, page)).length;
    expect(await read()).toBe(1);
    await tx(ctx, (ctx) => logArchive.done(ctx, ref.id, id, part?.id ?? ''));
    expect([await logArchive.count(ctx, ref.id, id), await read()]).toEqual([1, 0]);
  });
});
