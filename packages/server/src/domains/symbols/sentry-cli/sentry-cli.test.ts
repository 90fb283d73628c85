import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { createZip } from '../../../../../../test-support/zip.ts';
import { type TestApp, testApp } from '../../../../test/harness/app.ts';
import { elf, machO } from '../../../../test/harness/images.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { systemCtx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { DAY, HOUR, MINUTE } from '../../../kernel/clock.ts';
import { tidySymbols } from '../symbol-uploads.ts';
import { toDebugId } from './debug-files.ts';

const sha1 = (content: Buffer | string): string => createHash('sha1').update(content).digest('hex');
const boundary = 'd74496d66958873e';

interface Part {
  field?: string;
  name: string;
  content: Buffer;
}

const createForm = (parts: readonly Part[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ field = 'file', name, content }) => [
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
      ),
      content,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);

const uuid = '8b0d1a5b3c6e3f0c9a7d1e2f3a4b5c6d';
const mapping = 'org.shop.Cart -> a.b:\n    1:5:void pay():20:24 -> a\n';
const mappingId = '6dd7a0ac-0ab2-5a9d-a9f7-5b2b3c5b7e01';
const debugId = '18ccbd8b-60ac-5c85-860f-44171f022a43';
const sourceMap = '{"version":3,"file":"app.js","sources":["../src/app.ts"],"names":[],"mappings":"AAAA"}';

/** As build tools write archives. */
const bundle = (manifest: unknown, files: Record<string, string>): Buffer =>
  createZip(...Object.entries(files).map(([name, content]) => ({ name, content })), {
    name: 'manifest.json',
    content: typeof manifest === 'string' ? manifest : JSON.stringify(manifest),
  });
const mapBundle = bundle(
  {
    files: {
      'files/_/_/app.js': { type: 'minified_source', url: '~/app.js', headers: { 'debug-id': debugId } },
      'files/_/_/app.js.map': { type: 'source_map', url: '~/app.js.map', headers: { 'Debug-Id': debugId } },
    },
  },
  { 'files/_/_/app.js': 'x', 'files/_/_/app.js.map': sourceMap },
);

async function open(dialect: Parameters<typeof testApp>[0], settings: Parameters<typeof testApp>[1] = {}) {
  const app = await testApp(dialect, settings);
  const ada = await app.addUser('ada');
  const shop = await app.addApp(ada, 'shop');
  const token = await app.userToken(ada);
  const call = async (method: string, path: string, options: Parameters<TestApp['call']>[2] = {}) => {
    const { token: own = token, ...rest } = options;
    const headers = { authorization: `Bearer ${own}`, ...rest.headers };
    const answer = await app.call(method, `/api/0/${path}`, { ...rest, headers });
    return { status: answer.statusCode, body: answer.body ? answer.json() : undefined };
  };
  const sendParts = (parts: readonly Part[], path: string, options = {}) =>
    call('POST', path, {
      body: createForm(parts),
      ...options,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    });
  const sendChunks = (parts: readonly Part[], options = {}) =>
    sendParts(parts, 'organizations/ada/chunk-upload/', options);
  const assemble = (body: object, options = {}, project = 'ada/shop') =>
    call('POST', `projects/${project}/files/difs/assemble/`, { body, ...options });
  const assembleBundle = (body: object, options = {}) =>
    call('POST', 'organizations/ada/artifactbundle/assemble/', { body, ...options });
  const sendFile = async (content: Buffer, chunkSize = content.length) => {
    const chunks: string[] = [];
    for (let at = 0; at < content.length; at += chunkSize) {
      const chunk = content.subarray(at, at + chunkSize);
      chunks.push(sha1(chunk));
      expect(await sendChunks([{ field: 'file_gzip', name: sha1(chunk), content: gzipSync(chunk) }])).toEqual({
        status: 200,
        body: {},
      });
    }
    return chunks;
  };
  const symbols = async () => (await app.call('GET', '/v0.1/apps/ada/shop/symbols', { token })).json();
  return { app, ada, shop, token, call, sendParts, sendChunks, assemble, assembleBundle, sendFile, symbols };
}

eachDatabase('uploads of sentry-cli', (dialect) => {
  test('assembles files of all formats from chunks, each under its own ID', async () => {
    const { app, assemble, sendFile, symbols } = await open(dialect);
    const dsym = machO({ uuid });
    const library = elf({ buildId: '0123456789abcdef0123456789abcdef01234567' });
    const files = { Shop: dsym, 'libshop.so': library, [`/proguard/${mappingId}.txt`]: Buffer.from(mapping) };
    const body: Record<string, { name: string; chunks: string[] }> = {};
    for (const [name, content] of Object.entries(files)) body[sha1(content)] = { name, chunks: [sha1(content)] };
    const first = await assemble(body);
    expect(first.body[sha1(dsym)]).toEqual({
      state: 'not_found',
      missingChunks: [sha1(dsym)],
      detail: null,
      dif: null,
    });
    for (const content of Object.values(files)) await sendFile(content);
    expect((await assemble(body)).body[sha1(dsym)].state).toBe('created');
    await app.runJobs();
    const { body: done } = await assemble(body);
    expect(Object.values(done).map((one) => (one as { state: string }).state)).toEqual(['ok', 'ok', 'ok']);
    expect(done[sha1(dsym)].dif).toMatchObject({
      uuid: '8b0d1a5b-3c6e-3f0c-9a7d-1e2f3a4b5c6d',
      symbolType: 'macho',
      cpuName: 'arm64',
      sha1: sha1(dsym),
    });
    expect(done[sha1(Buffer.from(mapping))].dif).toMatchObject({ debugId: mappingId, symbolType: 'proguard' });
    const found: { symbol_id: string; type: string }[] = await symbols();
    expect(new Set(found.map(({ symbol_id, type }) => `${symbol_id} ${type}`))).toEqual(
      new Set([
        `${uuid} Apple`,
        '67452301AB89EFCD0123456789ABCDEF0 Breakpad',
        `${mappingId.replaceAll('-', '')} AndroidProguard`,
      ]),
    );
  });

  test('joins several chunks in their order, and refuses a file with another checksum', async () => {
    const { app, assemble, sendFile } = await open(dialect);
    const content = Buffer.from(mapping.repeat(40));
    const chunks = await sendFile(content, 500);
    const name = `proguard/${mappingId}.txt`;
    expect(chunks.length).toBeGreaterThan(3);
    await assemble({ [sha1(content)]: { name, chunks } });
    await app.runJobs();
    expect((await assemble({ [sha1(content)]: { name, chunks } })).body[sha1(content)].state).toBe('ok');
    const wrong = { [sha1('other')]: { name, chunks: chunks.toReversed() } };
    await assemble(wrong);
    await app.runJobs();
    expect((await assemble(wrong)).body[sha1('other')]).toMatchObject({
      state: 'error',
      detail: expect.stringContaining('The chunks together have the SHA-1'),
    });
    // Later, it is a new attempt.
    app.advance(2 * MINUTE);
    expect((await assemble(wrong)).body[sha1('other')].state).toBe('created');
  });

  test('keeps the library with lines when the stripped one of the same build arrives', async () => {
    const { app, assemble, sendFile, symbols } = await open(dialect);
    const [full, stripped] = [machO({ uuid }), machO({ uuid, hasDwarf: false })];
    for (const content of [full, stripped]) {
      const body = { [sha1(content)]: { name: 'Shop', chunks: await sendFile(content) } };
      await assemble(body);
      await app.runJobs();
      expect((await assemble(body)).body[sha1(content)].state).toBe('ok');
    }
    expect(await symbols()).toMatchObject([{ symbol_id: uuid, has_lines: true }]);
    // Only one copy is stored, besides the two files as sent.
    await app.runJobs();
    const keys = (await Array.fromAsync(app.deps.blobs.list())).filter((key) => key.endsWith('.zst'));
    expect(keys).toHaveLength(1);
  });

  test('stores sources and the binary beside the symbols of the same ID', async () => {
    const { app, assemble, sendFile, symbols } = await open(dialect);
    const sources = bundle(
      {
        files: { 'files/a.c': { type: 'source', path: '/a.c' } },
        debug_id: '8b0d1a5b-3c6e-3f0c-9a7d-1e2f3a4b5c6d',
        object_name: 'Shop',
      },
      { 'files/a.c': 'int x;' },
    );
    for (const content of [machO({ uuid }), sources]) {
      await assemble({ [sha1(content)]: { name: 'Shop', chunks: await sendFile(content) } });
      await app.runJobs();
    }
    const found: { symbol_id: string }[] = await symbols();
    expect(found.map(({ symbol_id }) => symbol_id).sort()).toEqual([uuid, `${uuid}.sources`]);
  });

  test.each([
    ['8b0d1a5b3c6e3f0c9a7d1e2f3a4b5c6d', 'mach-o', '8b0d1a5b-3c6e-3f0c-9a7d-1e2f3a4b5c6d'],
    ['67452301AB89EFCD0123456789ABCDEF0', 'elf', '67452301-ab89-efcd-0123-456789abcdef'],
    ['67452301ab89efcd0123456789abcdef-17', 'pdb', '67452301-ab89-efcd-0123-456789abcdef-11'],
    ['67452301ab89efcd0123456789abcdef-17.binary', 'pe', '67452301-ab89-efcd-0123-456789abcdef-11'],
    ['67452301ab89efcd0123456789abcdef-ab8cf31e', 'portable-pdb', '67452301-ab89-efcd-0123-456789abcdef-ab8cf31e'],
    ['unknown', 'elf', '00000000-0000-0000-0000-000000000000'],
  ])('writes the ID %s of a %s file as %s', (id, format, expected) => {
    expect(toDebugId(id, format)).toBe(expected);
  });

  test('accepts a zip of mappings, and answers with its files', async () => {
    const { sendParts } = await open(dialect);
    const zip = createZip({ name: `proguard/${mappingId}.txt`, content: mapping });
    const url = 'projects/ada/shop/files/dsyms/';
    const { status, body } = await sendParts([{ name: 'x', content: zip }], url);
    expect([status, body]).toMatchObject([200, [{ debugId: mappingId, symbolType: 'proguard' }]]);
    const empty = await sendParts([{ name: 'x', content: createZip({ name: 'a.bin', content: 'x' }) }], url);
    expect([empty.status, empty.body]).toEqual([400, { detail: expect.stringContaining('contains no symbols') }]);
  });

  test('assembles source maps with their debug IDs and their version', async () => {
    const { app, assembleBundle, sendFile, symbols } = await open(dialect);
    const checksum = sha1(mapBundle);
    const version = 'com.example.shop@1.4.0+140';
    const body = { checksum, chunks: [checksum], projects: ['shop'], version, dist: null };
    expect((await assembleBundle(body)).body).toEqual({
      state: 'not_found',
      missingChunks: [checksum],
      detail: null,
    });
    await sendFile(mapBundle);
    expect((await assembleBundle(body)).body.state).toBe('created');
    await app.runJobs();
    expect((await assembleBundle(body)).body).toEqual({ state: 'ok', missingChunks: [], detail: null });
    expect(await symbols()).toMatchObject([
      {
        type: 'JavaScript',
        version: '1.4.0',
        build: '140',
        alternate_symbol_ids: expect.arrayContaining([debugId.replaceAll('-', '')]),
      },
    ]);
  });

  test('rejects hostile archives with the reason', async () => {
    const { app, assembleBundle, sendFile } = await open(dialect);
    const hostile: Record<string, Buffer> = {
      'invalid relative path': createZip({ name: '../../etc/app.js.map', content: sourceMap }),
      'two files at': createZip({ name: 'a.map', content: sourceMap }, { name: 'a.map', content: sourceMap }),
      'not valid JSON': bundle('{"files":', { 'a.js.map': sourceMap }),
      'expands to more than': createZip({ name: 'a.map', content: Buffer.alloc(64 * 2 ** 20) }),
      'contains no symbols': Buffer.from('just text'),
    };
    for (const [reason, content] of Object.entries(hostile)) {
      const body = { checksum: sha1(content), chunks: await sendFile(content), projects: ['shop'] };
      await assembleBundle(body);
      await app.runJobs();
      expect((await assembleBundle(body)).body).toMatchObject({
        state: 'error',
        detail: expect.stringContaining(reason),
      });
    }
  });

  test('refuses chunks with another checksum, too large, in other fields, or that are no gzip', async () => {
    const { app, sendChunks, assemble } = await open(dialect);
    const content = Buffer.from('abc');
    const name = sha1(content);
    const bomb = gzipSync(Buffer.alloc(9 * 2 ** 20));
    const cases: [Part, number, string][] = [
      [{ name: sha1('other'), content }, 400, 'has the SHA-1'],
      [{ name: name.toUpperCase(), content }, 400, 'The name of each file'],
      [{ name: '../../x', content }, 400, 'The name of each file'],
      [{ name, content, field: 'file_gzip' }, 400, 'not valid gzip'],
      [{ name, content, field: 'avatar' }, 400, 'only in the fields file and file_gzip'],
      [{ name: sha1(Buffer.alloc(9 * 2 ** 20)), content: bomb, field: 'file_gzip' }, 413, 'exceeds the limit'],
      [{ name, content: Buffer.alloc(9 * 2 ** 20) }, 413, 'exceeds the limit'],
    ];
    for (const [part, status, reason] of cases) {
      const answer = await sendChunks([part]);
      expect([reason, answer.status, answer.body]).toEqual([
        reason,
        status,
        { detail: expect.stringContaining(reason) },
      ]);
    }
    const many = Array.from({ length: 65 }, () => ({ name, content }));
    expect((await sendChunks(many)).body.detail).toContain('more than 64 files');
    expect((await assemble({ [name]: { name: 'x', chunks: [name] } })).body[name].state).toBe('created');
    expect(await app.database.query((q) => q.selectFrom('symbol_chunks').selectAll().where('size', 'is', null)))
      // Rows of rejected chunks are swept.
      .toHaveLength(2);
  });

  test('a file that repeats a chunk is limited by its own size, the quota and the disk', async () => {
    const { app, assemble, sendFile } = await open(dialect, { uploadLimitMb: 1 });
    const chunk = Buffer.alloc(400_000, 'x');
    await sendFile(chunk);
    const send = (times: number) =>
      assemble({ ['a'.repeat(40)]: { name: 'Shop', chunks: Array(times).fill(sha1(chunk)) } });
    expect((await send(3)).status).toBe(413);
    const root = await app.addUser('root', { isAdmin: true });
    const quota = { token: await app.userToken(root), body: { storage_bytes: 700_000 } };
    expect((await app.call('PUT', '/v0.1/admin/quotas/ada', quota)).statusCode).toBe(200);
    expect((await send(2)).status).toBe(403);
    await app.call('PUT', '/v0.1/admin/quotas/ada', { ...quota, body: {} });
    vi.spyOn(app.deps.blobs, 'free').mockResolvedValue(app.deps.config.diskReserveMb * 2 ** 20 + 700_000);
    expect((await send(2)).status).toBe(503);
    expect((await send(1)).body['a'.repeat(40)].state).toBe('created');
  });

  test('a file whose job has failed too often can be sent again after a day', async () => {
    const { app, assemble, sendFile } = await open(dialect);
    const content = machO({ uuid });
    const body = { [sha1(content)]: { name: 'Shop', chunks: await sendFile(content) } };
    expect((await assemble(body)).body[sha1(content)].state).toBe('created');
    await tx(app.deps, ({ db }) => db.query((q) => q.deleteFrom('jobs').where('name', '=', 'symbols.assemble')));
    await app.runJobs();
    expect((await assemble(body)).body[sha1(content)].state).toBe('created');
    app.advance(DAY + HOUR);
    await sendFile(content);
    await assemble(body);
    await app.runJobs();
    expect((await assemble(body)).body[sha1(content)].state).toBe('ok');
  });

  test('unused chunks expire with their files', async () => {
    const { app, sendFile, assemble } = await open(dialect);
    const content = machO({ uuid });
    const chunks = await sendFile(content);
    app.advance(DAY + HOUR);
    const { body } = await assemble({ [sha1(content)]: { name: 'Shop', chunks } });
    expect(body[sha1(content)].state).toBe('not_found');
    await tidySymbols(systemCtx(app.deps));
    expect(await Array.fromAsync(app.deps.blobs.list())).toEqual([]);
    expect(await app.database.query((q) => q.selectFrom('symbol_chunks').selectAll())).toEqual([]);
  });

  test('only the sender of a chunk can assemble it', async () => {
    const { app, shop, ada, assemble, sendFile } = await open(dialect);
    const content = machO({ uuid });
    const chunks = await sendFile(content);
    const body = { [sha1(content)]: { name: 'Shop', chunks } };
    const grace = await app.addUser('grace');
    await app.addMember(shop, grace, 'developer');
    for (const token of [await app.userToken(grace), await app.appToken(shop, ada)]) {
      expect((await assemble(body, { token })).body[sha1(content)].state).toBe('not_found');
    }
  });

  test('refuses tokens without rights, Read-Only ones, and those of another app', async () => {
    const { app, shop, ada, call, assemble, assembleBundle, sendFile, sendChunks } = await open(dialect);
    const other = await app.addApp(ada, 'other');
    const viewer = await app.addUser('viewer');
    await app.addMember(shop, viewer, 'viewer');
    const stranger = await app.userToken(await app.addUser('stranger'));
    const content = machO({ uuid });
    const body = { [sha1(content)]: { name: 'Shop', chunks: await sendFile(content) } };
    const archive = { checksum: sha1(content), chunks: [sha1(content)], projects: ['shop'] };
    const part = [{ name: sha1(content), content }];
    const all = async (token: string) => [
      (await call('GET', 'organizations/ada/chunk-upload/', { token })).status,
      (await sendChunks(part, { token })).status,
      (await assemble(body, { token })).status,
      (await assembleBundle(archive, { token })).status,
    ];
    expect(await all('wrong')).toEqual([401, 401, 401, 401]);
    expect(await all(stranger)).toEqual([404, 404, 404, 404]);
    expect(await all(await app.userToken(viewer))).toEqual([404, 404, 403, 404]);
    expect(await all(await app.userToken(ada, { scope: ['viewer'] }))).toEqual([200, 403, 403, 403]);
    expect(await all(await app.appToken(shop, ada, { scope: ['viewer'] }))).toEqual([403, 403, 403, 403]);
    expect(await all(await app.appToken(other, ada))).toEqual([200, 200, 404, 404]);
    const readOnly = await sendChunks(part, { token: await app.userToken(ada, { scope: ['viewer'] }) });
    expect(readOnly.body).toEqual({ detail: expect.stringContaining('Read-Only token') });
    // A developer of one app of an owner has no right on the others.
    const dev = await app.addUser('dev');
    await app.addMember(other, dev, 'developer');
    await app.addMember(shop, dev, 'viewer');
    const token = await app.userToken(dev);
    expect(await all(token)).toEqual([200, 200, 403, 403]);
    // A cached right ends when it is revoked.
    await app.call('DELETE', '/v0.1/apps/ada/other/users/dev@example.com', { token: await app.userToken(ada) });
    expect((await sendChunks(part, { token })).status).toBe(404);
  });

  test('an app that is deleted meanwhile leaves nothing behind', async () => {
    const { app, assemble, sendFile, token } = await open(dialect);
    const content = machO({ uuid });
    await assemble({ [sha1(content)]: { name: 'Shop', chunks: await sendFile(content) } });
    const deleted = await app.call('DELETE', '/v0.1/apps/ada/shop', { token });
    expect(deleted.statusCode).toBe(204);
    await app.runJobs();
    app.advance(DAY + HOUR);
    await tidySymbols(systemCtx(app.deps));
    await app.runJobs();
    expect(await app.database.query((q) => q.selectFrom('symbol_uploads').selectAll())).toEqual([]);
    expect(await Array.fromAsync(app.deps.blobs.list())).toEqual([]);
  });

  test('many checksums in one request do not block other requests', async () => {
    const { assemble } = await open(dialect);
    const names = Array.from({ length: 100_000 }, (_, index) => sha1(String(index)));
    const toBody = (count: number) =>
      Object.fromEntries(
        Array.from({ length: Math.ceil(count / 250) }, (_, at) => [
          sha1(`file ${at}`),
          { name: 'x', chunks: names.slice(at * 250, at * 250 + 250) },
        ]),
      );
    const longest = async (work: () => Promise<unknown>) => {
      let last = performance.now();
      let most = 0;
      const timer = setInterval(() => {
        most = Math.max(most, performance.now() - last);
        last = performance.now();
      }, 5);
      await work();
      clearInterval(timer);
      return most;
    };
    let answer = await assemble(toBody(100));
    const [huge, large] = [JSON.stringify(toBody(100_000)), JSON.stringify(toBody(20_000))];
    const headers = { 'content-type': 'application/json' };
    const refused = await longest(async () => {
      answer = await assemble(Buffer.from(huge), { headers });
    });
    expect(answer.status).toBe(413);
    const accepted = await longest(async () => {
      answer = await assemble(Buffer.from(large), { headers });
    });
    expect([answer.status, Object.keys(answer.body).length]).toEqual([200, 80]);
    // Far more than measured, because other tests run at the same time.
    expect(Math.max(refused, accepted)).toBeLessThan(500);
  });
});
