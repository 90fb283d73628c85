import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { readZip } from './zip.ts';
import { type StreamedFile, streamZip, writeZip } from './zip-writer.ts';

async function readBack(bytes: Buffer, isRead: (path: string) => boolean) {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-zip-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'a.zip');
  writeFileSync(file, bytes);
  const found = new Map<string, string>();
  await readZip(file, { maxEntries: 100_000, maxBytes: 1_000_000 }, async ({ path, content }) => {
    found.set(path, isRead(path) ? await text(content()) : '');
  });
  return found;
}

test('packs files that other programs can read, with the same bytes for the same files', async () => {
  const files = [
    ['TEST-a.xml', '<a>'.repeat(1000)],
    ['ü/TEST-b.xml', ''],
  ] as const;
  expect(await readBack(writeZip(files), () => true)).toEqual(new Map(files));
  expect(writeZip(files).equals(writeZip(files))).toBe(true);
});

test('packs more files than an archive without zip64 supports', async () => {
  const files = Array.from({ length: 66_000 }, (_, at) => [`${at}.xml`, at % 1000 === 0 ? String(at) : ''] as const);
  const found = await readBack(writeZip(files), (name) => name.endsWith('000.xml') && name !== '000.xml');
  expect(found.size).toBe(66_000);
  expect(found.get('65000.xml')).toBe('65000');
});

async function* inChunks(text: string, size = 10_000): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size));
}

test('packs streams of any size, compressed or stored', async () => {
  const texts = {
    'empty.txt': '',
    'ü/small.txt': 'a'.repeat(600),
    'large.txt': 'abc'.repeat(70_000),
    raw: 'xy'.repeat(90_000),
  };
  const files = Object.entries(texts).map(([name, text]) => ({
    name,
    content: inChunks(text),
    isStored: name === 'raw',
  }));
  const zip = await buffer(streamZip(files));
  expect(await readBack(zip, () => true)).toEqual(new Map(Object.entries(texts)));
  expect(zip.length).toBeLessThan(190_000);
});

test('opens each file when its turn comes, and reads it once', async () => {
  const count = 5_000;
  let opened = 0;
  let read = 0;
  async function* files(): AsyncGenerator<StreamedFile> {
    for (; opened < count; opened += 1) {
      expect(opened - read).toBeLessThan(2);
      const content = async function* () {
        read += 1;
        yield Buffer.from('a');
      };
      yield { name: `${opened}`, content: content() };
    }
  }
  expect((await readBack(await buffer(streamZip(files())), () => false)).size).toBe(count);
  expect(read).toBe(count);
});

test('fails with the error of an unreadable file', async () => {
  async function* broken(): AsyncGenerator<Buffer> {
    yield Buffer.alloc(200_000);
    throw new Error('the file is gone');
  }
  for (const isStored of [true, false])
    await expect(buffer(streamZip([{ name: 'a', content: broken(), isStored }]))).rejects.toThrow('the file is gone');
});
