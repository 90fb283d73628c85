import { expect, test } from 'vitest';
import { changes } from '../../../test/harness/audit.ts';
import { blobService, event, readEventNames, startReceiver, withApp } from '../../../test/harness/exports.ts';
import { atOnce } from '../../../test/harness/races.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import { systemCtx } from '../../context.ts';
import { DAY, HOUR, MINUTE } from '../../kernel/clock.ts';
import { exportGauges } from './gauges.ts';
import { writeExport } from './writing.ts';

eachDatabase('an export', (dialect) => {
  test('stops when the app is transferred, until the new owner enables it', async () => {
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

  test('loses nothing while its destination is unreachable for a day', async () => {
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
    expect([...blobs.values()].flatMap(({ body }) => readEventNames(body))).toEqual(['a', 'b']);
  });

  test('is Invalid with a reason if its key is rejected, and continues with a new key', async () => {
    const { service, blobs, connection } = await blobService();
    const { app, add, request, get, send, run } = await withApp(dialect);
    const { id } = await add({ type: 'blob_storage_connection_string', connection_string: connection() });
    await send(event('a'));
    service.refuses = { status: 403, headers: { 'x-ms-error-code': 'AuthenticationFailed' } };
    await run();
    expect(await get(id)).toMatchObject({
      state: 'Invalid',
      state_info: expect.stringContaining('AuthenticationFailed'),
    });
    expect((await request('PATCH', `/${id}`, { connection_string: connection('b2xk') })).status).toBe(400);
    const test = async () => (await request('POST', `/${id}/test`, {})).body;
    const tested_at = '2026-11-01T09:03:00.000Z';
    const reason = 'The storage account rejected the key: 403 AuthenticationFailed.';
    expect(await test()).toEqual({ succeeded: false, reason, tested_at, milliseconds: 0 });
    service.refuses = undefined;
    // A successful test changes nothing, and leaves no file.
    expect(await test()).toEqual({ succeeded: true, tested_at, milliseconds: 0 });
    expect([(await get(id)).state, blobs.size]).toEqual(['Invalid', 0]);
    // With another server key, the credentials of the store must be set again.
    await app.database.transaction((db) =>
      db.query((q) => q.updateTable('export_configurations').set({ secret: 'sealed with another key' })),
    );
    expect(await test()).toMatchObject({ succeeded: false, reason: expect.stringContaining('Set them again') });
    const enabled = await request('POST', `/${id}/enable`, {});
    expect([enabled.status, enabled.body.error.message]).toEqual([400, expect.stringContaining('Set them again')]);
    expect((await request('PATCH', `/${id}`, { format: 'parquet' })).body.error.message).toContain('connection_string');
    await send(event('b'));
    expect((await request('PATCH', `/${id}`, { connection_string: connection('bmV3') })).body.state).toBe('Enabled');
    await run();
    expect([...blobs.values()].flatMap(({ body }) => readEventNames(body)).sort()).toEqual(['a', 'b']);
    const recorded = await changes(app, 'export_configuration');
    expect(recorded.map(([action]) => String(action).split('.')[1])).toEqual([
      ...['create', 'fail', 'test', 'test', 'test', 'update'],
    ]);
    const tests = recorded.filter(([action]) => action === 'export_configuration.test').map(([, , , after]) => after);
    expect(tests).toEqual([false, true, false].map((succeeded) => ({ id, succeeded })));
  });

  test.each([503, 403])(
    'releases waiting data if its destination answers %s for longer than allowed',
    async (status) => {
      const { service, connection } = await blobService();
      const { app, add, get, send, run } = await withApp(dialect, { exportRetryDays: 2 });
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
    },
  );

  test('releases waiting data when disabled; when enabled, it starts with new data or with everything', async () => {
    const { app, add, request, get, send, run, files } = await withApp(dialect);
    const { id } = await add({ backfill: false });
    const all = () => Object.values(files()).flatMap(readEventNames);
    for (const time of [1, 2]) expect((await request('POST', `/${id}/disable`, {})).status, String(time)).toBe(200);
    await send(event('lost'));
    await run();
    expect((await request('POST', `/${id}/test`, {})).body.succeeded).toBe(true);
    expect([await get(id), files()]).toMatchObject([{ state: 'Disabled', waiting_batches: 0 }, {}]);
    expect((await request('POST', `/${id}/enable`, {})).status).toBe(200);
    await send(event('a'));
    await run();
    expect(all()).toEqual(['a']);
    await request('POST', `/${id}/disable`, {});
    await request('POST', `/${id}/enable`, { backfill: true });
    await run();
    expect(new Set(all())).toEqual(new Set(['lost', 'a']));
    expect((await request('DELETE', `/${id}`)).status).toBe(200);
    expect((await request('GET', `/${id}`)).status).toBe(404);
    expect(
      await app.database.query((q) => q.selectFrom('ingest_cursors').selectAll().where('consumer', 'like', 'reader:%')),
    ).toEqual([]);
  });

  test('is written once by two concurrent processes, without an error', { repeats: 8 }, async () => {
    const { app, add, ctx, get, send, files } = await withApp(dialect);
    const { id } = await add({});
    await send(event('a'));
    app.advance(3 * MINUTE);
    const other = systemCtx((await app.another()).deps);
    await Promise.all([writeExport(ctx, id), writeExport(other, id), writeExport(ctx, id)]);
    await writeExport(ctx, id);
    expect(Object.values(files()).flatMap(readEventNames)).toEqual(['a']);
    expect(await get(id)).toMatchObject({ state: 'Enabled', waiting_batches: 0 });
    expect(await get(id)).not.toHaveProperty('last_error');
  });

  test('releases waiting data when it is disabled while writing a file', async () => {
    const { app, add, request, ctx, send } = await withApp(dialect);
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const url = await startReceiver(() => ({ status: 200 }));
    const { id } = await add({ type: 'http', url, signing_secret: secret });
    await send(event('a'));
    const slow: typeof ctx.fetch = async (...parameters) => {
      await request('POST', `/${id}/disable`, {});
      return ctx.fetch(...parameters);
    };
    await writeExport({ ...ctx, fetch: slow }, id);
    const held = await app.database.query((q) =>
      q.selectFrom('ingest_cursors').selectAll().where('consumer', 'like', 'reader:%'),
    );
    expect(held).toEqual([]);
  });

  test.each([
    { what: 'disabled', before: 503, meanwhile: 403, state: 'Disabled', written: [] },
    { what: 'fixed', before: 403, meanwhile: undefined, state: 'Enabled', written: ['a'] },
  ])('stays $what if a failure is saved at the same time', async ({ what, before, meanwhile, state, written }) => {
    const { service, blobs, connection } = await blobService();
    const { app, add, request, ctx, get, send, run } = await withApp(dialect);
    const { id } = await add({ type: 'blob_storage_connection_string', connection_string: connection() });
    await send(event('a'));
    service.refuses = { status: before };
    await run();
    service.refuses = meanwhile === undefined ? undefined : { status: meanwhile };
    const change = () =>
      what === 'fixed'
        ? request('PATCH', `/${id}`, { connection_string: connection('bmV3') })
        : request('POST', `/${id}/disable`, {});
    const [answer] = await atOnce<unknown>(app, [change, () => writeExport(ctx, id)]);
    expect(answer).toMatchObject({ status: 200 });
    expect(await get(id)).toMatchObject({ state });
    await run();
    expect([...blobs.values()].flatMap(({ body }) => readEventNames(body))).toEqual(written);
  });

  test('does not affect others while idle, and the largest lag is reported', async () => {
    const { service, connection } = await blobService();
    const { app, add, request, ctx, get, ref, run, send } = await withApp(dialect);
    const lag = () => exportGauges[0]?.read(ctx, ref.id);
    expect(await lag()).toEqual({ unknown: 'This app has no enabled export.' });
    const { id: disabled } = await add({ folder: 'disabled' });
    await request('POST', `/${disabled}/disable`, {});
    expect(await lag()).toEqual({ unknown: 'This app has no enabled export.' });
    await add({ folder: 'well' });
    expect(await lag()).toEqual({ value: 0, subject: 'file' });
    const type = 'blob_storage_connection_string';
    const { id: failing } = await add({ type, connection_string: connection() });
    await send(event('a'));
    service.refuses = { status: 503 };
    await run();
    // Without new data, only the failing export has work.
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

  test('is deleted with its app', async () => {
    const { app, add, token } = await withApp(dialect);
    await add({});
    expect((await app.call('DELETE', '/v0.1/apps/ada/buoy', { token })).statusCode).toBe(204);
    expect(await app.database.query((q) => q.selectFrom('export_configurations').selectAll())).toEqual([]);
  });
});
