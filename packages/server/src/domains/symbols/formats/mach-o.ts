import { Unreadable } from '../../../workers/unreadable.ts';
import type { Image, SourceLocation } from './images.ts';
import { cString, readName, type Source } from './source.ts';

const FAT = 0xcafebabe;
const FAT_64 = 0xcafebabf;
const THIN = 0xfeedface;
const THIN_64 = 0xfeedfacf;
const LC_SEGMENT = 1;
const LC_SYMTAB = 2;
const LC_SEGMENT_64 = 0x19;
const LC_UUID = 0x1b;
const MAX_SLICES = 32;
const MAX_COMMAND_BYTES = 4_194_304;
const MAX_SYMBOLS = 8_000_000;
const ABI_64 = 0x01000000;

export const isMachO = (head: Buffer): boolean => {
  if (head.length < 8) return false;
  const magic = head.readUInt32BE(0);
  // Java class files start with the same number, followed by a version above 40.
  if (magic === FAT || magic === FAT_64) return head.readUInt32BE(4) <= MAX_SLICES;
  return [THIN, THIN_64].some((expected) => magic === expected || head.readUInt32LE(0) === expected);
};

/** Architecture names that LLVM accepts after a colon, by CPU type and subtype. */
export function machArch(type: number, subtype: number): string {
  const kind = subtype & 0xffffff;
  if (type === (12 | ABI_64)) return kind === 2 ? 'arm64e' : 'arm64';
  if (type === (7 | ABI_64)) return kind === 8 ? 'x86_64h' : 'x86_64';
  if (type === (12 | 0x02000000)) return 'arm64_32';
  if (type === 7) return 'i386';
  if (type === 12) return { 6: 'armv6', 9: 'armv7', 11: 'armv7s', 12: 'armv7k' }[kind] ?? 'arm';
  return `cpu-${type}`;
}

interface Slice extends Image {
  offset: number;
  symtab: { offset: number; count: number; strings: number; stringSize: number } | undefined;
  is64: boolean;
  isLittle: boolean;
}

function readSlice(source: Source, offset: number): Slice | undefined {
  const head = source.read(offset, 28);
  const isLittle = [THIN, THIN_64].includes(head.readUInt32LE(0));
  const number = (bytes: Buffer, at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  const long = (bytes: Buffer, at: number) => (isLittle ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at));
  const magic = number(head, 0);
  if (magic !== THIN && magic !== THIN_64) throw new Unreadable('The file is not a Mach-O file.');
  const is64 = magic === THIN_64;
  const bytes = number(head, 20);
  if (bytes > MAX_COMMAND_BYTES) throw new Unreadable('The Mach-O file has too many load commands.');
  const commands = source.read(offset + (is64 ? 32 : 28), bytes);
  let uuid: string | undefined;
  let textAddress = 0n;
  let hasLines = false;
  let symtab: Slice['symtab'];
  for (let at = 0; at + 8 <= commands.length; ) {
    const kind = number(commands, at);
    const size = number(commands, at + 4);
    if (size < 8 || at + size > commands.length) break;
    const command = commands.subarray(at, at + size);
    if (kind === LC_UUID && size >= 24) uuid = command.toString('hex', 8, 24);
    else if (kind === LC_SYMTAB && size >= 24) {
      symtab = {
        offset: number(command, 8),
        count: number(command, 12),
        strings: number(command, 16),
        stringSize: number(command, 20),
      };
    } else if ((kind === LC_SEGMENT_64 && size >= 72) || (kind === LC_SEGMENT && size >= 56)) {
      const name = cString(command.subarray(8, 24));
      if (name === '__TEXT') textAddress = kind === LC_SEGMENT_64 ? long(command, 24) : BigInt(number(command, 24));
      if (name === '__DWARF') hasLines = true;
    }
    at += size;
  }
  if (!uuid) return undefined;
  const arch = machArch(number(head, 4), number(head, 8));
  return {
    id: uuid,
    otherIds: [],
    arch,
    textAddress: `0x${textAddress.toString(16)}`,
    hasLines,
    offset,
    symtab,
    is64,
    isLittle,
  };
}

function readSlices(source: Source): Slice[] {
  const head = source.read(0, 8);
  const magic = head.readUInt32BE(0);
  if (magic !== FAT && magic !== FAT_64) return [readSlice(source, 0)].filter((slice) => slice !== undefined);
  const count = head.readUInt32BE(4);
  if (count > MAX_SLICES) throw new Unreadable(`The universal Mach-O file has more than ${MAX_SLICES} architectures.`);
  const size = magic === FAT_64 ? 32 : 20;
  const table = source.read(8, count * size);
  const offsets = Array.from({ length: count }, (_, index) =>
    magic === FAT_64 ? Number(table.readBigUInt64BE(index * size + 8)) : table.readUInt32BE(index * size + 8),
  );
  return offsets.map((offset) => readSlice(source, offset)).filter((slice) => slice !== undefined);
}

/** Reads each architecture that has an ID. */
export const readMachO = (source: Source): Image[] =>
  readSlices(source).map(({ id, otherIds, arch, textAddress, hasLines }) => ({
    id,
    otherIds,
    arch,
    textAddress,
    hasLines,
  }));

/** Reads names of functions without lines, for servers without llvm-symbolizer. */
export function readMachOFunctions(source: Source, id: string): FunctionNames {
  const slice = readSlices(source).find((slice) => slice.id === id);
  if (!slice?.symtab) return functionNames([]);
  const { offset, symtab, is64, isLittle } = slice;
  const size = is64 ? 16 : 12;
  if (symtab.count > MAX_SYMBOLS) throw new Unreadable('The symbol table is too large.');
  const table = source.read(offset + symtab.offset, symtab.count * size);
  const found: [address: bigint, name: number][] = [];
  for (let at = 0; at < table.length; at += size) {
    const type = table.readUInt8(at + 4);
    // Skips debugger entries (0xe0) and symbols that no section of this file defines (0x0e).
    if ((type & 0xe0) !== 0 || (type & 0x0e) !== 0x0e) continue;
    const name = isLittle ? table.readUInt32LE(at) : table.readUInt32BE(at);
    const address = is64
      ? isLittle
        ? table.readBigUInt64LE(at + 8)
        : table.readBigUInt64BE(at + 8)
      : BigInt(isLittle ? table.readUInt32LE(at + 8) : table.readUInt32BE(at + 8));
    found.push([address, name]);
  }
  const strings = { offset: offset + symtab.strings, size: symtab.stringSize };
  return functionNames(found, (at) => readName(source, strings, at).replace(/^_/, ''));
}

export interface FunctionNames {
  find(address: bigint): SourceLocation | undefined;
}

/** Finds the last function that starts at or before an address. */
export function functionNames(
  found: [address: bigint, name: number][],
  nameAt?: (at: number) => string,
): FunctionNames {
  found.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  return {
    find(address) {
      let low = 0;
      let high = found.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((found[middle]?.[0] ?? 0n) <= address) low = middle + 1;
        else high = middle;
      }
      const last = found[low - 1];
      const method = last && nameAt?.(last[1]);
      return method && method !== '_mh_execute_header' ? { method } : undefined;
    },
  };
}
