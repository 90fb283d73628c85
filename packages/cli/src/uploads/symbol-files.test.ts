import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { elfId, findSymbolFiles, machIds } from './symbol-files.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'mooring-symbols-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const uuid = '8b0d1a5b3c6e3f0c9a7d1e2f3a4b5c6d';

const u32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, index * 4);
  return bytes;
};
const machO = Buffer.concat([u32(0xfeedfacf, 0x0100000c, 0, 10, 1, 24, 0, 0, 0x1b, 24), Buffer.from(uuid, 'hex')]);

/** An ELF file with a note and, unless stripped, a symbol table. */
function elf(hasSymbols: boolean): Buffer {
  const head = Buffer.alloc(64);
  head.write('\x7fELF\x02\x01', 'latin1');
  head.writeBigUInt64LE(64n, 40);
  head.writeUInt16LE(64, 58);
  head.writeUInt16LE(2, 60);
  const note = Buffer.concat([u32(4, 16, 3), Buffer.from('GNU\0'), Buffer.from(uuid, 'hex')]);
  const section = (type: number, offset: number, size: number): Buffer => {
    const entry = Buffer.alloc(64);
    entry.writeUInt32LE(type, 4);
    entry.writeBigUInt64LE(BigInt(offset), 24);
    entry.writeBigUInt64LE(BigInt(size), 32);
    return entry;
  };
  return Buffer.concat([head, section(7, 192, note.length), section(hasSymbols ? 2 : 1, 0, 0), note]);
}

const createRead =
  (content: Buffer) =>
  (offset: number, length: number): Buffer =>
    content.subarray(offset, offset + length);

beforeAll(() => {
  const put = (name: string, content: Buffer | string) => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  };
  put('Shop.xcarchive/dSYMs/Shop.app.dSYM/Contents/Resources/DWARF/Shop', machO);
  put('Shop.xcarchive/Products/Shop.app/Shop', machO);
  put('lib/arm64-v8a/libshop.so', elf(true));
  put('lib/stripped/libshop.so', elf(false));
  put('outputs/mapping/mapping.txt', 'a.B -> c:\n');
  put('index.bundle.map', '{"version":3}');
  put('libkit.so.sym', `MODULE Linux arm64 ${'AB'.repeat(16)}0 libkit.so\n`);
  put('Shop.appxsym', 'PK');
  put('node_modules/some/index.js.map', '{"version":3}');
  put('readme.map', 'not a map');
});

it('finds symbols of every kind in a folder, each with the IDs that the server will assign', () => {
  const { symbolFiles, skipped } = findSymbolFiles([folder]);
  const shown = symbolFiles.map(({ file, type, ids }) => [path.relative(folder, file), type, ids]);
  expect(shown).toEqual([
    ['Shop.appxsym', 'UWP', []],
    ['Shop.xcarchive/dSYMs/Shop.app.dSYM/Contents/Resources/DWARF/Shop', 'Apple', [uuid]],
    ['index.bundle.map', 'JavaScript', [expect.stringMatching(/^[0-9a-f]{32}$/)]],
    ['lib/arm64-v8a/libshop.so', 'Breakpad', ['5B1A0D8B6E3C0C3F9A7D1E2F3A4B5C6D0']],
    ['libkit.so.sym', 'Breakpad', [`${'AB'.repeat(16)}0`]],
    ['outputs/mapping/mapping.txt', 'AndroidProguard', [expect.stringMatching(/^[0-9a-f]{32}$/)]],
  ]);
  expect(skipped).toEqual([
    { file: path.join(folder, 'lib/stripped/libshop.so'), reason: 'Stripped. Upload the unstripped file.' },
  ]);
});

it('accepts an executable that is passed directly, and explains why a file is skipped', () => {
  const program = path.join(folder, 'Shop.xcarchive/Products/Shop.app/Shop');
  expect(findSymbolFiles([program]).symbolFiles).toMatchObject([{ type: 'Apple', ids: [uuid] }]);
  const readme = path.join(folder, 'readme.map');
  expect(findSymbolFiles([readme]).skipped).toEqual([{ file: readme, reason: 'Contains no known kind of symbols.' }]);
  expect(() => findSymbolFiles([path.join(folder, 'nothing')])).toThrow("Can't read");
});

it('never throws on truncated or corrupt files', () => {
  for (const file of [machO, elf(true)]) {
    for (let at = 0; at < file.length; at += 2) {
      const broken = Buffer.from(file);
      broken.fill(0xff, at, Math.min(at + 4, file.length));
      for (const content of [broken, file.subarray(0, at)]) {
        expect([machIds(createRead(content)), elfId(createRead(content))]).toHaveLength(2);
      }
    }
  }
});
