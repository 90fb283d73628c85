import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { readZip } from './zip.ts';
import { writeZip } from './zip-writer.ts';

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

test('packs files that an ordinary reader finds again, and the same files give the same bytes', async () => {
  const files = [
    ['TEST-a.xml', '<a>'.repeat(1000)],
    ['ü/TEST-b.xml', ''],
  ] as const;
  expect(await readBack(writeZip(files), () => true)).toEqual(new Map(files));
  expect(writeZip(files).equals(writeZip(files))).toBe(true);
});

test('packs more files than a plain archive can count', async () => {
  const files = Array.from({ length: 66_000 }, (_, at) => [`${at}.xml`, at % 1000 === 0 ? String(at) : ''] as const);
  const found = await readBack(writeZip(files), (name) => name.endsWith('000.xml') && name !== '000.xml');
  expect(found.size).toBe(66_000);
  expect(found.get('65000.xml')).toBe('65000');
});
