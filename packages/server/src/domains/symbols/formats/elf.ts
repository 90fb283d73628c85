import { Unreadable } from '../../../workers/unreadable.ts';
import { breakpadIdOf, type Image } from './images.ts';
import { type FunctionNames, functionNames } from './mach-o.ts';
import { cString, type Source } from './source.ts';

const MAX_HEADERS = 65_536;
const MAX_NOTES = 1_048_576;
const MAX_SYMBOLS = 8_000_000;
const SHT_SYMTAB = 2;
const SHT_NOTE = 7;
const SHT_DYNSYM = 11;
const PT_LOAD = 1;
const PT_NOTE = 4;

const arches: Readonly<Record<number, string>> = { 3: 'x86', 40: 'arm', 62: 'x86_64', 183: 'arm64', 243: 'riscv64' };

export const isElf = (head: Buffer): boolean => head.length >= 4 && head.readUInt32BE(0) === 0x7f454c46;

interface Section {
  name: string;
  type: number;
  offset: number;
  size: number;
  link: number;
}

function readElfHeaders(source: Source) {
  const head = source.read(0, 64);
  if (!isElf(head)) throw new Unreadable('It is no ELF file.');
  if (head[5] !== 1) throw new Unreadable('It is an ELF file of a big-endian machine, which no phone is.');
  const is64 = head[4] === 2;
  const word = (bytes: Buffer, at: number): number =>
    is64 ? Number(bytes.readBigUInt64LE(at)) : bytes.readUInt32LE(at);
  const table = (at: number, size: number, count: number, least: number): Buffer[] => {
    if (count === 0 || at === 0) return [];
    if (size < least || count > MAX_HEADERS) throw new Unreadable('Its headers are not those of an ELF file.');
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
  for (const { offset, size } of places) {
    const notes = source.read(offset, Math.min(size, MAX_NOTES));
    for (let at = 0; at + 12 <= notes.length; ) {
      const nameSize = notes.readUInt32LE(at);
      const size = notes.readUInt32LE(at + 4);
      const content = at + 12 + Math.ceil(nameSize / 4) * 4;
      if (content + size > notes.length) break;
      const isGnu = notes.toString('latin1', at + 12, at + 12 + nameSize) === 'GNU\0';
      if (isGnu && notes.readUInt32LE(at + 8) === 3 && size > 0) return notes.subarray(content, content + size);
      at = content + Math.ceil(size / 4) * 4;
    }
  }
  return undefined;
}

/** A library or program by its build id; nothing if it has none, so that no report can name it. */
export function readElf(source: Source): Image | undefined {
  const { arch, segments, sections } = readElfHeaders(source);
  const buildId = findBuildId(source, [
    ...sections.filter(({ type }) => type === SHT_NOTE),
    ...segments.filter(({ type }) => type === PT_NOTE),
  ]);
  if (!buildId) return undefined;
  const first = segments.find(({ type }) => type === PT_LOAD);
  return {
    id: breakpadIdOf(buildId),
    otherIds: [buildId.toString('hex')],
    arch,
    textAddress: `0x${(first ? first.address - (first.address % 4096n) : 0n).toString(16)}`,
    hasLines: sections.some(({ name }) => ['.debug_line', '.zdebug_line'].includes(name)),
  };
}

/** Names of functions without lines, for a server that has no program to read DWARF with. */
export function readElfFunctions(source: Source): FunctionNames {
  const { is64, sections } = readElfHeaders(source);
  const symbols = sections.find(({ type }) => type === SHT_SYMTAB) ?? sections.find(({ type }) => type === SHT_DYNSYM);
  const strings = symbols && sections[symbols.link];
  if (!symbols || !strings) return functionNames([]);
  const size = is64 ? 24 : 16;
  if (symbols.size / size > MAX_SYMBOLS || strings.size > 1_073_741_824) {
    throw new Unreadable('Its symbol table is larger than those of programs.');
  }
  const table = source.read(symbols.offset, symbols.size);
  const names = source.read(strings.offset, strings.size);
  const found: [address: bigint, name: number][] = [];
  for (let at = 0; at + size <= table.length; at += size) {
    const isFunction = ((table[at + (is64 ? 4 : 12)] ?? 0) & 15) === 2;
    const section = table.readUInt16LE(at + (is64 ? 6 : 14));
    if (!isFunction || section === 0) continue;
    found.push([is64 ? table.readBigUInt64LE(at + 8) : BigInt(table.readUInt32LE(at + 4)), table.readUInt32LE(at)]);
  }
  return functionNames(found, (at) => cString(names.subarray(at, at + 4096)));
}
