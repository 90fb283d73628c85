const THIN_64 = 0xfeedfacf;
const THIN_32 = 0xfeedface;
const FAT = 0xcafebabe;
const FAT_64 = 0xcafebabf;
const UUID_COMMAND = 0x1b;

const processors: Record<number, string> = { 7: 'i386', 12: 'armv7', 16777223: 'x86_64', 16777228: 'arm64' };

export interface Slice {
  architecture: string;
  /** In lower case, with dashes. */
  uuid: string | undefined;
}

const format = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** Reads as many bytes as there are at a place of the file. */
export type ReadAt = (at: number, length: number) => Buffer;

function readThin(readAt: ReadAt, at: number): Slice | undefined {
  const head = readAt(at, 32);
  if (head.length < 28) return undefined;
  const magic = head.readUInt32LE(0);
  if (magic !== THIN_64 && magic !== THIN_32) return undefined;
  const commands = head.readUInt32LE(16);
  const size = head.readUInt32LE(20);
  const architecture = processors[head.readUInt32LE(4)] ?? 'other';
  const bytes = readAt(at + (magic === THIN_64 ? 32 : 28), Math.min(size, 1024 * 1024));
  let place = 0;
  for (let number = 0; number < commands && place + 24 <= bytes.length; number += 1) {
    const length = bytes.readUInt32LE(place + 4);
    if (bytes.readUInt32LE(place) === UUID_COMMAND) {
      return { architecture, uuid: format(bytes.subarray(place + 8, place + 24)) };
    }
    if (length < 8) break;
    place += length;
  }
  return { architecture, uuid: undefined };
}

/** What a program of Apple's systems is made for, and the id of each part; nothing if it is none. */
export function readMachO(readAt: ReadAt): Slice[] {
  const head = readAt(0, 8);
  if (head.length < 8) return [];
  const magic = head.readUInt32BE(0);
  if (magic !== FAT && magic !== FAT_64) return [readThin(readAt, 0) ?? []].flat();
  const width = magic === FAT ? 20 : 32;
  const count = Math.min(head.readUInt32BE(4), 20);
  const list = readAt(8, count * width);
  return Array.from({ length: Math.floor(list.length / width) }, (_, number) => {
    const at = number * width + 8;
    return magic === FAT ? list.readUInt32BE(at) : Number(list.readBigUInt64BE(at));
  }).flatMap((at) => readThin(readAt, at) ?? []);
}
