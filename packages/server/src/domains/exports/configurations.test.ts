import { expect, test } from 'vitest';
import { blobService, blobsAt, withApp } from '../../../test/harness/exports.ts';
import { atOnce } from '../../../test/harness/races.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';

eachDatabase('export configurations', (dialect) => {
  test('are hidden from viewers, strangers and other apps', async () => {
    const { app, ada, ref, add, request } = await withApp(dialect);
    const { id } = await add({});
    const eve = await app.addUser('eve');
    const viewer = await app.addUser('viewer');
    await app.addMember(ref, viewer, 'viewer');
    await app.addApp(eve, 'buoy');
    const readOnly = await app.userToken(ada, { scope: ['viewer'] });
    const ofViewer = await app.userToken(viewer);
    const ofEve = await app.userToken(eve);
    for (const token of [readOnly, ofViewer]) {
      expect((await request('GET', '', undefined, token)).body.total).toBe(1);
      expect((await request('POST', '', { type: 'file' }, token)).status).toBe(403);
      for (const [method, rest] of [
        ['PATCH', ''],
        ['DELETE', ''],
        ['POST', '/enable'],
        ['POST', '/disable'],
        ['POST', '/test'],
      ] as const) {
        expect((await request(method, `/${id}${rest}`, {}, token)).status, `${method} ${rest}`).toBe(403);
      }
    }
    expect((await request('GET', '', undefined, ofEve)).status).toBe(404);
    const elsewhere = await app.call('GET', `/v0.1/apps/eve/buoy/export_configurations/${id}`, { token: ofEve });
    expect(elsewhere.statusCode).toBe(404);
    const tested = `/v0.1/apps/eve/buoy/export_configurations/${id}/test`;
    expect((await app.call('POST', tested, { token: ofEve, body: {} })).statusCode).toBe(404);
  });

  test('never show secrets in responses, audit events or rows', async () => {
    const { connection } = await blobService();
    const { app, add, request } = await withApp(dialect);
    const key = Buffer.from('a very secret key').toString('base64');
    const { id } = await add({ type: 'blob_storage_connection_string', connection_string: connection(key) });
    const seen = [
      (await request('GET')).body,
      (await request('PATCH', `/${id}`, { export_entities: ['crashes'] })).body,
      await app.database.query((q) => q.selectFrom('export_configurations').selectAll()),
      await app.database.query((q) => q.selectFrom('audit_events').selectAll()),
      await app.logged(),
    ];
    expect(JSON.stringify(seen)).not.toContain(key);
    expect(seen[1]).toMatchObject({ export_entities: ['crashes'], export_type: 'BlobStorage' });
  });

  test('are rejected with a message if a setting is missing or invalid', async () => {
    const { request } = await withApp(dialect);
    for (const [body, message] of [
      [{ type: 'blob_storage_linked_subscription', subscription_id: 'x' }, 'blob_storage_connection_string'],
      [{ type: 'application_insights_linked_subscription', subscription_id: 'x' }, 's3, file, http or postgres'],
      [{ type: 'blob_storage_connection_string' }, 'requires connection_string'],
      [{ type: 'blob_storage_connection_string', connection_string: 'UseDevelopmentStorage=true' }, 'AccountName'],
      [
        { type: 'blob_storage_connection_string', connection_string: blobsAt('ftp://127.0.0.1/x') },
        'no https:// address',
      ],
      [{ type: 'blob_storage_connection_string', connection_string: blobsAt('nowhere') }, 'no https:// address'],
      [{ type: 'application_insights_instrumentation_key', instrumentation_key: 'x' }, 'InstrumentationKey='],
      [{ type: 's3', bucket: 'bay' }, 'requires access_key_id'],
      [{ type: 'http', url: 'ftp://x', signing_secret: 'whsec_' }, 'https://'],
      [{ type: 'http', url: 'https://x', signing_secret: 'whsec_' }, '24 to 64 bytes'],
      [{ type: 'file', folder: '../other' }, 'folder'],
      [{ type: 'file', folder: '/etc' }, 'folder'],
      [{ type: 'carrier_pigeon' }, 'type'],
    ] as const) {
      const refused = await request('POST', '', body);
      expect([body, refused.status, refused.body.error?.message]).toEqual([
        body,
        400,
        expect.stringContaining(message),
      ]);
    }
    expect((await request('GET')).body.total).toBe(0);
  });

  test('are rejected for destinations that are not writable, on private networks, or outside of the export folder', async () => {
    const { url } = await blobService();
    const { request } = await withApp(dialect, { outboundAllow: [], exportFolder: 'off' });
    const connection_string = `AccountName=harbour;AccountKey=a2V5;BlobEndpoint=${url}`;
    const guarded = await request('POST', '', { type: 'blob_storage_connection_string', connection_string });
    expect(guarded.body.error.message).toContain('MOORING_OUTBOUND_ALLOW');
    const off = await request('POST', '', { type: 'file' });
    expect([off.status, off.body.error.message]).toEqual([400, expect.stringContaining('MOORING_EXPORT_FOLDER')]);
  });

  test('keep their type, require encryption, and need the key again for another endpoint', async () => {
    const { add, request } = await withApp(dialect);
    const { id } = await add({});
    const inTheClear = { type: 'http', url: 'http://hooks.example.com', signing_secret: `whsec_${'A'.repeat(43)}=` };
    expect((await request('POST', '', inTheClear)).body.error.message).toContain('https://');
    expect((await request('PATCH', `/${id}`, { type: 's3' })).body.error.message).toContain('file');
    expect((await request('PATCH', `/${id}`, { endpoint: 'https://evil.example.com' })).status).toBe(400);
  });

  test('are limited to twenty per app, also if the last ones are created at the same time', async () => {
    const { app, add, request } = await withApp(dialect);
    for (let n = 0; n < 19; n += 1) await add({ folder: `f${n}` });
    const make = (folder: string) => async () => (await request('POST', '', { type: 'file', folder })).status;
    expect(await atOnce(app, [make('one'), make('other')])).toEqual([202, 409]);
  });
});
