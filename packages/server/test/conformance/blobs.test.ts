import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type S3Server, startS3 } from '../../../../test-support/s3.ts';
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

/** Bytes that differ at each position, in chunks of an odd size. */
function* bytes(size: number, seed = 0): Generator<Buffer> {
  for (let at = 0; at < size; at += 65_537) {
    const length = Math.min(65_537, size - at);
    yield Buffer.alloc(length, `${seed}:${at};`);
  }
}

async function readContent(store: BlobStore, key: string): Promise<Buffer | undefined> {
  const blob = await store.get(key);
  return blob && buffer(blob.stream);
}

/** Some content, then the sender disconnects. */
async function* cutOff(size: number): AsyncGenerator<Buffer> {
  yield* bytes(size);
  throw new Error('the sender is gone');
}

describe.each(Object.keys(stores))('blobs on %s', (kind) => {
  const open = (): BlobStore => stores[kind]?.() as BlobStore;

  test('reads back content with its size and type', async () => {
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
  ])('reads the range %o alone, with the size of the whole blob', async (range, part) => {
    const store = open();
    await store.put('a/b.png', [Buffer.from('moor')], png);
    const blob = await store.get('a/b.png', range);
    expect([blob?.size, blob?.type, blob && (await buffer(blob.stream)).toString()]).toEqual([4, 'image/png', part]);
    expect(await store.get('a/none.png', range)).toBeUndefined();
  });

  test('lists every key of many', async () => {
    const store = open();
    expect(await Array.fromAsync(store.list())).toEqual([]);
    const keys = Array.from({ length: 25 }, (_, n) => `list/${n % 3}/${n}.png`);
    for (const key of keys) await store.put(key, [Buffer.from('x')], png);
    await store.put('a', [Buffer.from('x')], png);
    await store.delete('list/0/0.png');
    expect((await Array.fromAsync(store.list())).sort()).toEqual([...keys.slice(1), 'a'].sort());
  });

  test('finds nothing for an unknown key, and deletes it without an error', async () => {
    const store = open();
    expect(await store.get('missing')).toBeUndefined();
    expect(await store.stat('missing')).toBeUndefined();
    await store.put('a', [Buffer.from('x')], png);
    await store.delete('a');
    await store.delete('a');
    expect(await store.get('a')).toBeUndefined();
    expect(await store.stat('a')).toBeUndefined();
  });

  test('keeps the latest of two puts, with its type', async () => {
    const store = open();
    await store.put('a', [Buffer.from('first, and longer')], png);
    await store.put('a', [Buffer.from('second')], text);
    expect(await store.stat('a')).toEqual({ size: 6, type: text.type });
    expect(await readContent(store, 'a')).toEqual(Buffer.from('second'));
  });

  test('stores an empty blob', async () => {
    const store = open();
    expect(await store.put('empty', [], png)).toEqual({ size: 0, type: 'image/png' });
    expect(await store.stat('empty')).toEqual({ size: 0, type: 'image/png' });
    expect(await readContent(store, 'empty')).toEqual(Buffer.alloc(0));
  });

  test.each([5 * MB, 8 * MB, 17 * MB + 1])('stores %i bytes unchanged', async (size) => {
    const store = open();
    expect(await store.put('large', Readable.from(bytes(size)), png)).toEqual({ size, type: 'image/png' });
    const read = await readContent(store, 'large');
    expect(read?.equals(Buffer.concat([...bytes(size)]))).toBe(true);
    expect(await store.stat('large')).toEqual({ size, type: 'image/png' });
  });

  test('keeps unusual keys apart', async () => {
    const store = open();
    const keys = ['a', 'a/b', 'a/b/c', 'a.b', 'a..b', '-', '_', '0', `${'k'.repeat(100)}/`.repeat(5).slice(0, -1)];
    for (const key of keys) await store.put(key, [Buffer.from(key)], text);
    for (const key of keys) expect(String(await readContent(store, key))).toBe(key);
    await store.delete('a');
    expect(String(await readContent(store, 'a/b'))).toBe('a/b');
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
  ])('refuses the key %j in all operations', async (key) => {
    const store = open();
    await expect(store.put(key, [], png)).rejects.toThrow('is not a valid blob key');
    await expect(store.get(key)).rejects.toThrow('is not a valid blob key');
    await expect(store.stat(key)).rejects.toThrow('is not a valid blob key');
    await expect(store.delete(key)).rejects.toThrow('is not a valid blob key');
  });

  test('refuses a type that would break a header', async () => {
    const type = 'image/png\r\nset-cookie: a=b';
    await expect(open().put('a', [], { ...png, type })).rejects.toThrow('is not a valid blob type');
  });

  test.each([10, 9 * MB])('keeps the previous blob if content breaks off after %i bytes', async (size) => {
    const store = open();
    await expect(store.put('new', cutOff(size), png)).rejects.toThrow('the sender is gone');
    expect(await store.get('new')).toBeUndefined();
    await store.put('old', [Buffer.from('old')], text);
    await expect(store.put('old', cutOff(size), png)).rejects.toThrow('the sender is gone');
    expect(await store.stat('old')).toEqual({ size: 3, type: text.type });
  });

  test('treats a destroyed stream as broken off', async () => {
    const store = open();
    const source = new Readable({ read: () => undefined });
    source.push(Buffer.from('half'));
    const put = store.put('a', source, png);
    source.destroy();
    await expect(put).rejects.toThrow();
    expect(await store.stat('a')).toBeUndefined();
  });

  test.each([4, 10 * MB])('refuses more than %i bytes while they arrive', async (maxBytes) => {
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

  test('stores one of several concurrent puts completely', async () => {
    const store = open();
    const sizes = [3 * MB, 10 * MB, 100, 2 * MB, 9 * MB];
    await Promise.all(sizes.map((size, seed) => store.put('a', Readable.from(bytes(size, seed)), png)));
    const read = await readContent(store, 'a');
    const winner = sizes.indexOf(read?.length ?? 0);
    expect(read?.equals(Buffer.concat([...bytes(sizes[winner] ?? 0, winner)]))).toBe(true);
  });

  test('a check succeeds and leaves nothing', async () => {
    await open().check();
  });
});

test('a signed URL of S3 needs no credentials; the disk has none', async () => {
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

test('aborts the parts of an upload that breaks off', async () => {
  const from = s3.requests.length;
  await expect(stores.s3?.().put('parts', cutOff(17 * MB), png)).rejects.toThrow('the sender is gone');
  expect(s3.requests.slice(from).some((line) => /^DELETE .*\/parts\?.*uploadId=/.test(line))).toBe(true);
});

test('a check reports a missing bucket or a wrong key', async () => {
  await expect(createS3Store({ ...s3.options, bucket: 'nowhere' }).check()).rejects.toThrow(/bucket does not exist/);
  const credentials = { accessKeyId: 'nobody', secretAccessKey: 'wrong' };
  await expect(createS3Store({ ...s3.options, credentials }).check()).rejects.toThrow();
});

test('writes parts of a blob on disk in any order and in parallel, without affecting readers', async () => {
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

test('starts a blob in several processes in parallel, and again after a crash without a head', async () => {
  const folder = freshFolder();
  const stores = [createDiskStore(folder), createDiskStore(folder), createDiskStore(folder)];
  const whole = Buffer.concat([...bytes(3 * MB)]);
  const put = (store: BlobStore | undefined, at: number) =>
    store?.putPart?.('a', [whole.subarray(at * MB, (at + 1) * MB)], { ...png, start: at * MB });
  await Promise.all(stores.map((store, at) => put(store, at)));
  expect((await readContent(stores[0] as BlobStore, 'a'))?.equals(whole)).toBe(true);
  const file = readdirSync(folder, { recursive: true, withFileTypes: true }).find((entry) => entry.isFile());
  const name = path.join(file?.parentPath ?? '', file?.name ?? '');
  // Empty, or with another process's content after a head that was never written.
  for (const left of [Buffer.alloc(0), Buffer.alloc(500)]) {
    writeFileSync(name, left);
    expect(await Array.fromAsync(stores[1]?.list() ?? [])).toEqual([]);
    for (const at of [2, 1, 0]) await put(stores[at], at);
    expect((await readContent(stores[1] as BlobStore, 'a'))?.equals(whole)).toBe(true);
    expect(await Array.fromAsync(stores[2]?.list() ?? [])).toEqual(['a']);
  }
});

test('frees bytes that no other code uses once they are written', async () => {
  const store = createDiskStore(freshFolder());
  const [own, part, copied] = [Buffer.alloc(MB, 1), Buffer.alloc(2 * MB, 2).subarray(0, MB), Buffer.alloc(MB, 3)];
  await store.put('own', [own, part], { ...png, isOwned: true });
  await store.put('kept', [copied], png);
  expect([own.length, part.length, copied.length]).toEqual([0, MB, MB]);
  expect((await readContent(store, 'own'))?.equals(Buffer.concat([Buffer.alloc(MB, 1), part]))).toBe(true);
});

test('readers on disk see the old blob while it is replaced', async () => {
  const store = createDiskStore(freshFolder());
  await store.put('a', bytes(MB, 1), png);
  const before = await store.get('a');
  await store.put('a', bytes(100, 2), text);
  expect(before && (await buffer(before.stream)).length).toBe(MB);
});

test('files on disk are private, and no drafts remain', async () => {
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

test('removes old drafts of a killed process', async () => {
  const folder = freshFolder();
  await createDiskStore(folder).put('a', [], png);
  const [old, young] = ['old', 'young'].map((name) => path.join(folder, 'tmp', name)) as [string, string];
  writeFileSync(old, 'draft');
  writeFileSync(young, 'draft');
  utimesSync(old, 0, 0);
  await createDiskStore(folder).put('b', [], png);
  expect(readdirSync(path.join(folder, 'tmp'))).toEqual(['young']);
});
