import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createZip, type ZipEntry } from '../../../../../../test-support/zip.ts';
import { elf, fatMachO, machO, pdb } from '../../../../test/harness/images.ts';
import { collectSymbols, type SymbolType } from './collect.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const uuid = '8b0d1a5b3c6e3f0c9a7d1e2f3a4b5c6d';
const sym = (id: string) => `MODULE Linux arm64 ${id} libshop.so\nFUNC 0 10 0 pay\n`;
const dwarf = 'Shop.app.dSYM/Contents/Resources/DWARF/Shop';

function writeFolder(content: Buffer | string) {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-collect-'));
  folders.push(folder);
  const file = path.join(folder, 'upload');
  writeFileSync(file, content);
  return { folder, file };
}

async function collect(
  type: SymbolType,
  content: Buffer | string,
  name = 'upload.zip',
  limits?: Parameters<typeof collectSymbols>[0]['limits'],
) {
  const { folder, file } = writeFolder(content);
  const { symbols, passedOver } = await collectSymbols({ file, name, type, folder, limits });
  return { found: symbols.map(({ format, name, id, arch }) => [format, name, id, arch]), passedOver, symbols, folder };
}

test('finds dSYMs in an archive, in any folder, each architecture once', async () => {
  const fat = fatMachO(
    { cpu: 0x0100000c, content: machO({ uuid }) },
    { cpu: 0x01000007, content: machO({ uuid: 'ab'.repeat(16), cpu: 0x01000007 }) },
  );
  const { found, symbols, folder } = await collect(
    'Apple',
    createZip(
      { name: 'Shop.app.dSYM/Contents/Info.plist', content: '<plist/>' },
      { name: dwarf, content: fat },
      { name: `__MACOSX/${dwarf}`, content: fat },
      { name: `again/${dwarf}`, content: machO({ uuid }) },
      { name: 'index.ios.bundle.map', content: '{"version":3,"sources":[],"mappings":""}' },
    ),
  );
  expect(found).toEqual([
    ['mach-o', 'Shop', uuid, 'arm64'],
    ['mach-o', 'Shop', 'ab'.repeat(16), 'x86_64'],
    ['source-map', 'index.ios.bundle', expect.stringMatching(/^[0-9a-f]{32}$/), ''],
  ]);
  expect(readFileSync(symbols[0]?.file ?? '').equals(fat)).toBe(true);
  expect(readdirSync(folder).every((name) => /^(upload|symbols-\d+)$/.test(name))).toBe(true);
});

test.each<[SymbolType, string, Buffer | string, [format: string, name: string, id: string]]>([
  [
    'Breakpad',
    'a.zip',
    createZip({ name: 'x/libshop.so.sym', content: sym(`${'AB'.repeat(16)}0`) }),
    ['breakpad', 'libshop.so', `${'AB'.repeat(16)}0`],
  ],
  [
    'Breakpad',
    'a.zip',
    createZip({ name: 'arm64-v8a/libshop.so', content: elf({ buildId: uuid }) }),
    ['elf', 'libshop.so', '5B1A0D8B6E3C0C3F9A7D1E2F3A4B5C6D0'],
  ],
  ['Breakpad', 'libshop.so.sym', sym(`${'AB'.repeat(16)}0`), ['breakpad', 'libshop.so', `${'AB'.repeat(16)}0`]],
  [
    'AndroidProguard',
    'mapping.txt',
    'org.example.Cart -> a.b:\n',
    ['mapping', 'mapping.txt', '5c1a7a92ce7c6d1f9a47f66d6d1a5f1b'],
  ],
  ['JavaScript', 'index.bundle.map', '{"version":3,"sources":[],"mappings":""}', ['source-map', 'index.bundle', '']],
  [
    'UWP',
    'Shop.appxsym',
    createZip({ name: 'Shop.pdb', content: pdb({ guid: uuid, age: 2 }) }),
    ['pdb', 'Shop.pdb', '5b1a0d8b6e3c0c3f9a7d1e2f3a4b5c6d-2'],
  ],
  ['Apple', 'Shop', machO({ uuid }), ['mach-o', 'Shop', uuid]],
])('%s: accepts %s', async (type, name, content, [format, symbolName, id]) => {
  const { found } = await collect(type, content, name);
  const isOwnId = format === 'mapping' || format === 'source-map';
  expect(found).toEqual([
    [format, symbolName, isOwnId ? expect.stringMatching(/^[0-9a-f]{32}$/) : id, expect.any(String)],
  ]);
});

test('reports unusable files with the reason, and accepts the others', async () => {
  const { found, passedOver } = await collect(
    'Breakpad',
    createZip(
      { name: 'libgood.so', content: elf({ buildId: uuid }) },
      { name: 'libold.so', content: elf({}) },
      { name: 'bad.sym', content: 'MODULE nonsense\n' },
    ),
  );
  expect(found).toHaveLength(1);
  expect(passedOver).toEqual([
    {
      name: 'libold.so',
      reason: 'The file has no build ID (link with -Wl,--build-id), so reports cannot be matched to it.',
    },
    { name: 'bad.sym', reason: expect.stringMatching(/^The first line is not "MODULE/) },
  ]);
});

const bomb: ZipEntry = { name: 'bomb.sym', content: Buffer.concat([Buffer.from('MODULE '), Buffer.alloc(3_000_000)]) };
const small = { maxEntries: 10, maxBytes: 1_500_000 };
const module = (name: string): ZipEntry => ({
  name,
  content: Buffer.concat([Buffer.from('MODULE '), Buffer.alloc(900_000)]),
});

test.each<[what: string, content: Buffer | string, message: string | RegExp]>([
  [
    'no symbols',
    createZip({ name: 'readme.txt', content: 'hello' }),
    'The file contains no symbols of type Breakpad. Send a zip of .sym files',
  ],
  ['an empty file', '', 'The file contains no symbols of type Breakpad'],
  [
    'nothing of use',
    createZip({ name: 'a.so', content: elf({}) }),
    'None of the 1 files can be used. a.so: The file has no build ID',
  ],
  [
    'names that climb out',
    createZip({ name: '../../etc/cron.d/x', content: 'MODULE ' }),
    'Invalid archive: invalid relative path',
  ],
  ['names from the root', createZip({ name: '/etc/cron.d/x', content: 'MODULE ' }), 'Invalid archive: absolute path'],
  [
    'names of Windows that climb out',
    createZip({ name: '..\\..\\x', content: 'MODULE ' }),
    'Invalid archive: invalid relative path',
  ],
  ['a name twice', createZip(module('a.sym'), module('a.sym')), 'The archive has two files at "a.sym".'],
  ['a file that is encrypted', createZip({ ...module('a.sym'), isEncrypted: true }), '"a.sym" is encrypted'],
  [
    'a file that is larger than it says',
    createZip({ ...module('a.sym'), claimedSize: 10 }),
    /^Invalid archive: too many bytes/,
  ],
  ['a file that grows too large', createZip(bomb), 'The archive inflates to more than 1500000 bytes.'],
  [
    'files that are too large together',
    createZip(module('a.sym'), module('b.sym')),
    'The archive inflates to more than 1500000 bytes.',
  ],
  [
    'too many files',
    createZip(...Array.from({ length: 11 }, (_, index) => ({ name: `${index}`, content: '' }))),
    'The archive has more than 10 files.',
  ],
  ['a zip without its end', createZip(module('a.sym')).subarray(0, 500), 'Invalid archive:'],
])('refuses an upload with %s and a clear message', async (_, content, message) => {
  await expect(collect('Breakpad', content, 'upload', small)).rejects.toThrow(message);
});

test('refuses an archive that expands far more than symbols do before writing anything', async () => {
  const bomb = createZip({ name: 'a.sym', content: sym('0'.repeat(33)) + '\n'.repeat(40 * 2 ** 20) });
  const { folder, file } = writeFolder(bomb);
  const refused = collectSymbols({ file, name: 'upload.zip', type: 'Breakpad', folder });
  await expect(refused).rejects.toThrow('The archive expands to more than 50 times its size');
  expect(readdirSync(folder)).toEqual(['upload']);
});
