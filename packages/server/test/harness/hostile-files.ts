import { deflateRawSync, deflateSync } from 'node:zlib';
import { elf, fatMachO, machO, minidump, pdb } from './images.ts';

/**
 * Malicious files for every parser of uploads: with wrong counts and sizes, overlapping parts, and high compression.
 * Small by default; `scale` enlarges them up to the upload limits.
 */
const u32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, at * 4);
  return bytes;
};
const patched = (content: Buffer, ...changes: (readonly [at: number, bytes: Buffer])[]): Buffer => {
  const copy = Buffer.from(content);
  for (const [at, bytes] of changes) bytes.copy(copy, at);
  return copy;
};
const u64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
};
const u16 = (value: number): Buffer => u32(value).subarray(0, 2);

export interface Section {
  type: number;
  flags?: number;
  name?: string;
  offset: number;
  size: number;
}

/** An ELF file with a section table. */
export function elfWithSections(sections: readonly Section[], content: Buffer = Buffer.alloc(0)): Buffer {
  const head = elf({ buildId: '00112233445566778899aabbccddeeff01234567' });
  const names = Buffer.from(`\0${sections.map(({ name = '' }) => `${name}\0`).join('')}`);
  const contentAt = head.length;
  const namesAt = contentAt + content.length;
  const tableAt = namesAt + names.length;
  let nameAt = 1;
  const entry = ({ type, flags = 0, offset, size }: Section, at: number) =>
    Buffer.concat([
      u32(at, type),
      u64(BigInt(flags)),
      u64(0n),
      u64(BigInt(offset)),
      u64(BigInt(size)),
      Buffer.alloc(24),
    ]);
  const table = sections.map((section) => {
    const made = entry(section, nameAt);
    nameAt += (section.name ?? '').length + 1;
    return made;
  });
  const strings = entry({ type: 3, offset: namesAt, size: names.length }, 0);
  const changes = [
    [40, u64(BigInt(tableAt))],
    [60, u16(table.length + 1)],
    [62, u16(table.length)],
  ] as const;
  return Buffer.concat([patched(head, ...changes), content, names, ...table, strings]);
}

/** A minidump whose modules and threads all share the same name, ID and stack. */
export function repeatingDump({ modules, threads, nameChars = 1, idBytes = 20 }: Record<string, number>): Buffer {
  const count = modules ?? 0;
  const dump = minidump({
    modules: [{ base: 0n, size: 0x1000, path: '€'.repeat(nameChars ?? 1), buildId: '07'.repeat(idBytes ?? 20) }],
    threads: [{ id: 1, context: context(), stack: { start: 0x7fff0000n, content: stack() } }],
  });
  const [moduleAt, threadAt] = [dump.readUInt32LE(40), dump.readUInt32LE(52)];
  const repeat = (entry: Buffer, times: number, change: (copy: Buffer, index: number) => void): Buffer => {
    const all = Buffer.alloc(4 + times * entry.length);
    all.writeUInt32LE(times, 0);
    for (let index = 0; index < times; index += 1) {
      const copy = Buffer.from(entry);
      change(copy, index);
      copy.copy(all, 4 + index * entry.length);
    }
    return all;
  };
  const moduleList = repeat(dump.subarray(moduleAt + 4, moduleAt + 112), count, (copy, index) =>
    copy.writeBigUInt64LE(BigInt(index) * 0x1000n, 0),
  );
  const threadList = repeat(dump.subarray(threadAt + 4, threadAt + 52), threads ?? 0, (copy, index) =>
    copy.writeUInt32LE(index, 0),
  );
  const places = [
    [36, u32(moduleList.length, dump.length)],
    [48, u32(threadList.length, dump.length + moduleList.length)],
  ] as const;
  return Buffer.concat([patched(dump, ...places), moduleList, threadList]);
}

function context(): Buffer {
  const bytes = Buffer.alloc(1232);
  bytes.writeBigUInt64LE(0x7fff0000n, 0x98);
  bytes.writeBigUInt64LE(0x10n, 0xf8);
  return bytes;
}

/** Every word is a return address. */
function stack(): Buffer {
  const bytes = Buffer.alloc(16_384);
  for (let at = 0; at < bytes.length; at += 8) bytes.writeBigUInt64LE(0x1010n, at);
  return bytes;
}

const uuid = '00112233445566778899aabbccddeeff';
const sourceMap = (fields: object): Buffer =>
  Buffer.from(JSON.stringify({ version: 3, sources: ['a.js'], names: [], mappings: 'AAAA', ...fields }));

export interface HostileFile {
  shape: string;
  type: 'Apple' | 'JavaScript' | 'Breakpad' | 'AndroidProguard' | 'UWP';
  name: string;
  content: Buffer;
}

/** Symbol uploads; `scale` multiplies the repeated parts. */
export function hostileSymbols(scale = 1): HostileFile[] {
  const file =
    (type: HostileFile['type'], name: string) =>
    (shape: string, content: Buffer | string): HostileFile => ({ shape, type, name, content: Buffer.from(content) });
  const [so, dsym, sym, mapping, map, windowsSymbols] = [
    file('Breakpad', 'lib.so'),
    file('Apple', 'App'),
    file('Breakpad', 'lib.sym'),
    file('AndroidProguard', 'mapping.txt'),
    file('JavaScript', 'index.map'),
    file('UWP', 'app.pdb'),
  ];
  const sound = elf({ buildId: uuid });
  const mach = machO({ uuid });
  const thin = fatMachO({ cpu: 0x0100000c, content: mach });
  const windows = pdb({ guid: uuid, age: 1 });
  const sections = (count: number, section: Section) => Array.from({ length: count }, () => section);
  const deep = (levels: number) =>
    `${'{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":'.repeat(levels)}{"version":3,"sources":[],"mappings":""}${'}]}'.repeat(levels)}`;
  return [
    so('ELF, a table of sections past its end', patched(sound, [40, u64(1n << 60n)], [60, u16(0xffff)])),
    so('ELF, headers of 65,535 bytes', patched(sound, [40, u64(64n)], [58, u16(0xffff)], [60, u16(0xffff)])),
    so(
      'ELF, 60,000 notes over the same bytes',
      elfWithSections(
        sections(60_000, { type: 7, offset: 64, size: 8_000_000 }),
        Buffer.alloc(8_000_000 * Math.min(scale, 10)),
      ),
    ),
    so(
      'ELF, a section that inflates to a terabyte',
      elfWithSections([{ type: 1, flags: 0x800, name: '.debug_info', offset: 64, size: 24 }], Buffer.alloc(64)).fill(
        u64(1n << 40n),
        72,
        80,
      ),
    ),
    so(
      'ELF, an old section that inflates to a terabyte',
      elfWithSections(
        [{ type: 1, name: '.zdebug_info', offset: 212, size: 64 }],
        Buffer.concat([Buffer.from('ZLIB'), Buffer.from(u64(1n << 40n)).reverse(), Buffer.alloc(64)]),
      ),
    ),
    so('ELF, a build id of a megabyte', elf({ buildId: 'ab'.repeat(1_000_000) })),
    so('ELF, cut off', sound.subarray(0, 100)),
    so(
      'ELF, names without an end',
      elfWithSections(sections(60_000, { type: 1, name: 'a', offset: 0, size: 1 })).subarray(0, -64),
    ),
    dsym('Mach-O, 2^32 architectures', patched(thin, [4, Buffer.alloc(4, 0xff)])),
    dsym('Mach-O, fat in fat', fatMachO({ cpu: 7, content: thin })),
    dsym('Mach-O, slices past its end', patched(thin, [16, Buffer.alloc(4, 0xfe)])),
    dsym('Mach-O, 4 GB of load commands', patched(mach, [20, u32(0xffffffff)])),
    dsym('Mach-O, load commands of no bytes', patched(mach, [36, u32(0)])),
    sym('Breakpad, no name', `MODULE Linux x86_64 0 ${'a'.repeat(1_000_000)}`),
    mapping('mapping, one line', `a -> ${'b'.repeat(20_000_000 * scale)}:`),
    mapping('mapping, no classes', '    int a() -> b\n'.repeat(200_000 * scale)),
    map('source map, deep sections', deep(30_000)),
    map('source map, 7 million places', sourceMap({ mappings: ','.repeat(7_000_000) })),
    map('source map, 40 MB of mappings', sourceMap({ mappings: 'A'.repeat(40_000_000) })),
    map('source map, lines without end', sourceMap({ mappings: ';'.repeat(3_000_000) })),
    map(
      'source map, many sections',
      JSON.stringify({
        version: 3,
        sections: Array.from({ length: 60_000 }, () => ({ offset: { line: 0, column: 0 }, map: {} })),
      }),
    ),
    map(
      'source map, sections far away',
      JSON.stringify({
        version: 3,
        sections: [{ offset: { line: 1e300, column: 0 }, map: { version: 3, sources: [], mappings: '' } }],
      }),
    ),
    map('source map, many sources', sourceMap({ sources: Array.from({ length: 600_000 }, () => 'a') })),
    map('source map, deep JSON', `${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}`),
    map('source map, no map', '[1]'),
    windowsSymbols('PDB, a directory of 16 MB', patched(windows, [44, u32(16_777_216)])),
    windowsSymbols('PDB, blocks past its end', patched(windows, [52, u32(0xffffffff)])),
    windowsSymbols('PDB, 2^32 streams', patched(windows, [1024, u32(0xffffffff)])),
    windowsSymbols('PDB, blocks of no bytes', patched(windows, [32, u32(0)])),
    windowsSymbols('PDB, streams past the directory', patched(windows, [1028, u32(0xfffffff0, 0xfffffff0)])),
  ];
}

export const hostileDumps = (): { shape: string; content: Buffer }[] => {
  const sound = repeatingDump({ modules: 1, threads: 1 });
  return [
    { shape: '2^32 streams', content: patched(sound, [8, u32(0xffffffff)]) },
    { shape: 'streams past its end', content: patched(sound, [40, u32(0xfffffff0)]) },
    { shape: '2^32 threads', content: patched(sound, [sound.readUInt32LE(52), u32(0xffffffff)]) },
    { shape: '2^32 modules', content: patched(sound, [sound.readUInt32LE(40), u32(0xffffffff)]) },
    {
      shape: 'many modules with one long name',
      content: repeatingDump({ modules: 10_000, threads: 1, nameChars: 4_096 }),
    },
    { shape: 'cut off', content: sound.subarray(0, 60) },
    { shape: 'no dump', content: Buffer.from('MDMP') },
  ];
};

/** A PNG with these declared dimensions, and the smallest data that zlib makes of zeros. */
export function hugePng(width: number, height: number, inflated = 10_000_000): Buffer {
  const chunk = (type: string, content: Buffer): Buffer => {
    const size = Buffer.alloc(4);
    size.writeUInt32BE(content.length);
    return Buffer.concat([size, Buffer.from(type), content, Buffer.alloc(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 6], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(inflated))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

interface ZipEntry {
  name: string;
  content: Buffer;
  /** Fields of the central directory. */
  size?: number;
  packed?: number;
  at?: number;
}

/** A zip with an arbitrary central directory. */
export function lyingZip(entries: readonly ZipEntry[], { count = entries.length } = {}): Buffer {
  const files: Buffer[] = [];
  const list: Buffer[] = [];
  let at = 0;
  for (const { name, content, size = content.length, packed, at: place } of entries) {
    const bytes = deflateRawSync(content);
    const fields = Buffer.concat([
      u16(20),
      u16(0),
      u16(8),
      u32(0),
      u32(0),
      u32(packed ?? bytes.length, size),
      u16(name.length),
      u16(0),
    ]);
    const file = Buffer.concat([u32(0x04034b50), fields, Buffer.from(name), bytes]);
    list.push(
      Buffer.concat([
        u32(0x02014b50),
        u16(20),
        fields,
        u16(0),
        u16(0),
        u16(0),
        u32(0),
        u32(place ?? at),
        Buffer.from(name),
      ]),
    );
    files.push(file);
    at += file.length;
  }
  const size = list.reduce((sum, { length }) => sum + length, 0);
  const end = Buffer.concat([u32(0x06054b50), u16(0), u16(0), u16(count), u16(count), u32(size, at), u16(0)]);
  return Buffer.concat([...files, ...list, end]);
}

export const hostileZips = (): { shape: string; content: Buffer }[] => {
  const zeros = Buffer.alloc(1_000_000);
  const entry = { name: 'a', content: zeros };
  return [
    { shape: 'two files of one name', content: lyingZip([entry, entry]) },
    {
      shape: 'overlapping files',
      content: lyingZip(Array.from({ length: 2_000 }, (_, n) => ({ ...entry, name: `${n}`, at: 0 }))),
    },
    { shape: 'a size that is not true', content: lyingZip([{ ...entry, size: 10 }]) },
    { shape: 'a size of 4 GB', content: lyingZip([{ ...entry, size: 0xfffffffe }]) },
    {
      shape: 'sizes of zip64 that are not there',
      content: lyingZip([{ ...entry, size: 0xffffffff, packed: 0xffffffff }]),
    },
    { shape: 'more entries than are listed', content: lyingZip([entry], { count: 60_000 }) },
    { shape: 'a name that leaves the archive', content: lyingZip([{ ...entry, name: '../../etc/passwd' }]) },
    { shape: 'an absolute name', content: lyingZip([{ ...entry, name: '/etc/passwd' }]) },
    { shape: 'places past its end', content: lyingZip([{ ...entry, at: 0xfffffff0 }]) },
    { shape: 'no list', content: Buffer.concat([u32(0x04034b50), Buffer.alloc(1_000)]) },
  ];
};
