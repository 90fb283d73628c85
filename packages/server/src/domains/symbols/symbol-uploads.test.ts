import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { createZip } from '../../../../../test-support/zip.ts';
import { type TestApp, testApp } from '../../../test/harness/app.ts';
import { elf, machO } from '../../../test/harness/images.ts';
import { atOnce } from '../../../test/harness/races.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import { sendFile, sendSymbols, uploadSymbols } from '../../../test/harness/symbols.ts';
import { systemCtx } from '../../context.ts';
import { DAY } from '../../kernel/clock.ts';
import { symbolMeasures } from './measures.ts';
import { countReportsWaitingFor, listReportsWaitingFor, needSymbols } from './missing-symbols.ts';
import { localFile, symbolsFolder } from './symbol-files.ts';
import { tidySymbols } from './symbol-uploads.ts';

const path = '/v0.1/apps/ada/shop';
const uuid = '8b0d1a5b3c6e3f0c9a7d1e2f3a4b5c6d';
const dsym = (id = uuid) =>
  createZip({ name: 'Shop.app.dSYM/Contents/Resources/DWARF/Shop', content: machO({ uuid: id }) });

async function createFixtures(app: TestApp) {
  const ada = await app.addUser('ada');
  const { id: appId } = await app.addApp(ada, 'shop');
  const token = await app.userToken(ada);
  const call = (method: string, url: string, body?: object) =>
    app.call(method as 'GET', `${path}${url}`, { token, ...(body ? { body } : {}) });
  const upload = async (symbol_type: string, content: Buffer | string, more: object = {}) => {
    const id = await uploadSymbols(app, { token, path, symbol_type, ...more }, content);
    await app.runJobs();
    return (await call('GET', `/symbol_uploads/${id}`)).json();
  };
  const blobs = async () => Array.fromAsync(app.deps.blobs.list());
  return { ada, appId, token, call, upload, blobs, ctx: systemCtx(app.deps) };
}

eachDatabase('symbol uploads', (dialect) => {
  test('creates, uploads, commits and indexes an upload, then shows its content and uploader', async () => {
    const app = await testApp(dialect);
    const { call, token, appId } = await createFixtures(app);
    const created = (await call('POST', '/symbol_uploads', { symbol_type: 'Apple', client_callback: 'x' })).json();
    expect(created).toEqual({
      symbol_upload_id: expect.any(String),
      upload_url: expect.stringMatching(new RegExp(`/upload/${created.symbol_upload_id}[?]token=`)),
      expiration_date: expect.any(String),
    });
    await sendFile(app, created.upload_url, dsym());
    const url = `/symbol_uploads/${created.symbol_upload_id}`;
    const committed = await call('PATCH', url, { status: 'committed' });
    expect([committed.statusCode, committed.json().status]).toEqual([200, 'indexed']);
    await app.runJobs();
    const indexed = {
      symbol_upload_id: created.symbol_upload_id,
      app_id: appId,
      status: 'indexed',
      symbol_type: 'Apple',
      user: { email: 'ada@example.com', display_name: 'ada' },
      symbols_uploaded: [{ symbol_id: uuid, platform: 'arm64', name: 'Shop' }],
      origin: 'User',
      file_name: 'symbols.zip',
      file_size: dsym().length,
      timestamp: expect.any(String),
    };
    expect((await call('GET', url)).json()).toEqual(indexed);
    // Clients repeat requests without a response.
    expect((await call('PATCH', url, { status: 'committed' })).json()).toEqual(indexed);
    expect((await call('GET', '/symbol_uploads?status=processed&symbol_type=Apple')).json()).toEqual([indexed]);
    expect((await call('GET', '/symbol_uploads?status=uploaded')).json()).toEqual([]);
    expect((await call('GET', '/symbols')).json()).toMatchObject([
      { symbol_id: uuid, type: 'Apple', platform: 'arm64', status: 'available', name: 'Shop', has_lines: true },
    ]);
    expect((await call('GET', `/symbols/${uuid}/status`)).json()).toMatchObject({ status: 'available' });
    const { uri } = (await call('GET', `/symbols/${uuid}/location`)).json();
    expect(uri).toMatch(/\/files\/.+\/Shop$/);
    const { uri: whole } = (await call('GET', `${url}/location`)).json();
    expect(whole).toMatch(/\/files\/.+\/symbols\.zip$/);
    // The temporary folder is removed.
    const folder = symbolsFolder(app.deps.config);
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
    expect(token).toBeTruthy();
  });

  test('indexes a small file with its commit, which is refused with the reason, also when repeated', async () => {
    const app = await testApp(dialect);
    const { call, token } = await createFixtures(app);
    const id = await sendSymbols(
      app,
      { token, path, symbol_type: 'Apple' },
      createZip({ name: 'a.txt', content: 'x' }),
    );
    for (const _ of ['first', 'again']) {
      const response = await call('PATCH', `/symbol_uploads/${id}`, { status: 'committed' });
      expect([response.statusCode, response.json().error.message]).toEqual([
        409,
        expect.stringMatching(/^symbols[.]zip was rejected: .+/),
      ]);
    }
    const { status, note } = (await call('GET', `/symbol_uploads/${id}`)).json();
    expect([status, note]).toEqual(['failed', expect.stringMatching(/./)]);
  });

  test('a job indexes a large file, and its status shows a rejection', async () => {
    const app = await testApp(dialect);
    const { call, token } = await createFixtures(app);
    const id = await sendSymbols(app, { token, path, symbol_type: 'Apple' }, Buffer.alloc(16 * 2 ** 20 + 1));
    const response = await call('PATCH', `/symbol_uploads/${id}`, { status: 'committed' });
    expect([response.statusCode, response.json().status]).toEqual([200, 'committed']);
    await app.runJobs();
    expect((await call('GET', `/symbol_uploads/${id}`)).json()).toMatchObject({ status: 'failed' });
  });

  test('a job indexes a file that the commit cannot index in time', async () => {
    const app = await testApp(dialect);
    const { call, token } = await createFixtures(app);
    const id = await sendSymbols(app, { token, path, symbol_type: 'Apple' }, dsym());
    const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
    const response = await call('PATCH', `/symbol_uploads/${id}`, { status: 'committed' });
    limit.mockRestore();
    expect([response.statusCode, response.json().status]).toEqual([200, 'processing']);
    await app.runJobs();
    expect((await call('GET', `/symbol_uploads/${id}`)).json()).toMatchObject({ status: 'indexed' });
  });

  test('rejects unusable files with a clear message, and lists unusable parts', async () => {
    const app = await testApp(dialect);
    const { upload } = await createFixtures(app);
    expect(await upload('Apple', createZip({ name: 'a.txt', content: 'x' }))).toMatchObject({
      status: 'failed',
      note: 'The file contains no symbols of type Apple. Send a zip of .dSYM folders.',
    });
    expect(await upload('Breakpad', createZip({ name: '../a.sym', content: 'MODULE ' }))).toMatchObject({
      status: 'failed',
      note: expect.stringMatching(/^Invalid archive: invalid relative path/),
    });
    expect(
      await upload(
        'Breakpad',
        createZip({ name: 'a.so', content: elf({ buildId: uuid }) }, { name: 'b.so', content: elf({}) }),
      ),
    ).toMatchObject({ status: 'indexed', note: expect.stringMatching(/^b\.so: The file has no build ID/) });
  });

  test('a missing file cannot be committed, a committed upload cannot be aborted, and vice versa', async () => {
    const app = await testApp(dialect);
    const { call, upload } = await createFixtures(app);
    const { symbol_upload_id } = (await call('POST', '/symbol_uploads', { symbol_type: 'Apple' })).json();
    const url = `/symbol_uploads/${symbol_upload_id}`;
    const early = await call('PATCH', url, { status: 'committed' });
    expect([early.statusCode, early.json().error.message]).toEqual([
      400,
      'The upload is not finished: parts of the file are missing. Send them first.',
    ]);
    expect((await call('PATCH', url, { status: 'aborted' })).json().status).toBe('aborted');
    expect((await call('PATCH', url, { status: 'aborted' })).statusCode).toBe(200);
    expect((await call('PATCH', url, { status: 'committed' })).statusCode).toBe(409);
    const done = await upload('Apple', dsym());
    expect((await call('PATCH', `/symbol_uploads/${done.symbol_upload_id}`, { status: 'aborted' })).statusCode).toBe(
      409,
    );
  });

  test.each([
    ['committed', 'aborted', 'indexed'],
    ['aborted', 'committed', 'aborted'],
  ])('an upload that is concurrently %s and %s gets the state of the first', async (first, second, last) => {
    const app = await testApp(dialect);
    const { call, token } = await createFixtures(app);
    const id = await sendSymbols(app, { token, path, symbol_type: 'Apple' }, dsym());
    const become = (status: string) => () => call('PATCH', `/symbol_uploads/${id}`, { status });
    const responses = await atOnce(app, [become(first), become(second)]);
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 409]);
    expect((await call('GET', `/symbol_uploads/${id}`)).json().status).toBe(last);
  });

  test('a mapping needs the version and build that it belongs to', async () => {
    const app = await testApp(dialect);
    const { call, upload } = await createFixtures(app);
    const refused = await call('POST', '/symbol_uploads', { symbol_type: 'AndroidProguard', version: '1.4' });
    expect([refused.statusCode, refused.json().error.message]).toEqual([
      400,
      expect.stringMatching(/^A mapping belongs to one version and build/),
    ]);
    expect(await upload('AndroidProguard', 'a.b -> c:\n', { version: '1.4', build: '140' })).toMatchObject({
      status: 'indexed',
      version: '1.4',
      build: '140',
      file_name: 'mapping.txt',
    });
  });

  test('uploading symbols again replaces them; deleting an upload deletes its files', async () => {
    const app = await testApp(dialect);
    const { call, upload, blobs } = await createFixtures(app);
    const first = await upload('Apple', dsym());
    const second = await upload('Apple', dsym());
    expect((await call('GET', '/symbols')).json()).toMatchObject([{ symbol_upload_id: second.symbol_upload_id }]);
    expect((await blobs()).filter((key) => key.startsWith('symbols/'))).toEqual([
      `symbols/${second.symbol_upload_id}/0.zst`,
    ]);
    for (const { symbol_upload_id } of [first, second]) {
      const deleted = await call('DELETE', `/symbol_uploads/${symbol_upload_id}`);
      expect([deleted.statusCode, deleted.json().symbol_upload_id]).toEqual([200, symbol_upload_id]);
    }
    await app.runJobs();
    expect([await blobs(), (await call('GET', '/symbols')).json()]).toEqual([[], []]);
    expect((await call('DELETE', `/symbol_uploads/${first.symbol_upload_id}`)).statusCode).toBe(404);
  });

  test('uploads of one app do not exist for another', async () => {
    const app = await testApp(dialect);
    const { upload, call, ada, token } = await createFixtures(app);
    await app.addApp(ada, 'other');
    const { symbol_upload_id } = await upload('Apple', dsym());
    for (const [method, url] of [
      ['GET', `/symbol_uploads/${symbol_upload_id}`],
      ['GET', `/symbol_uploads/${symbol_upload_id}/location`],
      ['DELETE', `/symbol_uploads/${symbol_upload_id}`],
      ['GET', `/symbols/${uuid}`],
      ['GET', `/symbols/${uuid}/location`],
      ['POST', `/symbols/${uuid}/ignore`],
    ] as const) {
      const response = await app.call(method, `/v0.1/apps/ada/other${url}`, {
        token,
        ...(method === 'POST' ? { body: {} } : {}),
      });
      expect([url, response.statusCode]).toEqual([url, 404]);
    }
    expect((await call('GET', `/symbols/${uuid}`)).statusCode).toBe(200);
  });

  test('a viewer sees symbols and changes nothing', async () => {
    const app = await testApp(dialect);
    const { upload, ada } = await createFixtures(app);
    const { symbol_upload_id } = await upload('Apple', dsym());
    const viewer = await app.userToken(ada, { scope: ['viewer'] });
    const status = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: object) =>
      (await app.call(method, `${path}${url}`, { token: viewer, ...(body ? { body } : {}) })).statusCode;
    expect(await status('GET', `/symbol_uploads/${symbol_upload_id}`)).toBe(200);
    expect([
      await status('POST', '/symbol_uploads', { symbol_type: 'Apple' }),
      await status('PATCH', `/symbol_uploads/${symbol_upload_id}`, { status: 'aborted' }),
      await status('DELETE', `/symbol_uploads/${symbol_upload_id}`),
      await status('POST', `/symbols/${uuid}/ignore`, {}),
      await status('DELETE', `/symbols/${uuid}/ignore`),
    ]).toEqual([403, 403, 403, 403, 403]);
  });

  const requested = { id: uuid, name: 'Shop', type: 'Apple', arch: 'arm64' } as const;
  const other = { id: 'ff'.repeat(16), name: 'Kit', type: 'Apple', arch: 'arm64' } as const;

  test('counts waiting reports by version and build, once each, until they are complete', async () => {
    const app = await testApp(dialect);
    const { ctx, appId, call } = await createFixtures(app);
    const report = (id: string, build = '140', isError = false) => ({ appId, id, version: '1.4', build, isError });
    await needSymbols(ctx, report('a'), [requested, other]);
    await needSymbols(ctx, report('a'), [requested, other]);
    await needSymbols(ctx, report('b'), [requested]);
    await needSymbols(ctx, report('c', '141', true), [requested]);
    const groups = (await call('GET', '/diagnostics/symbol_groups?top=2147483647')).json();
    expect(groups.total_crash_count).toBe(2);
    expect(groups.groups).toMatchObject([
      { app_ver: '1.4', app_build: expect.any(String), status: 'active' },
      { app_ver: '1.4', app_build: expect.any(String), status: 'active' },
    ]);
    const of = (build: string) => groups.groups.find(({ app_build }: { app_build: string }) => app_build === build);
    expect([of('140').crash_count, of('140').error_count, of('141').crash_count, of('141').error_count]).toEqual([
      2, 0, 0, 1,
    ]);
    expect(
      of('140').missing_symbols.map(({ symbol_id, status }: Record<string, string>) => [symbol_id, status]),
    ).toEqual([
      [uuid, 'missing'],
      [other.id, 'missing'],
    ]);
    expect(await listReportsWaitingFor(ctx, appId, [uuid], { limit: 2 })).toEqual(['a', 'b']);
    expect(await listReportsWaitingFor(ctx, appId, [uuid], { after: 'b' })).toEqual(['c']);
    expect(await countReportsWaitingFor(ctx, appId, [uuid, other.id])).toBe(3);
    await needSymbols(ctx, report('a'), []);
    const { symbol_group_id } = of('140');
    expect((await call('GET', `/diagnostics/symbol_groups/${symbol_group_id}`)).json()).toMatchObject({
      total_crash_count: 1,
      groups: [{ crash_count: 1 }],
    });
    expect((await call('GET', '/diagnostics/symbol_groups_info')).json()).toEqual({ total_crash_count: 1 });
    expect((await call('GET', '/diagnostics/symbol_groups/none')).statusCode).toBe(404);
  });

  test('missing symbols can be ignored and unignored; both are audited', async () => {
    const app = await testApp(dialect);
    const { ctx, appId, call, upload } = await createFixtures(app);
    await needSymbols(ctx, { appId, id: 'a', version: '1', build: '2', isError: false }, [requested]);
    const status = async () => (await call('GET', `/symbols/${uuid}/status`)).json().status;
    expect(await status()).toBe('missing');
    expect((await call('GET', `/symbols/${uuid}`)).statusCode).toBe(404);
    expect((await call('POST', `/symbols/${uuid}/ignore`, {})).json()).toMatchObject({
      status: 'ignored',
      name: 'Shop',
    });
    expect(await status()).toBe('ignored');
    const { groups } = (await call('GET', '/diagnostics/symbol_groups?top=1')).json();
    expect(groups[0]).toMatchObject({ status: 'pending', missing_symbols: [{ status: 'ignored' }] });
    expect((await call('DELETE', `/symbols/${uuid}/ignore`)).statusCode).toBe(200);
    expect(await status()).toBe('missing');
    await upload('Apple', dsym());
    expect(await status()).toBe('available');
    expect((await call('POST', '/symbols/nothing/ignore', {})).statusCode).toBe(404);
    const actions = await app.database.query((q) =>
      q.selectFrom('audit_events').select('action').where('action', 'like', 'symbol%').orderBy('id'),
    );
    expect(actions.map(({ action }) => action)).toEqual([
      'symbol.ignore',
      'symbol.unignore',
      'symbol_upload.create',
      'symbol_upload.commit',
    ]);
  });

  test('deletes unused symbols after the configured period and those of a deleted app', async () => {
    const app = await testApp(dialect, { symbolsDays: 30 });
    const { ctx, upload, call, blobs, appId, token } = await createFixtures(app);
    await upload('Apple', dsym());
    await needSymbols(ctx, { appId, id: 'a', version: '1', build: '2', isError: false }, [requested]);
    await tidySymbols(ctx);
    expect((await call('GET', '/symbols')).json()).toHaveLength(1);
    app.advance(31 * DAY);
    await tidySymbols(ctx);
    expect((await call('GET', '/symbols')).json()).toEqual([]);
    await upload('Apple', dsym());
    expect((await app.call('DELETE', path, { token })).statusCode).toBe(204);
    await tidySymbols(ctx);
    await app.runJobs();
    expect(await blobs()).toEqual([]);
    for (const table of ['symbols', 'symbol_uploads', 'symbol_needs', 'missing_symbols', 'symbol_groups'] as const) {
      expect(await app.database.query((q) => q.selectFrom(table).selectAll())).toEqual([]);
    }
  });

  test('stores symbols compressed, counts their original size, and returns the original file', async () => {
    const app = await testApp(dialect);
    const { call, upload, blobs, appId, ctx } = await createFixtures(app);
    const content = `MODULE Linux arm64 ${uuid.toUpperCase()}0 libshop.so\n${'FUNC 0 10 0 pay\n'.repeat(20_000)}`;
    const { file_size } = await upload('Breakpad', createZip({ name: 'a.sym', content }));
    const [key = '', ...others] = (await blobs()).filter((one) => one.endsWith('.zst'));
    expect(others).toEqual([]);
    expect((await app.deps.blobs.stat(key))?.size).toBeLessThan(content.length / 10);
    const sums = await Promise.all(symbolMeasures.map(({ count }) => count(ctx, [appId], { from: 0, until: 0 })));
    expect(sums.flatMap((one) => [...one.values()]).toSorted((a, b) => a - b)).toEqual([file_size, content.length]);
    const [{ symbol_id }] = (await call('GET', '/symbols')).json();
    const { uri } = (await call('GET', `/symbols/${symbol_id}/location`)).json();
    const { pathname } = new URL(uri);
    const downloaded = await app.call('GET', pathname, { headers: { range: 'bytes=5-' } });
    expect([downloaded.statusCode, downloaded.body === content]).toEqual([200, true]);
    expect((await app.call('HEAD' as 'GET', pathname)).statusCode).toBe(200);
    const local = await localFile(ctx, key);
    expect(readFileSync(local ?? '', 'utf8')).toBe(content);
    // Deleted together with the app, including local copies.
    await call('DELETE', '');
    await tidySymbols(ctx);
    await app.runJobs();
    expect(await blobs()).toEqual([]);
    expect(existsSync(local ?? '')).toBe(false);
  });

  test('refuses symbols that expand beyond the quota or the free disk space, with the reason', async () => {
    const app = await testApp(dialect);
    const { upload, blobs } = await createFixtures(app);
    const admin = await app.userToken(await app.addUser('root', { isAdmin: true }));
    const setQuotas = (body: object) => app.call('PUT', '/v0.1/admin/quotas/ada', { token: admin, body });
    const content = `MODULE Linux arm64 ${uuid.toUpperCase()}0 libshop.so\n${'FUNC 0 10 0 pay\n'.repeat(20_000)}`;
    const archive = createZip({ name: 'a.sym', content });
    expect((await setQuotas({ storage_bytes: content.length })).statusCode).toBe(200);
    expect(await upload('Breakpad', archive)).toMatchObject({
      status: 'failed',
      note: expect.stringMatching(/^The symbols in this upload are too large[.] The quota of ada has \d+ bytes left/),
    });
    await setQuotas({});
    vi.spyOn(app.deps.blobs, 'free').mockResolvedValue(app.deps.config.diskReserveMb * 2 ** 20 + 100_000);
    expect(await upload('Breakpad', archive)).toMatchObject({
      status: 'failed',
      note: expect.stringContaining('The disk of this server is too full for them.'),
    });
    expect((await blobs()).filter((one) => one.endsWith('.zst'))).toEqual([]);
  });
});
