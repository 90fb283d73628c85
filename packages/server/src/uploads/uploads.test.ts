import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type S3Server, startS3 } from '../../../../test-support/s3.ts';
import { type TestApp, testApp } from '../../test/harness/app.ts';
import { atOnce } from '../../test/harness/races.ts';
import { eachDatabase } from '../../test/harness/services/databases.ts';
import type { Config } from '../config.ts';
import { type Deps, systemCtx } from '../context.ts';
import { DAY, HOUR } from '../kernel/clock.ts';
import {
  CHUNK_BYTES,
  finishBlocks,
  finishChunks,
  type Incoming,
  listChunkNumbers,
  readContentRange,
  receiveBlock,
  receiveChunk,
  receiveFile,
  receiveRange,
} from './chunks.ts';
import { downloadLink, readDownloadLink } from './download-links.ts';
import { uploadToken } from './upload-tokens.ts';
import {
  announceFile,
  beginUpload,
  cancelUpload,
  defineUploadPurpose,
  findUpload,
  openUpload,
  sweepUploads,
  takeUpload,
  type Upload,
  uploadAddresses,
} from './uploads.ts';

const purpose = defineUploadPurpose('tests');
const other = defineUploadPurpose('other-tests', { maxBytes: 10 });
const ownerId = 'app-1';

let s3: S3Server;
beforeAll(async () => {
  s3 = await startS3({ checksSignatures: false });
});
afterAll(() => s3.stop());

const stores: Record<string, () => Partial<Config>> = {
  disk: () => ({}),
  s3: () => ({
    blobStore: { kind: 's3', ...s3.options, prefix: `${crypto.randomUUID()}/` },
    s3AccessKeyId: s3.options.credentials.accessKeyId,
    s3SecretAccessKey: s3.options.credentials.secretAccessKey,
  }),
};

/** A request body as received. */
function incoming(bytes: Buffer, { breaksOffAt }: { breaksOffAt?: number } = {}) {
  const hash = createHash('sha256');
  let received = 0;
  const content = (async function* () {
    for (let at = 0; at < bytes.length; at += 100_000) {
      if (breaksOffAt !== undefined && at >= breaksOffAt) throw new Error('the sender is gone');
      const chunk = bytes.subarray(at, at + 100_000);
      received += chunk.length;
      hash.update(chunk);
      yield chunk;
    }
  })();
  return {
    content,
    get received() {
      return received;
    },
    sha256: () => hash.copy().digest('hex'),
  };
}

/** A body that breaks off at its end. */
function heldBack(body: Incoming, until: Promise<void>): Incoming {
  const content = (async function* () {
    yield* body.content;
    await until;
  })();
  return { content, received: 0, sha256: body.sha256 };
}

const createBytes = (size: number, seed = 1): Buffer => {
  const bytes = Buffer.alloc(size);
  for (let at = 0, value = seed; at < size; at += 1) {
    value = (value * 1_103_515_245 + 12_345) & 0x7fffffff;
    bytes[at] = value >> 16;
  }
  return bytes;
};
const sum = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const listKeys = (app: TestApp) => Array.fromAsync(app.deps.blobs.list());
const readContent = async ({ blobs }: Deps, key: string) => {
  const blob = await blobs.get(key);
  return blob && buffer(blob.stream);
};

const size = 2 * CHUNK_BYTES + 1000;
const content = createBytes(size);
const chunk = (number: number) => content.subarray((number - 1) * CHUNK_BYTES, number * CHUNK_BYTES);

async function announced(app: TestApp, total = size): Promise<Upload> {
  const upload = await beginUpload(app.deps, purpose, { ownerId });
  return announceFile(app.deps, upload, { fileName: '../x/app.apk', size: total });
}
const send = (app: TestApp, upload: Upload, number: number, bytes = chunk(number)) =>
  receiveChunk(app.deps, upload, number, incoming(bytes));
const again = async (app: TestApp, { id }: Upload): Promise<Upload> =>
  (await findUpload(app.deps, purpose, { id, ownerId })) as Upload;

eachDatabase('an upload', (dialect) => {
  describe.each(Object.keys(stores))('on %s', (kind) => {
    const open = (settings: Partial<Config> = {}) => testApp(dialect, { ...stores[kind]?.(), ...settings });

    test('accepts chunks in any order, in parallel and repeatedly, and is taken once with its digest', async () => {
      const app = await open();
      const upload = await announced(app);
      expect(listChunkNumbers(upload)).toEqual([1, 2, 3]);
      await Promise.all([3, 2, 1, 2].map((number) => send(app, upload, number)));
      await send(app, upload, 2);
      expect(await Promise.all([finishChunks(app.deps, upload), finishChunks(app.deps, upload)])).toEqual([
        { missing: [] },
        { missing: [] },
      ]);
      const file = await takeUpload(app.deps, purpose, { id: upload.id, ownerId });
      expect(file).toMatchObject({ size, sha256: sum(content), name: 'app.apk' });
      expect((await readContent(app.deps, file.key))?.equals(content)).toBe(true);
      expect(await listKeys(app)).toEqual([file.key]);
      await expect(takeUpload(app.deps, purpose, { id: upload.id, ownerId })).rejects.toThrow(/already used/);
      expect(await finishChunks(app.deps, await again(app, upload))).toEqual({ missing: [] });
    });

    test('reports missing chunks, and continues in another process', async () => {
      const app = await open();
      const upload = await announced(app);
      await send(app, upload, 3);
      await expect(receiveChunk(app.deps, upload, 1, incoming(chunk(1), { breaksOffAt: 200_000 }))).rejects.toThrow(
        /gone/,
      );
      expect(await finishChunks(app.deps, upload)).toEqual({ missing: [1, 2] });
      const { deps } = await app.another();
      const same = await openUpload(deps, upload.id, uploadToken(deps, upload));
      for (const number of [1, 2]) await receiveChunk(deps, same, number, incoming(chunk(number)));
      expect(await finishChunks(deps, same)).toEqual({ missing: [] });
      expect(await takeUpload(deps, purpose, { id: upload.id, ownerId })).toMatchObject({ sha256: sum(content) });
    });

    test('joins blocks in the order of their list', async () => {
      const app = await open();
      const upload = await beginUpload(app.deps, purpose, { ownerId, fileName: 'symbols.zip' });
      const [a, b] = [createBytes(5000, 2), createBytes(700, 3)];
      await Promise.all([
        receiveBlock(app.deps, upload, 'QQ==', incoming(b)),
        receiveBlock(app.deps, upload, 'Qg==', incoming(a)),
      ]);
      await expect(finishBlocks(app.deps, upload, ['Qg==', 'Qw=='])).rejects.toThrow(/"Qw==" has not arrived/);
      await finishBlocks(app.deps, upload, ['Qg==', 'QQ==', 'Qg==']);
      const whole = Buffer.concat([a, b, a]);
      const file = await takeUpload(app.deps, purpose, { id: upload.id, ownerId });
      expect(file).toMatchObject({ size: whole.length, sha256: sum(whole), name: 'symbols.zip' });
      expect(await listKeys(app)).toEqual([file.key]);
    });

    test('continues a range upload with an ID of the client, and finishes once', async () => {
      const app = await open();
      const id = crypto.randomUUID();
      const put = (first: number, last: number, total = size) =>
        receiveRange(
          app.deps,
          purpose,
          { id, ownerId, fileName: 'app.ipa' },
          {
            range: readContentRange(`bytes ${first}-${last}/${total}`),
            file: incoming(content.subarray(first, last + 1)),
          },
        );
      const sendRange = () =>
        receiveRange(
          app.deps,
          purpose,
          { id, ownerId, fileName: 'app.ipa' },
          { range: { total: size }, file: incoming(Buffer.alloc(0)) },
        );
      expect((await put(0, 99_999)).received).toBe(100_000);
      expect((await put(300_000, size - 1)).received).toBe(100_000);
      expect((await sendRange()).received).toBe(100_000);
      await expect(put(100_000, 100_001, size + 1)).rejects.toThrow(`has ${size} bytes`);
      const done = await put(100_000, 299_999);
      expect([done.received, done.upload.file?.sha256]).toEqual([size, sum(content)]);
      expect((await put(100_000, 299_999)).upload.state).toBe('finished');
      expect(await listKeys(app)).toEqual([done.upload.file?.key]);
    });

    test('is not copied if it arrives in one request', async () => {
      const app = await open();
      const upload = await beginUpload(app.deps, purpose, { ownerId, fileName: 'app.zip' });
      const file = await receiveFile(app.deps, upload, incoming(content));
      expect(file).toMatchObject({ size, sha256: sum(content) });
      expect(await listKeys(app)).toEqual([file.key]);
    });

    test('is taken by one of two concurrent callers', async () => {
      const app = await open();
      const upload = await beginUpload(app.deps, purpose, { ownerId });
      await receiveFile(app.deps, upload, incoming(content));
      const take = () =>
        takeUpload(app.deps, purpose, { id: upload.id, ownerId }).then(
          () => 'taken',
          ({ message }: Error) => message,
        );
      expect(await atOnce(app, [take, take], 'uploads')).toEqual(['taken', 'This upload was already used.']);
    });

    test('leaves nothing behind when it is cancelled, not finished or not taken in time', async () => {
      const app = await open({ uploadHours: 24 });
      const cancelled = await announced(app);
      await send(app, cancelled, 1);
      await cancelUpload(app.deps, cancelled);
      expect(await listKeys(app)).toEqual([]);
      await expect(send(app, await again(app, cancelled), 1)).rejects.toThrow(/was canceled/);
      await send(app, await announced(app), 1);
      const late = await beginUpload(app.deps, purpose, { ownerId });
      await receiveFile(app.deps, late, incoming(content));
      const remaining = await beginUpload(app.deps, purpose, { ownerId });
      await receiveFile(app.deps, remaining, incoming(content));
      const { key } = await takeUpload(app.deps, purpose, { id: remaining.id, ownerId });
      app.advance(DAY - HOUR);
      await sweepUploads(app.deps);
      expect((await listKeys(app)).length).toBe(3);
      app.advance(HOUR);
      await expect(takeUpload(app.deps, purpose, { id: late.id, ownerId })).rejects.toThrow(/has expired/);
      await sweepUploads(app.deps);
      expect(await listKeys(app)).toEqual([key]);
      expect(await app.database.query((q) => q.selectFrom('uploads').select('id'))).toEqual([]);
      expect(await app.database.query((q) => q.selectFrom('upload_pieces').select('name'))).toEqual([]);
    });
  });

  test('deletes a chunk that arrives during cancellation', async () => {
    const app = await testApp(dialect);
    const upload = await announced(app);
    const held = Promise.withResolvers<void>();
    const body = incoming(chunk(1));
    const sending = receiveChunk(app.deps, upload, 1, heldBack(body, held.promise));
    const refused = expect(sending).rejects.toThrow(/no longer open/);
    await expect
      .poll(async () => (await app.database.query((q) => q.selectFrom('upload_pieces').select('name'))).length)
      .toBe(1);
    await cancelUpload(app.deps, upload);
    held.resolve();
    await refused;
    expect(await listKeys(app)).toEqual([]);
  });

  test('reports a cancellation before the file of a chunk is opened, but not a failing disk as one', async () => {
    const app = await testApp(dialect);
    const upload = await announced(app);
    const failing = (before: () => Promise<unknown>) => ({
      ...app.deps,
      blobs: {
        ...app.deps.blobs,
        async putPart() {
          await before();
          throw new Error('ENOENT: no such file');
        },
      },
    });
    const sendTo = (deps: typeof app.deps) => receiveChunk(deps, upload, 1, incoming(chunk(1)));
    await expect(sendTo(failing(async () => undefined))).rejects.toThrow('ENOENT');
    await expect(sendTo(failing(() => cancelUpload(app.deps, upload)))).rejects.toThrow(/no longer open/);
    expect(await listKeys(app)).toEqual([]);
  });

  test('is not copied if all chunks are in place, in any order', async () => {
    const app = await testApp(dialect);
    const upload = await announced(app);
    for (const number of [2, 3, 1]) await send(app, upload, number);
    const [place] = await listKeys(app);
    expect(await finishChunks(app.deps, upload)).toEqual({ missing: [] });
    const file = await takeUpload(app.deps, purpose, { id: upload.id, ownerId });
    expect(file).toMatchObject({ key: place, size, sha256: sum(content) });
    expect(await listKeys(app)).toEqual([place]);
  });

  test('keeps the latest bytes of a repeated or overlapping chunk', async () => {
    const app = await testApp(dialect);
    const upload = await announced(app);
    const others = createBytes(CHUNK_BYTES, 5);
    for (const number of [1, 2, 3]) await send(app, upload, number);
    await send(app, upload, 2, others);
    expect(await finishChunks(app.deps, upload)).toEqual({ missing: [] });
    const file = await takeUpload(app.deps, purpose, { id: upload.id, ownerId });
    expect(file.sha256).toBe(sum(Buffer.concat([chunk(1), others, chunk(3)])));
    expect(await listKeys(app)).toEqual([file.key]);

    const id = crypto.randomUUID();
    const small = createBytes(300, 6);
    const put = (first: number, last: number, bytes = small.subarray(first, last + 1)) =>
      receiveRange(
        app.deps,
        purpose,
        { id, ownerId, fileName: 'app.ipa' },
        { range: { first, last, total: 300 }, file: incoming(bytes) },
      );
    await put(0, 99);
    await put(50, 199, createBytes(150, 7));
    await put(200, 299);
    expect((await put(100, 199)).upload.file?.sha256).toBe(sum(small));
  });

  test('counts the contiguous bytes for chunks in any order, repeated and overlapping', async () => {
    const app = await testApp(dialect);
    const total = 61;
    const whole = createBytes(total, 8);
    let seed = 7;
    const below = (limit: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      return (seed >> 16) % limit;
    };
    const id = crypto.randomUUID();
    const put = async (range: { first: number; last: number; total: number } | { total: number }) => {
      const bytes = 'first' in range ? whole.subarray(range.first, range.last + 1) : Buffer.alloc(0);
      const input = { id, ownerId, fileName: 'app.ipa' };
      return (await receiveRange(app.deps, purpose, input, { range, file: incoming(bytes) })).received;
    };
    const ends = new Map<number, number>();
    const expected = () => {
      let at = 0;
      for (let end = ends.get(0); end !== undefined; end = ends.get(at)) at = end;
      return at;
    };
    for (let turn = 0; turn < 60; turn += 1) {
      const first = below(6) * 10;
      const last = Math.min(first + (1 + below(3)) * 10, total - 1) - 1;
      ends.set(first, last + 1);
      expect(await put({ first, last, total })).toBe(expected());
      if (turn % 10 === 0) expect(await put({ total })).toBe(expected());
    }
    const [counts] = await app.database.query((q) =>
      q.selectFrom('uploads').select(['piece_count', 'piece_bytes']).where('id', '=', id),
    );
    const chunks = await app.database.query((q) => q.selectFrom('upload_pieces').select('size'));
    const held = chunks.reduce((sum, stored) => sum + Number(stored.size), 0);
    expect([Number(counts?.piece_count), Number(counts?.piece_bytes)]).toEqual([chunks.length, held]);
    for (const first of [0, 10, 20, 30, 40, 50]) await put({ first, last: first + 9, total });
    expect(await put({ first: 60, last: 60, total })).toBe(total);
    const file = await takeUpload(app.deps, purpose, { id, ownerId });
    expect([file.size, file.sha256, await listKeys(app)]).toEqual([total, sum(whole), [file.key]]);
  });

  test('needs the chunks again whose size changed with a new announcement', async () => {
    const app = await testApp(dialect);
    const first = await announced(app);
    for (const number of [1, 2, 3]) await send(app, first, number);
    const upload = await announceFile(app.deps, first, { fileName: 'app.apk', size: CHUNK_BYTES + 10 });
    expect(await finishChunks(app.deps, upload)).toEqual({ missing: [2] });
    await send(app, upload, 2, chunk(2).subarray(0, 10));
    expect(await finishChunks(app.deps, upload)).toEqual({ missing: [] });
    const file = await takeUpload(app.deps, purpose, { id: upload.id, ownerId });
    const whole = content.subarray(0, CHUNK_BYTES + 10);
    expect(file).toMatchObject({ size: whole.length, sha256: sum(whole) });
    expect((await readContent(app.deps, file.key))?.equals(whole)).toBe(true);
  });

  test('replaces nothing of a finished file if a chunk arrives late', async () => {
    const app = await testApp(dialect);
    const small = createBytes(500);
    const upload = await announced(app, small.length);
    const held = Promise.withResolvers<void>();
    const body = incoming(createBytes(500, 9));
    const late = receiveChunk(app.deps, upload, 1, heldBack(body, held.promise));
    const refused = expect(late).rejects.toThrow(/no longer open/);
    await expect
      .poll(async () => (await app.database.query((q) => q.selectFrom('upload_pieces').select('name'))).length)
      .toBe(1);
    await send(app, upload, 1, small);
    await finishChunks(app.deps, upload);
    const { key } = await takeUpload(app.deps, purpose, { id: upload.id, ownerId });
    held.resolve();
    await refused;
    expect((await readContent(app.deps, key))?.equals(small)).toBe(true);
    expect(await listKeys(app)).toEqual([key]);
  });

  test('refuses content beyond its size, its limits and the free disk space', async () => {
    const app = await testApp(dialect, { uploadsInFlight: 2 });
    const { deps } = app;
    await expect(beginUpload(deps, other, { ownerId, size: 11 })).rejects.toThrow(/exceeds the limit of 10 bytes/);
    const upload = await beginUpload(deps, other, { ownerId });
    await expect(announceFile(deps, upload, { fileName: 'a', size: 11 })).rejects.toThrow(
      /exceeds the limit of 10 bytes/,
    );
    await expect(announceFile(deps, upload, { fileName: 'a', size: 0 })).rejects.toThrow(/empty/);
    await expect(announceFile(deps, upload, { fileName: '..', size: 1 })).rejects.toThrow(/not a valid file name/);
    await expect(receiveFile(deps, upload, incoming(createBytes(11)))).rejects.toThrow(/exceeds the limit of 10 bytes/);
    await receiveBlock(deps, upload, 'a', incoming(createBytes(6)));
    await expect(receiveBlock(deps, upload, 'b', incoming(createBytes(6)))).rejects.toThrow(
      /exceeds the limit of 10 bytes/,
    );
    await expect(finishBlocks(deps, upload, ['a', 'a'])).rejects.toThrow(/exceeds the limit of 10 bytes/);
    await expect(finishBlocks(deps, upload, Array(50_001).fill('a'))).rejects.toThrow(/more than 50000 blocks/);
    await expect(receiveChunk(deps, upload, 1, incoming(createBytes(1)))).rejects.toThrow(/set_metadata/);
    const sized = await announced(app, 500);
    await expect(send(app, sized, 1, createBytes(499))).rejects.toThrow(/has 499 bytes instead of 500/);
    await expect(send(app, sized, 2, createBytes(1))).rejects.toThrow(/from 1 to 1/);
    await announced(app, 500);
    await expect(announced(app, 500)).rejects.toThrow(/Too many unfinished uploads \(2\)/);
    app.advance(DAY);
    await announced(app, 500);
    const full = { ...deps, config: { ...deps.config, diskReserveMb: 1e12 } };
    await expect(beginUpload(full, purpose, { ownerId })).rejects.toThrow(/no space/);
    // One block, and the placed file of the short chunk.
    expect((await listKeys(app)).length).toBe(2);
    await cancelUpload(deps, sized);
    expect((await listKeys(app)).length).toBe(1);
  });

  test('is accessible only with its own valid token, and can be taken only by its owner', async () => {
    const app = await testApp(dialect);
    const { deps } = app;
    const [one, two] = [await announced(app), await announced(app)];
    const { token, formUrl, blobUrl } = uploadAddresses(systemCtx(deps), one);
    expect(encodeURIComponent(token)).toBe(token);
    expect([formUrl, blobUrl].every((url) => url.endsWith(`/${one.id}?token=${token}`))).toBe(true);
    expect((await openUpload(deps, one.id, token)).id).toBe(one.id);
    const [end = '', signature = ''] = token.split('.');
    const later = (Number.parseInt(end, 36) + 1).toString(36);
    for (const forged of ['', '.', token.slice(1), `${token}x`, `${later}.${signature}`, uploadToken(deps, two)]) {
      await expect(openUpload(deps, one.id, forged)).rejects.toThrow(/token is invalid/);
    }
    for (const [which, from] of [
      [{ id: one.id, ownerId: 'app-2' }, purpose],
      [{ id: one.id, ownerId }, other],
      [{ id: 'none', ownerId }, purpose],
    ] as const) {
      expect(await findUpload(deps, from, which)).toBeUndefined();
      await expect(takeUpload(deps, from, which)).rejects.toThrow(/No upload/);
    }
    await expect(takeUpload(deps, purpose, { id: one.id, ownerId })).rejects.toThrow(/not finished/);
    app.advance(DAY);
    await expect(openUpload(deps, one.id, token)).rejects.toThrow(/expired/);
  });
});

test('a download link returns one file under one name until it expires', async () => {
  const app = await testApp('sqlite', { downloadMinutes: 60 });
  const file = { key: 'uploads/1/file', name: 'Æ app 1.0.apk' };
  const url = downloadLink(app.deps, file);
  const [, link = '', name = ''] = /\/files\/([^/]+)\/([^/]+)$/.exec(url) ?? [];
  expect(decodeURIComponent(name)).toBe(file.name);
  expect(readDownloadLink(app.deps, link, file.name)).toMatchObject(file);
  const [key, end, signature] = link.split('.');
  const otherKey = Buffer.from('uploads/2/file').toString('base64url');
  for (const forged of ['', link.slice(1), `${otherKey}.${end}.${signature}`, `${key}.zzzzzzzz.${signature}`]) {
    expect(readDownloadLink(app.deps, forged, file.name)).toBeUndefined();
  }
  expect(readDownloadLink(app.deps, link, 'other.apk')).toBeUndefined();
  app.advance(HOUR);
  expect(readDownloadLink(app.deps, link, file.name)).toBeUndefined();
});
