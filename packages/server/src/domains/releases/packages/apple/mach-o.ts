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

const MAX_COMMANDS_LENGTH = 1024 * 1024;
/** Bytes of a slice that are read. */
export const MAX_HEAD_LENGTH = 32 + MAX_COMMANDS_LENGTH;

/** Offsets of the slices of an executable: one for each architecture in a universal binary. */
export function listOffsets(head: Buffer): number[] {
  if (head.length < 8) return [];
  const magic = head.readUInt32BE(0);
  if (magic !== FAT && magic !== FAT_64) return [0];
  const width = magic === FAT ? 20 : 32;
  const count = Math.min(head.readUInt32BE(4), 20, Math.floor((head.length - 8) / width));
  return Array.from({ length: count }, (_, number) => {
    const at = 8 + number * width + 8;
    return magic === FAT ? head.readUInt32BE(at) : Number(head.readBigUInt64BE(at));
  });
}

/** Reads the platform and UUID of a Mach-O slice; undefined if it is not one. */
export function readMachO(head: Buffer): Slice | undefined {
  if (head.length < 28) return undefined;
  const magic = head.readUInt32LE(0);
  if (magic !== THIN_64 && magic !== THIN_32) return undefined;
  const commands = head.readUInt32LE(16);
  const architecture = processors[head.readUInt32LE(4)] ?? 'other';
  const start = magic === THIN_64 ? 32 : 28;
  const bytes = head.subarray(start, start + Math.min(head.readUInt32LE(20), MAX_COMMANDS_LENGTH));
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
