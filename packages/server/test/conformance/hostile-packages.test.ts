import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createIpa } from '../../../../tools/samples/packages.ts';
import { readImage } from '../../src/domains/avatars/images.ts';
import { readPackage } from '../../src/domains/codepush/packages/package-reading.ts';
import readRelease from '../../src/domains/releases/packages/read-package.ts';
import { Unreadable } from '../../src/workers/unreadable.ts';
import { hostileZips, hugePng } from '../harness/hostile-files.ts';

function toFile(content: Buffer): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-hostile-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'package');
  writeFileSync(file, content);
  return file;
}

test.each(hostileZips().map((one) => [one.shape, one.content] as const))(
  'releases and CodePush refuse a package with %s',
  async (_, content) => {
    const file = toFile(content);
    await expect(readPackage(file)).rejects.toBeInstanceOf(Unreadable);
    for (const kind of ['apk', 'ipa', 'aab', 'msix'] as const)
      await expect(readRelease({ file, kind }), kind).rejects.toBeInstanceOf(Unreadable);
  },
);

const plist = (inside: string): string => `<?xml version="1.0"?><plist version="1.0">${inside}</plist>`;
const entities = `<!DOCTYPE plist [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 9 }, (_, n) => `<!ENTITY ${'bcdefghij'[n]} "${`&${'abcdefghi'[n]};`.repeat(10)}">`).join('')}]>`;

test.each([
  ['deep lists', plist(`${'<array>'.repeat(200_000)}${'</array>'.repeat(200_000)}`)],
  ['a list that never ends', '<plist><dict><key>'],
  [
    'a binary list that holds itself',
    `bplist00\xa1\x00\x08${'\0'.repeat(6)}\x01\x01${'\0'.repeat(7)}\x01${'\0'.repeat(15)}\x0a`,
  ],
  ['a binary list of 2^64 objects', `bplist00\xa1\x00\x08${'\0'.repeat(6)}\x01\x01${'\xff'.repeat(24)}`],
])('a release refuses an app with a property list of %s', async (_, info) => {
  const file = toFile(createIpa({ info: Buffer.from(info, 'latin1') }));
  await expect(readRelease({ file, kind: 'ipa' })).rejects.toBeInstanceOf(Unreadable);
});

test('does not expand entities of a property list', async () => {
  const info = `${entities}${plist('<dict><key>CFBundleIdentifier</key><string>&j;</string></dict>')}`;
  const metadata = await readRelease({ file: toFile(createIpa({ info })), kind: 'ipa' });
  expect(metadata.bundleIdentifier).toBe('&j;');
});

test('reads the size of an image without decompressing it', () => {
  expect(readImage(hugePng(60_000, 60_000))).toEqual({ kind: 'png', width: 60_000, height: 60_000 });
  for (let length = 0; length < 40; length += 1) readImage(hugePng(60_000, 60_000, 10).subarray(0, length));
  expect(readImage(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'))).toBeUndefined();
});
