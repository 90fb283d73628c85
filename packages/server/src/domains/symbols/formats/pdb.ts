import { Unreadable } from '../../../workers/unreadable.ts';
import { formatGuid, type Image } from './images.ts';
import type { Source } from './source.ts';

const MAGIC = Buffer.from('Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0', 'latin1');
const MAX_DIRECTORY = 16_777_216;

export const isPdb = (head: Buffer): boolean => head.subarray(0, MAGIC.length).equals(MAGIC);

/** Reads the ID of a PDB: its GUID, and the age of its DBI stream, which executables refer to. */
export function readPdb(source: Source): Image {
  const head = source.read(0, 56);
  if (!isPdb(head)) throw new Unreadable('The file is not a PDB of Visual C++ 7 or later.');
  const blockSize = head.readUInt32LE(32);
  const directorySize = head.readUInt32LE(44);
  if (
    ![512, 1024, 2048, 4096, 8192, 16_384, 32_768].includes(blockSize) ||
    directorySize < 20 ||
    directorySize > MAX_DIRECTORY
  ) {
    throw new Unreadable('The directory of the PDB is invalid.');
  }
  const block = (number: number, length = blockSize): Buffer => source.read(number * blockSize, length);
  const directoryBlocks = source.read(head.readUInt32LE(52) * blockSize, Math.ceil(directorySize / blockSize) * 4);
  const directory = Buffer.concat(
    Array.from({ length: directoryBlocks.length / 4 }, (_, index) => block(directoryBlocks.readUInt32LE(index * 4))),
    directorySize,
  );
  const count = directory.readUInt32LE(0);
  if (count < 4 || 4 + count * 4 > directory.length) throw new Unreadable('The PDB lacks required streams.');
  let at = 4 + count * 4;
  const firstBlocks: (number | undefined)[] = [];
  for (let stream = 0; stream < 4; stream++) {
    const size = directory.readUInt32LE(4 + stream * 4);
    const blocks = size === 0xffffffff ? 0 : Math.ceil(size / blockSize);
    firstBlocks.push(blocks > 0 && at + 4 <= directory.length ? directory.readUInt32LE(at) : undefined);
    at += blocks * 4;
  }
  if (firstBlocks[1] === undefined) throw new Unreadable('The PDB has no ID.');
  const info = block(firstBlocks[1], 28);
  const age = firstBlocks[3] === undefined ? info.readUInt32LE(8) : block(firstBlocks[3], 12).readUInt32LE(8);
  const { id, otherIds } = formatPdbId(formatGuid(info.subarray(12, 28)), age);
  return { id, otherIds, arch: 'windows', textAddress: '0x0', hasLines: true };
}

/** The ID of a PDB, and its forms in minidumps (as Breakpad writes it) and in events, which have the age in hexadecimal. */
export function formatPdbId(guid: string, age: number): { id: string; otherIds: string[] } {
  const hexAge = age.toString(16);
  const id = `${guid}-${age}`;
  const inEvents = `${guid}-${hexAge}`;
  return { id, otherIds: [`${guid}${hexAge}`.toUpperCase(), ...(inEvents === id ? [] : [inEvents])] };
}
