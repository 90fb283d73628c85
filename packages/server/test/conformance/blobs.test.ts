import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type S3Server, startS3 } from '../../../../tools/s3.ts';
import { type BlobStore, BlobTooLarge } from '../../src/blobs/blobs.ts';
import { createDiskStore } from '../../src/blobs/disk.ts';
import { createS3Store } from '../../src/blobs/s3.ts';

let s3: S3Server;
beforeAll(async () => {
  s3 = await startS3({ checksSignatures: false });
});
afterAll(() => s3.stop());

function freshFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-blobs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

let bucketUses = 0;
const stores: Record<string, () => BlobStore> = {
  disk: () => createDiskStore(freshFolder()),
  s3: () => {
    bucketUses += 1;
    return createS3Store({ ...s3.options, prefix: `test-${bucketUses}/` });
  },
};

const MB = 1024 * 1024;
const png = { type: 'image/png', maxBytes: 20 * MB };
const text = { type: 'text/plain; charset=utf-8', maxBytes: 20 * MB };

/** Bytes that differ from place to place, in chunks of an odd size. */
function* bytes(size: number, seed = 0): Generator<Buffer> {
  for (let at = 0; at < size; at += 65_537) {
    const length = Math.min(65_537, size - at);
    yield Buffer.alloc(length, `${seed}:${at};`);
  }
}

async function contentOf(store: BlobStore, key: string): Promise<Buffer | undefined> {
  const blob = await store.get(key);
  return blob && buffer(blob.stream);
}

/** Some content, and then the sender is gone. */
async function* cutOff(size: number): AsyncGenerator<Buffer> {
  yield* bytes(size);
  throw new Error('the sender is gone');
}

describe.each(Object.keys(stores))('blobs on %s', (kind) => {
  const open = (): BlobStore => stores[kind]?.() as BlobStore;

  test('what is put can be read, with its size and type', async () => {
    const store = open();
    expect(await store.put('a/b.png', [Buffer.from('mo'), Buffer.from('or')], png)).toEqual({
      size: 4,
      type: 'image/png',
    });
    expect(await store.stat('a/b.png')).toEqual({ size: 4, type: 'image/png' });
    const blob = await store.get('a/b.png');
    expect([blob?.size, blob?.type]).toEqual([4, 'image/png']);
    expect(blob && (await buffer(blob.stream))).toEqual(Buffer.from('moor'));
  });

  test.each([
    [{ start: 0, end: 1 }, 'mo'],
    [{ start: 1, end: 2 }, 'oo'],
    [{ start: 2, end: 3 }, 'or'],
    [{ start: 0, end: 3 }, 'moor'],
  ])('the range %o can be read alone, with the size of the whole', async (range, part) => {
    const store = open();
    await store.put('a/b.png', [Buffer.from('moor')], png);
    const blob = await store.get('a/b.png', range);
    expect([blob?.size, blob?.type, blob && (await buffer(blob.stream)).toString()]).toEqual([4, 'image/png', part]);
    expect(await store.get('a/none.png', range)).toBeUndefined();
  });

  test('every key is listed, however many there are', async () => {
    const store = open();
    expect(await Array.fromAsync(store.list())).toEqual([]);
    const keys = Array.from({ length: 25 }, (_, n) => `list/${n % 3}/${n}.png`);
    for (const key of keys) await store.put(key, [Buffer.from('x')], png);
    await store.put('a', [Buffer.from('x')], png);
    await store.delete('list/0/0.png');
    expect((await Array.fromAsync(store.list())).sort()).toEqual([...keys.slice(1), 'a'].sort());
  });

  test('what is not there is nothing, and deleting it is no error', async () => {
    const store = open();
    expect(await store.get('missing')).toBeUndefined();
    expect(await store.stat('missing')).toBeUndefined();
    await store.put('a', [Buffer.from('x')], png);
    await store.delete('a');
    await store.delete('a');
    expect(await store.get('a')).toBeUndefined();
    expect(await store.stat('a')).toBeUndefined();
  });

  test('the newest of two puts counts, with its type', async () => {
    const store = open();
    await store.put('a', [Buffer.from('first, and longer')], png);
    await store.put('a', [Buffer.from('second')], text);
    expect(await store.stat('a')).toEqual({ size: 6, type: text.type });
    expect(await contentOf(store, 'a')).toEqual(Buffer.from('second'));
  });

  test('an empty blob is a blob', async () => {
    const store = open();
    expect(await store.put('empty', [], png)).toEqual({ size: 0, type: 'image/png' });
    expect(await store.stat('empty')).toEqual({ size: 0, type: 'image/png' });
    expect(await contentOf(store, 'empty')).toEqual(Buffer.alloc(0));
  });

  test.each([5 * MB, 8 * MB, 17 * MB + 1])('%i bytes come back as they were', async (size) => {
    const store = open();
    expect(await store.put('large', Readable.from(bytes(size)), png)).toEqual({ size, type: 'image/png' });
    const read = await contentOf(store, 'large');
    expect(read?.equals(Buffer.concat([...bytes(size)]))).toBe(true);
    expect(await store.stat('large')).toEqual({ size, type: 'image/png' });
  });

  test('odd keys are apart from each other', async () => {
    const store = open();
    const keys = ['a', 'a/b', 'a/b/c', 'a.b', 'a..b', '-', '_', '0', `${'k'.repeat(100)}/`.repeat(5).slice(0, -1)];
    for (const key of keys) await store.put(key, [Buffer.from(key)], text);
    for (const key of keys) expect(String(await contentOf(store, key))).toBe(key);
    await store.delete('a');
    expect(String(await contentOf(store, 'a/b'))).toBe('a/b');
  });

  test.each([
    '',
    '/',
    '/a',
    'a/',
    'a//b',
    '.',
    '..',
    '../a',
    'a/../b',
    'a/.b',
    'a\\b',
    'a b',
    'a%2fb',
    'a\0',
    'ä',
    'k'.repeat(513),
  ])('the key %j is refused everywhere', async (key) => {
    const store = open();
    await expect(store.put(key, [], png)).rejects.toThrow('cannot be the key of a blob');
    await expect(store.get(key)).rejects.toThrow('cannot be the key of a blob');
    await expect(store.stat(key)).rejects.toThrow('cannot be the key of a blob');
    await expect(store.delete(key)).rejects.toThrow('cannot be the key of a blob');
  });

  test('a type that would break a header is refused', async () => {
    const type = 'image/png\r\nset-cookie: a=b';
    await expect(open().put('a', [], { ...png, type })).rejects.toThrow('cannot be the type of a blob');
  });

  test.each([10, 9 * MB])('content that breaks off after %i bytes leaves what was there before', async (size) => {
    const store = open();
    await expect(store.put('new', cutOff(size), png)).rejects.toThrow('the sender is gone');
    expect(await store.get('new')).toBeUndefined();
    await store.put('old', [Buffer.from('old')], text);
    await expect(store.put('old', cutOff(size), png)).rejects.toThrow('the sender is gone');
    expect(await store.stat('old')).toEqual({ size: 3, type: text.type });
  });

  test('a stream that is destroyed before its end is cut off too', async () => {
    const store = open();
    const source = new Readable({ read: () => undefined });
    source.push(Buffer.from('half'));
    const put = store.put('a', source, png);
    source.destroy();
    await expect(put).rejects.toThrow();
    expect(await store.stat('a')).toBeUndefined();
  });

  test.each([4, 10 * MB])('more than %i bytes are refused while they arrive', async (maxBytes) => {
    const store = open();
    let isStopped = false;
    async function* endless(): AsyncGenerator<Buffer> {
      try {
        for (;;) yield Buffer.alloc(100_000);
      } finally {
        isStopped = true;
      }
    }
    await expect(store.put('a', endless(), { ...png, maxBytes })).rejects.toThrow(BlobTooLarge);
    expect(isStopped).toBe(true);
    expect(await store.stat('a')).toBeUndefined();
    expect(await store.put('a', [Buffer.from('four')], { ...png, maxBytes: 4 })).toMatchObject({ size: 4 });
  });

  test('of puts of one key at the same time, one wins whole', async () => {
    const store = open();
    const sizes = [3 * MB, 10 * MB, 100, 2 * MB, 9 * MB];
    await Promise.all(sizes.map((size, seed) => store.put('a', Readable.from(bytes(size, seed)), png)));
    const read = await contentOf(store, 'a');
    const winner = sizes.indexOf(read?.length ?? 0);
    expect(read?.equals(Buffer.concat([...bytes(sizes[winner] ?? 0, winner)]))).toBe(true);
  });

  test('a check finds the store usable, and leaves nothing', async () => {
    await open().check();
  });
});

test('a signed address lets anybody read from S3; the disk has none', async () => {
  const strict = await startS3();
  onTestFinished(() => strict.stop());
  const store = createS3Store(strict.options);
  await store.put('a', [Buffer.from('signed')], png);
  const url = (await store.signedUrl('a', { seconds: 60 })) ?? '';
  const answer = await fetch(url);
  expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
    200,
    'image/png',
    'signed',
  ]);
  expect((await fetch(url.replace('/a?', '/b?'))).status).toBe(403);
  expect(await stores.disk?.().signedUrl('a', { seconds: 60 })).toBeUndefined();
});

test('parts of an upload that breaks off are given up', async () => {
  const from = s3.asked.length;
  await expect(stores.s3?.().put('parts', cutOff(17 * MB), png)).rejects.toThrow('the sender is gone');
  expect(s3.asked.slice(from).some((line) => /^DELETE .*\/parts\?.*uploadId=/.test(line))).toBe(true);
});

test('a bucket that is not there, or a wrong key, fails the check with the reason', async () => {
  await expect(createS3Store({ ...s3.options, bucket: 'nowhere' }).check()).rejects.toThrow(/bucket does not exist/);
  const credentials = { accessKeyId: 'nobody', secretAccessKey: 'wrong' };
  await expect(createS3Store({ ...s3.options, credentials }).check()).rejects.toThrow();
});

test('parts of a blob on disk go into their places, in any order and at once, and a reader gets what was there', async () => {
  const store = createDiskStore(freshFolder());
  const whole = Buffer.concat([...bytes(3 * MB)]);
  const put = (start: number, end: number) =>
    store.putPart?.('a', [whole.subarray(start, end)], { ...png, maxBytes: end - start, start });
  await Promise.all([put(2 * MB, 3 * MB), put(0, MB)]);
  const before = await store.get('a');
  expect(before?.size).toBe(3 * MB);
  await put(MB, 2 * MB);
  await store.putPart?.('a', [Buffer.alloc(MB)], { ...png, maxBytes: MB, start: 3 * MB });
  expect(before && (await buffer(before.stream)).equals(whole)).toBe(true);
  expect(await store.stat('a')).toEqual({ size: 4 * MB, type: 'image/png' });
  expect(await Array.fromAsync(store.list())).toEqual(['a']);
  await expect(store.putPart?.('a', bytes(100), { ...png, maxBytes: 99, start: 0 })).rejects.toThrow(BlobTooLarge);
});

test('a blob of parts is begun by several processes at once, and anew where a crash left it without a beginning', async () => {
  const folder = freshFolder();
  const stores = [createDiskStore(folder), createDiskStore(folder), createDiskStore(folder)];
  const whole = Buffer.concat([...bytes(3 * MB)]);
  const put = (store: BlobStore | undefined, at: number) =>
    store?.putPart?.('a', [whole.subarray(at * MB, (at + 1) * MB)], { ...png, start: at * MB });
  await Promise.all(stores.map((store, at) => put(store, at)));
  expect((await contentOf(stores[0] as BlobStore, 'a'))?.equals(whole)).toBe(true);
  const file = readdirSync(folder, { recursive: true, withFileTypes: true }).find((entry) => entry.isFile());
  const name = path.join(file?.parentPath ?? '', file?.name ?? '');
  // Empty, or with content of another process beyond a beginning that was never written.
  for (const left of [Buffer.alloc(0), Buffer.alloc(500)]) {
    writeFileSync(name, left);
    expect(await Array.fromAsync(stores[1]?.list() ?? [])).toEqual([]);
    for (const at of [2, 1, 0]) await put(stores[at], at);
    expect((await contentOf(stores[1] as BlobStore, 'a'))?.equals(whole)).toBe(true);
    expect(await Array.fromAsync(stores[2]?.list() ?? [])).toEqual(['a']);
  }
});

test('bytes that nobody else has are freed once they are on the disk, others stay', async () => {
  const store = createDiskStore(freshFolder());
  const [own, part, kept] = [Buffer.alloc(MB, 1), Buffer.alloc(2 * MB, 2).subarray(0, MB), Buffer.alloc(MB, 3)];
  await store.put('own', [own, part], { ...png, isOwned: true });
  await store.put('kept', [kept], png);
  expect([own.length, part.length, kept.length]).toEqual([0, MB, MB]);
  expect((await contentOf(store, 'own'))?.equals(Buffer.concat([Buffer.alloc(MB, 1), part]))).toBe(true);
});

test('whoever reads from disk while a blob is replaced gets the one that was there', async () => {
  const store = createDiskStore(freshFolder());
  await store.put('a', bytes(MB, 1), png);
  const before = await store.get('a');
  await store.put('a', bytes(100, 2), text);
  expect(before && (await buffer(before.stream)).length).toBe(MB);
});

test('files on disk are for their owner only, and no drafts are left', async () => {
  const folder = freshFolder();
  const store = createDiskStore(path.join(folder, 'blobs'));
  await store.put('a/b', bytes(100), png);
  await expect(store.put('a/c', cutOff(100), png)).rejects.toThrow();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  const modes = files.map((file) => [
    file.isFile() ? 'file' : 'folder',
    (statSync(path.join(file.parentPath, file.name)).mode & 0o777).toString(8),
  ]);
  expect(modes.filter(([what]) => what === 'file')).toEqual([['file', '600']]);
  expect(new Set(modes.filter(([what]) => what === 'folder').map(([, mode]) => mode))).toEqual(new Set(['700']));
});

test('drafts of a process that was killed are removed when they are old', async () => {
  const folder = freshFolder();
  await createDiskStore(folder).put('a', [], png);
  const [old, young] = ['old', 'young'].map((name) => path.join(folder, 'tmp', name)) as [string, string];
  writeFileSync(old, 'draft');
  writeFileSync(young, 'draft');
  utimesSync(old, 0, 0);
  await createDiskStore(folder).put('b', [], png);
  expect(readdirSync(path.join(folder, 'tmp'))).toEqual(['young']);
});
