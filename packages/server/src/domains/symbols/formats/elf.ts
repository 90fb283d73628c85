import { Unreadable } from '../../../workers/unreadable.ts';
import { type Image, toBreakpadId } from './images.ts';
import { type FunctionNames, functionNames } from './mach-o.ts';
import { cString, readName, type Source } from './source.ts';

const MAX_HEADERS = 65_536;
/** Maximum bytes of one header; the formats have at most 64. */
const MAX_HEADER = 256;
/** Maximum bytes of all notes together: many sections can point to the same bytes. */
const MAX_NOTES = 4_194_304;
/** Maximum bytes of a build ID; linkers write at most 20. */
const MAX_BUILD_ID = 64;
/** Debug sections compress to a third. A file may always expand to the minimum, never beyond the maximum. */
const MAX_INFLATION = 20;
const MIN_INFLATED = 64 * 2 ** 20;
const MAX_INFLATED = 2 ** 30;
const SHF_COMPRESSED = 0x800;
const MAX_SYMBOLS = 8_000_000;
const SHT_SYMTAB = 2;
const SHT_NOTE = 7;
const SHT_NOBITS = 8;
const SHT_DYNSYM = 11;
const PT_LOAD = 1;
const PT_NOTE = 4;

const arches: Readonly<Record<number, string>> = { 3: 'x86', 40: 'arm', 62: 'x86_64', 183: 'arm64', 243: 'riscv64' };

export const isElf = (head: Buffer): boolean => head.length >= 4 && head.readUInt32BE(0) === 0x7f454c46;

interface Section {
  name: string;
  type: number;
  flags: number;
  offset: number;
  size: number;
  link: number;
}

function readElfHeaders(source: Source) {
  const head = source.read(0, 64);
  if (!isElf(head)) throw new Unreadable('The file is not an ELF file.');
  if (head[5] !== 1) throw new Unreadable('The ELF file is for a big-endian processor, which no phone has.');
  const is64 = head[4] === 2;
  const word = (bytes: Buffer, at: number): number =>
    is64 ? Number(bytes.readBigUInt64LE(at)) : bytes.readUInt32LE(at);
  const table = (at: number, size: number, count: number, least: number): Buffer[] => {
    if (count === 0 || at === 0) return [];
    if (size < least || size > MAX_HEADER || count > MAX_HEADERS) throw new Unreadable('The ELF headers are invalid.');
    const bytes = source.read(at, size * count);
    return Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
  };
  const at = is64 ? 52 : 40;
  const number = (offset: number) => head.readUInt16LE(at + offset);
  const segments = table(word(head, is64 ? 32 : 28), number(2), number(4), is64 ? 56 : 32).map((entry) => ({
    type: entry.readUInt32LE(0),
    offset: word(entry, is64 ? 8 : 4),
    address: is64 ? entry.readBigUInt64LE(16) : BigInt(entry.readUInt32LE(8)),
    size: word(entry, is64 ? 32 : 16),
  }));
  const entries = table(word(head, is64 ? 40 : 32), number(6), number(8), is64 ? 64 : 40).map((entry) => ({
    nameAt: entry.readUInt32LE(0),
    type: entry.readUInt32LE(4),
    flags: word(entry, 8),
    offset: word(entry, is64 ? 24 : 16),
    size: word(entry, is64 ? 32 : 20),
    link: entry.readUInt32LE(is64 ? 40 : 24),
  }));
  const names = entries[number(10)];
  const strings = names && names.size <= 16_777_216 ? source.read(names.offset, names.size) : Buffer.alloc(0);
  const sections: Section[] = entries.map(({ nameAt, ...rest }) => ({
    ...rest,
    name: cString(strings.subarray(nameAt, nameAt + 64)),
  }));
  return { is64, arch: arches[head.readUInt16LE(18)] ?? `machine-${head.readUInt16LE(18)}`, segments, sections };
}

function findBuildId(source: Source, places: { offset: number; size: number }[]): Buffer | undefined {
  let left = MAX_NOTES;
  for (const { offset, size } of places) {
    const notes = source.read(offset, Math.min(size, left));
    left -= notes.length;
    for (let at = 0; at + 12 <= notes.length; ) {
      const nameSize = notes.readUInt32LE(at);
      const size = notes.readUInt32LE(at + 4);
      const content = at + 12 + Math.ceil(nameSize / 4) * 4;
      if (content + size > notes.length) break;
      const isGnu = notes.toString('latin1', at + 12, at + 12 + nameSize) === 'GNU\0';
      if (isGnu && notes.readUInt32LE(at + 8) === 3 && size > 0 && size <= MAX_BUILD_ID)
        return notes.subarray(content, content + size);
      at = content + Math.ceil(size / 4) * 4;
    }
  }
  return undefined;
}

/** Refuses debug sections that expand far beyond their size: the program that reads lines decompresses them whole. */
function refuseBombs(source: Source, is64: boolean, sections: readonly Section[]): void {
  let inflated = 0;
  for (const { name, type, flags, offset, size } of sections) {
    if (type === SHT_NOBITS || size < 12) continue;
    if (name.startsWith('.zdebug_')) {
      const head = source.read(offset, 12);
      if (head.toString('latin1', 0, 4) === 'ZLIB') inflated += Number(head.readBigUInt64BE(4));
    } else if ((flags & SHF_COMPRESSED) !== 0 && size >= 24) {
      const head = source.read(offset, 24);
      inflated += is64 ? Number(head.readBigUInt64LE(8)) : head.readUInt32LE(4);
    }
  }
  const max = Math.min(MAX_INFLATED, Math.max(MIN_INFLATED, source.size * MAX_INFLATION));
  if (inflated > max)
    throw new Unreadable(
      `The debug sections expand to ${inflated} bytes; the maximum for a file of this size is ${max}.`,
    );
}

/** Reads a library or program with its build ID; undefined without one, because no report can refer to it. */
export function readElf(source: Source): Image | undefined {
  const { is64, arch, segments, sections } = readElfHeaders(source);
  refuseBombs(source, is64, sections);
  const buildId = findBuildId(source, [
    ...sections.filter(({ type }) => type === SHT_NOTE),
    ...segments.filter(({ type }) => type === PT_NOTE),
  ]);
  if (!buildId) return undefined;
  const first = segments.find(({ type }) => type === PT_LOAD);
  return {
    id: toBreakpadId(buildId),
    otherIds: [buildId.toString('hex')],
    arch,
    textAddress: `0x${(first ? first.address - (first.address % 4096n) : 0n).toString(16)}`,
    hasLines: sections.some(({ name }) => ['.debug_line', '.zdebug_line'].includes(name)),
  };
}

/** Reads names of functions without lines, for servers without llvm-symbolizer. */
export function readElfFunctions(source: Source): FunctionNames {
  const { is64, sections } = readElfHeaders(source);
  const symbols = sections.find(({ type }) => type === SHT_SYMTAB) ?? sections.find(({ type }) => type === SHT_DYNSYM);
  const strings = symbols && sections[symbols.link];
  if (!symbols || !strings) return functionNames([]);
  const size = is64 ? 24 : 16;
  if (symbols.size / size > MAX_SYMBOLS) {
    throw new Unreadable('The symbol table is too large.');
  }
  const table = source.read(symbols.offset, symbols.size);
  const found: [address: bigint, name: number][] = [];
  for (let at = 0; at + size <= table.length; at += size) {
    const isFunction = ((table[at + (is64 ? 4 : 12)] ?? 0) & 15) === 2;
    const section = table.readUInt16LE(at + (is64 ? 6 : 14));
    if (!isFunction || section === 0) continue;
    found.push([is64 ? table.readBigUInt64LE(at + 8) : BigInt(table.readUInt32LE(at + 4)), table.readUInt32LE(at)]);
  }
  return functionNames(found, (at) => readName(source, strings, at));
}
