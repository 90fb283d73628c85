import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { zipOf } from '../../../../../tools/zip.ts';
import { type TestApp, testApp } from '../../../test/harness/app.ts';
import { eachDatabase } from '../../../test/harness/databases.ts';
import { elf, machO } from '../../../test/harness/images.ts';
import { atOnce } from '../../../test/harness/races.ts';
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
  zipOf({ name: 'Shop.app.dSYM/Contents/Resources/DWARF/Shop', content: machO({ uuid: id }) });

async function world(app: TestApp) {
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
  test('an upload is begun, sent, committed and looked through, and tells what was in it and who sent it', async () => {
    const app = await testApp(dialect);
    const { call, token, appId } = await world(app);
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
    // Clients repeat what they are not sure of.
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
    // Nothing is left in the place where it was looked through.
    const folder = symbolsFolder(app.deps.config);
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
    expect(token).toBeTruthy();
  });

  test('a small file is read with its commit, which is refused with the reason, also when it is repeated', async () => {
    const app = await testApp(dialect);
    const { call, token } = await world(app);
    const id = await sendSymbols(app, { token, path, symbol_type: 'Apple' }, zipOf({ name: 'a.txt', content: 'x' }));
    for (const _ of ['first', 'again']) {
      const answer = await call('PATCH', `/symbol_uploads/${id}`, { status: 'committed' });
      expect([answer.statusCode, answer.json().error.message]).toEqual([
        409,
        expect.stringMatching(/^symbols[.]zip was refused: .+/),
      ]);
    }
    const { status, note } = (await call('GET', `/symbol_uploads/${id}`)).json();
    expect([status, note]).toEqual(['failed', expect.stringMatching(/./)]);
  });

  test('a large file is read by a job, and its state says that it was refused', async () => {
    const app = await testApp(dialect);
    const { call, token } = await world(app);
    const id = await sendSymbols(app, { token, path, symbol_type: 'Apple' }, Buffer.alloc(16 * 2 ** 20 + 1));
    const answer = await call('PATCH', `/symbol_uploads/${id}`, { status: 'committed' });
    expect([answer.statusCode, answer.json().status]).toEqual([200, 'committed']);
    await app.runJobs();
    expect((await call('GET', `/symbol_uploads/${id}`)).json()).toMatchObject({ status: 'failed' });
  });

  test('a file that the commit cannot read in time is read by a job', async () => {
    const app = await testApp(dialect);
    const { call, token } = await world(app);
    const id = await sendSymbols(app, { token, path, symbol_type: 'Apple' }, dsym());
    const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
    const answer = await call('PATCH', `/symbol_uploads/${id}`, { status: 'committed' });
    limit.mockRestore();
    expect([answer.statusCode, answer.json().status]).toEqual([200, 'processing']);
    await app.runJobs();
    expect((await call('GET', `/symbol_uploads/${id}`)).json()).toMatchObject({ status: 'indexed' });
  });

  test('what cannot be used is refused with words, and parts of it are named', async () => {
    const app = await testApp(dialect);
    const { upload } = await world(app);
    expect(await upload('Apple', zipOf({ name: 'a.txt', content: 'x' }))).toMatchObject({
      status: 'failed',
      note: 'It holds no symbols of the type Apple: send a zip of .dSYM folders.',
    });
    expect(await upload('Breakpad', zipOf({ name: '../a.sym', content: 'MODULE ' }))).toMatchObject({
      status: 'failed',
      note: expect.stringMatching(/^The archive cannot be read: invalid relative path/),
    });
    expect(
      await upload(
        'Breakpad',
        zipOf({ name: 'a.so', content: elf({ buildId: uuid }) }, { name: 'b.so', content: elf({}) }),
      ),
    ).toMatchObject({ status: 'indexed', note: expect.stringMatching(/^b\.so: It has no build id/) });
  });

  test('what was not sent cannot be committed; what is committed cannot be aborted; and the other way round', async () => {
    const app = await testApp(dialect);
    const { call, upload } = await world(app);
    const { symbol_upload_id } = (await call('POST', '/symbol_uploads', { symbol_type: 'Apple' })).json();
    const url = `/symbol_uploads/${symbol_upload_id}`;
    const early = await call('PATCH', url, { status: 'committed' });
    expect([early.statusCode, early.json().error.message]).toEqual([
      400,
      'The upload is not finished: not all of the file has arrived.',
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
  ])('an upload that is %s and %s at once is what came first', async (first, second, last) => {
    const app = await testApp(dialect);
    const { call, token } = await world(app);
    const id = await sendSymbols(app, { token, path, symbol_type: 'Apple' }, dsym());
    const become = (status: string) => () => call('PATCH', `/symbol_uploads/${id}`, { status });
    const answers = await atOnce(app, [become(first), become(second)]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 409]);
    expect((await call('GET', `/symbol_uploads/${id}`)).json().status).toBe(last);
  });

  test('a mapping needs the version and build that it belongs to', async () => {
    const app = await testApp(dialect);
    const { call, upload } = await world(app);
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

  test('the same symbols sent again take the place of the first; a deleted upload takes its files along', async () => {
    const app = await testApp(dialect);
    const { call, upload, blobs } = await world(app);
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

  test('uploads of one app are not there for another', async () => {
    const app = await testApp(dialect);
    const { upload, call, ada, token } = await world(app);
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
      const answer = await app.call(method, `/v0.1/apps/ada/other${url}`, {
        token,
        ...(method === 'POST' ? { body: {} } : {}),
      });
      expect([url, answer.statusCode]).toEqual([url, 404]);
    }
    expect((await call('GET', `/symbols/${uuid}`)).statusCode).toBe(200);
  });

  test('a viewer sees symbols and changes nothing', async () => {
    const app = await testApp(dialect);
    const { upload, ada } = await world(app);
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

  const wanted = { id: uuid, name: 'Shop', type: 'Apple', arch: 'arm64' } as const;
  const other = { id: 'ff'.repeat(16), name: 'Kit', type: 'Apple', arch: 'arm64' } as const;

  test('reports that wait are counted by version and build, once each, until they wait no more', async () => {
    const app = await testApp(dialect);
    const { ctx, appId, call } = await world(app);
    const report = (id: string, build = '140', isError = false) => ({ appId, id, version: '1.4', build, isError });
    await needSymbols(ctx, report('a'), [wanted, other]);
    await needSymbols(ctx, report('a'), [wanted, other]);
    await needSymbols(ctx, report('b'), [wanted]);
    await needSymbols(ctx, report('c', '141', true), [wanted]);
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

  test('missing symbols can be ignored, and wanted again; both are recorded', async () => {
    const app = await testApp(dialect);
    const { ctx, appId, call, upload } = await world(app);
    await needSymbols(ctx, { appId, id: 'a', version: '1', build: '2', isError: false }, [wanted]);
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

  test('symbols go when nobody needed them for as long as the setting says, and those of an app go with it', async () => {
    const app = await testApp(dialect, { symbolsDays: 30 });
    const { ctx, upload, call, blobs, appId, token } = await world(app);
    await upload('Apple', dsym());
    await needSymbols(ctx, { appId, id: 'a', version: '1', build: '2', isError: false }, [wanted]);
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

  test('symbols are kept compressed, count as large as they are, and are downloaded as they were', async () => {
    const app = await testApp(dialect);
    const { call, upload, blobs, appId, ctx } = await world(app);
    const content = `MODULE Linux arm64 ${uuid.toUpperCase()}0 libshop.so\n${'FUNC 0 10 0 pay\n'.repeat(20_000)}`;
    const { file_size } = await upload('Breakpad', zipOf({ name: 'a.sym', content }));
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
    // Deleted with its app, here too.
    await call('DELETE', '');
    await tidySymbols(ctx);
    await app.runJobs();
    expect(await blobs()).toEqual([]);
    expect(existsSync(local ?? '')).toBe(false);
  });

  test('symbols that inflate to more than the quota or the disk has room for are refused with the reason', async () => {
    const app = await testApp(dialect);
    const { upload, blobs } = await world(app);
    const admin = await app.userToken(await app.addUser('root', { isAdmin: true }));
    const setQuotas = (body: object) => app.call('PUT', '/v0.1/admin/quotas/ada', { token: admin, body });
    const content = `MODULE Linux arm64 ${uuid.toUpperCase()}0 libshop.so\n${'FUNC 0 10 0 pay\n'.repeat(20_000)}`;
    const archive = zipOf({ name: 'a.sym', content });
    expect((await setQuotas({ storage_bytes: content.length })).statusCode).toBe(200);
    expect(await upload('Breakpad', archive)).toMatchObject({
      status: 'failed',
      note: expect.stringMatching(/^The symbols in this upload take too much[.] ada may keep \d+ bytes more/),
    });
    await setQuotas({});
    vi.spyOn(app.deps.blobs, 'free').mockResolvedValue(app.deps.config.diskReserveMb * 2 ** 20 + 100_000);
    expect(await upload('Breakpad', archive)).toMatchObject({
      status: 'failed',
      note: expect.stringContaining('The disk of this server has no room for them.'),
    });
    expect((await blobs()).filter((one) => one.endsWith('.zst'))).toEqual([]);
  });
});
