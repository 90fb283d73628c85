import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { crash, crashApp } from '../../../../../test/harness/crashes.ts';
import { eachDatabase } from '../../../../../test/harness/services/databases.ts';

const map = 'org.example.shop.Cart -> a.b:\n    88:88:void pay():88:88 -> c\n';

eachDatabase('reports and symbols', (dialect) => {
  test('names the missing symbols of a report, symbolicates it when they arrive, and keeps state and note of its group', async () => {
    const { app, token, url, send, get, call } = await crashApp(dialect);
    const log = crash();
    const frames = [{ className: 'a.b', methodName: 'c', fileName: 'SourceFile', lineNumber: 88 }];
    await send(randomUUID(), { ...log, exception: { ...log.exception, frames } });
    const [group] = (await get('crash_groups')).crash_groups;
    const at = `crash_groups/${group.crash_group_id}`;
    await call('PATCH', at, { body: { annotation: 'who is a.b?' } });
    const [missing] = (await get(`${at}/stacktrace`)).missing_symbols;
    expect(missing).toMatchObject({
      reason: 'missing',
      command: expect.stringMatching(/^mooring symbols upload \S+ mapping\.txt/),
    });
    const body = { symbol_type: 'AndroidProguard', file_name: 'mapping.txt', version: '1.4.0', build: '140' };
    const begun = (await call('POST', 'symbol_uploads', { body })).json();
    const { pathname, search } = new URL(begun.upload_url);
    const headers = { 'x-ms-blob-type': 'BlockBlob', 'content-type': 'application/octet-stream' };
    const put = await app.call('PUT', pathname + search, { headers, body: Buffer.from(map) });
    expect([put.statusCode, put.statusCode < 300 ? '' : put.body]).toEqual([
      put.statusCode < 300 ? put.statusCode : 201,
      '',
    ]);
    const done = { status: 'committed' };
    await app.call('PATCH', url(`symbol_uploads/${begun.symbol_upload_id}`), { token, body: done });
    await app.runJobs();
    const [named, ...others] = (await get('crash_groups')).crash_groups;
    expect(others).toEqual([]);
    expect(named).toMatchObject({
      count: 1,
      annotation: 'who is a.b?',
      reason_frame: { class_name: 'org.example.shop.Cart', method: 'pay' },
    });
    expect((await get(at)).crash_group_id).toBe(named.crash_group_id);
    expect((await get(`${at}/stacktrace`)).missing_symbols).toEqual([]);
  }, 60_000);
});
