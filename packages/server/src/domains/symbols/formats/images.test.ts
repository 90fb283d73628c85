import { expect, test } from 'vitest';
import { elf, fatMachO, machO, pdb } from '../../../../test/harness/images.ts';
import { isElf, readElf, readElfFunctions } from './elf.ts';
import { isMachO, readMachO, readMachOFunctions } from './mach-o.ts';
import { readPdb } from './pdb.ts';
import { bufferSource } from './source.ts';

const uuid = '8b0d1a5b3c6e3f0c9a7d1e2f3a4b5c6d';
const otherUuid = '00112233445566778899aabbccddeeff';

test('reads the ID, the architecture and the code address of a Mach-O file', () => {
  expect(readMachO(bufferSource(machO({ uuid })))).toEqual([
    { id: uuid, otherIds: [], arch: 'arm64', textAddress: '0x100000000', hasLines: true },
  ]);
  expect(readMachO(bufferSource(machO({ uuid, cpu: 0x01000007, subtype: 3, text: 0n, hasDwarf: false })))).toEqual([
    { id: uuid, otherIds: [], arch: 'x86_64', textAddress: '0x0', hasLines: false },
  ]);
});

test('a universal file has an ID for each architecture', () => {
  const file = fatMachO(
    { cpu: 0x0100000c, content: machO({ uuid }) },
    { cpu: 0x01000007, content: machO({ uuid: otherUuid, cpu: 0x01000007 }) },
  );
  expect(readMachO(bufferSource(file)).map(({ id, arch }) => [id, arch])).toEqual([
    [uuid, 'arm64'],
    [otherUuid, 'x86_64'],
  ]);
});

test('a Mach-O file without an ID has none', () => {
  expect(readMachO(bufferSource(machO({})))).toEqual([]);
});

test('finds functions of a Mach-O file by address, without the underscore', () => {
  const symbols = [
    ['pay', 0x100001000n],
    ['refund', 0x100002000n],
  ] as const;
  const functions = readMachOFunctions(bufferSource(machO({ uuid, symbols })), uuid);
  expect([0x100001000n, 0x100001fffn, 0x100002abcn, 0xfffn].map((at) => functions.find(at)?.method)).toEqual([
    'pay',
    'pay',
    'refund',
    undefined,
  ]);
});

test('a Java class file is not a Mach-O file, although it starts alike', () => {
  expect(isMachO(Buffer.from('cafebabe00000034', 'hex'))).toBe(false);
  expect(isMachO(Buffer.from('cafebabe00000002', 'hex'))).toBe(true);
  expect([isMachO(Buffer.from('cafe', 'hex')), isElf(Buffer.from('7f', 'hex'))]).toEqual([false, false]);
});

test('identifies an ELF file by its build ID, as Breakpad ID and completely', () => {
  expect(readElf(bufferSource(elf({ buildId: '00112233445566778899aabbccddeeff01234567' })))).toEqual({
    id: '33221100554477668899AABBCCDDEEFF0',
    otherIds: ['00112233445566778899aabbccddeeff01234567'],
    arch: 'arm64',
    textAddress: '0x0',
    hasLines: false,
  });
  expect(readElf(bufferSource(elf({})))).toBeUndefined();
  expect(readElfFunctions(bufferSource(elf({}))).find(1n)).toBeUndefined();
});

test('identifies a PDB by its GUID and the age that executables refer to', () => {
  expect(readPdb(bufferSource(pdb({ guid: '00112233445566778899aabbccddeeff', age: 3 }))).id).toBe(
    '33221100554477668899aabbccddeeff-3',
  );
});

test('reads or refuses truncated and overwritten files, and nothing else happens', () => {
  const files = [machO({ uuid, symbols: [['pay', 1n]] }), elf({ buildId: uuid }), pdb({ guid: uuid, age: 1 })];
  const readers = [readMachO, readElf, readPdb, readElfFunctions];
  const names = new Set<string>();
  for (const file of files) {
    for (let at = 0; at < Math.min(file.length, 700); at++) {
      const broken = Buffer.from(file);
      broken.fill(0xff, at, Math.min(at + 4, file.length));
      for (const content of [broken, file.subarray(0, at)]) {
        for (const read of readers) {
          try {
            read(bufferSource(content));
          } catch (error) {
            names.add((error as Error).name);
          }
        }
      }
    }
  }
  expect([...names]).toEqual(['Unreadable']);
});
