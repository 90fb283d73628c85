import { Unreadable } from '../../../workers/unreadable.ts';
import { formatGuid, type Image } from './images.ts';
import { formatPdbId } from './pdb.ts';
import type { Source } from './source.ts';

const MAX_SECTIONS = 1_000;
const MAX_DEBUG_ENTRIES = 64;
const DEBUG_DIRECTORY = 6;
const CODEVIEW = 2;
/** Minor version of an entry that refers to a portable PDB, which has its stamp instead of an age in its ID. */
const PORTABLE = 0x504d;

const arches: Readonly<Record<number, string>> = {
  332: 'x86',
  448: 'arm',
  452: 'arm',
  34404: 'x86_64',
  43620: 'arm64',
};

export const isPe = (head: Buffer): boolean => head.length >= 2 && head.toString('latin1', 0, 2) === 'MZ';

interface PeLayout {
  arch: string;
  /** Reads bytes of the loaded image; undefined if the file does not contain them. */
  readAt(address: number, length: number): Buffer | undefined;
  debug: { address: number; size: number };
}

/** Reads the headers of a Windows program or library. */
function readPeLayout(source: Source): PeLayout {
  const invalid = (what: string) => new Unreadable(`The Windows program is invalid: ${what}.`);
  const dos = source.read(0, 64);
  if (!isPe(dos)) throw invalid('it does not start with MZ');
  const at = dos.readUInt32LE(60);
  const head = source.read(at, 24);
  if (head.toString('latin1', 0, 4) !== 'PE\0\0') throw invalid('it has no PE header');
  const sectionCount = head.readUInt16LE(6);
  const optionalSize = head.readUInt16LE(20);
  if (sectionCount > MAX_SECTIONS || optionalSize < 96) throw invalid('its headers have an impossible size');
  const optional = source.read(at + 24, optionalSize);
  const is64 = optional.readUInt16LE(0) === 0x20b;
  const directories = is64 ? 112 : 96;
  const count = optionalSize >= directories ? optional.readUInt32LE(directories - 4) : 0;
  const directory = (index: number) => {
    const place = directories + index * 8;
    return index < count && place + 8 <= optionalSize
      ? { address: optional.readUInt32LE(place), size: optional.readUInt32LE(place + 4) }
      : { address: 0, size: 0 };
  };
  const table = source.read(at + 24 + optionalSize, sectionCount * 40);
  const sections = Array.from({ length: sectionCount }, (_, index) => {
    const entry = table.subarray(index * 40, index * 40 + 40);
    return { address: entry.readUInt32LE(12), size: entry.readUInt32LE(16), offset: entry.readUInt32LE(20) };
  });
  return {
    arch: arches[head.readUInt16LE(4)] ?? `machine-${head.readUInt16LE(4)}`,
    readAt(address, length) {
      const section = sections.find((one) => address >= one.address && address + length <= one.address + one.size);
      return section && source.read(section.offset + (address - section.address), length);
    },
    debug: directory(DEBUG_DIRECTORY),
  };
}

/** Reads the ID of the PDB of a Windows program or library. It has no names, so it never takes the place of the PDB. */
export function readPe(source: Source): Image | undefined {
  const { arch, debug, readAt } = readPeLayout(source);
  const count = Math.min(MAX_DEBUG_ENTRIES, Math.floor(debug.size / 28));
  for (let index = 0; index < count; index++) {
    const entry = readAt(debug.address + index * 28, 28);
    if (entry?.readUInt32LE(12) !== CODEVIEW || entry.readUInt32LE(16) < 24) continue;
    const record = readAt(entry.readUInt32LE(20), 24);
    if (record?.toString('latin1', 0, 4) !== 'RSDS') continue;
    const guid = formatGuid(record.subarray(4, 20));
    const isPortable = entry.readUInt16LE(10) === PORTABLE;
    const id = isPortable
      ? `${guid}-${entry.readUInt32LE(4).toString(16)}`
      : formatPdbId(guid, record.readUInt32LE(20)).id;
    return { id: `${id}.binary`, otherIds: [], arch, textAddress: '0x0', hasLines: false };
  }
  return undefined;
}
