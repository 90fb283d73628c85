import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';

/** An entry of an archive; fields that are set are written as they are, even if they are false. */
export interface ZipPart {
  path: string;
  content?: string | Uint8Array;
  /** The name in the central directory, if it differs from that of the local header. */
  listedAs?: string;
  /** A Unix mode, such as 0o120777 for a symbolic link. */
  mode?: number;
  isEncrypted?: true;
  isStored?: true;
  crc?: number;
  /** The declared uncompressed size. */
  claims?: number;
  /** Points to the data of the previous entry. */
  isOverlapping?: true;
}

/** An archive, written by hand so that it can contain false fields. */
export function createZip(parts: readonly ZipPart[], { says }: { says?: number } = {}): Buffer {
  const files: Buffer[] = [];
  const list: Buffer[] = [];
  let at = 0;
  let before = 0;
  for (const part of parts) {
    const { path, content = '', listedAs = path, mode = 0o100644, isEncrypted, isStored, isOverlapping } = part;
    const plain = Buffer.from(content);
    const packed = isStored ? plain : deflateRawSync(plain);
    const header = Buffer.alloc(22);
    header.writeUInt16LE((isEncrypted ? 1 : 0) | 0x800, 0);
    header.writeUInt16LE(isStored ? 0 : 8, 2);
    header.writeUInt16LE(0x21, 6);
    header.writeUInt32LE(part.crc ?? crc32(plain), 8);
    header.writeUInt32LE(packed.length, 12);
    header.writeUInt32LE(part.claims ?? plain.length, 16);
    const name = Buffer.from(path);
    const listed = Buffer.from(listedAs);
    const here = isOverlapping ? before : at;
    if (!isOverlapping) {
      header.writeUInt16LE(name.length, 20);
      const file = Buffer.concat([Buffer.from('504b03041400', 'hex'), header, Buffer.alloc(2), name, packed]);
      files.push(file);
      before = at;
      at += file.length;
    }
    header.writeUInt16LE(listed.length, 20);
    const rest = Buffer.alloc(16);
    rest.writeUInt32LE((mode << 16) >>> 0, 8);
    rest.writeUInt32LE(here, 12);
    list.push(Buffer.concat([Buffer.from('504b010214031400', 'hex'), header, rest, listed]));
  }
  const directory = Buffer.concat(list);
  const count = says ?? parts.length;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(count, 0xffff), 8);
  end.writeUInt16LE(Math.min(count, 0xffff), 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  const large = count > 0xffff ? zip64End({ count, size: directory.length, at }) : Buffer.alloc(0);
  return Buffer.concat([...files, directory, large, end]);
}

/** The Zip64 records before the end of an archive with very many entries. */
function zip64End({ count, size, at }: { count: number; size: number; at: number }): Buffer {
  const end = Buffer.alloc(76);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(45, 12);
  end.writeUInt16LE(45, 14);
  for (const [place, value] of [
    [24, count],
    [32, count],
    [40, size],
    [48, at],
    [64, at + size],
  ] as const)
    end.writeBigUInt64LE(BigInt(value), place);
  end.writeUInt32LE(0x07064b50, 56);
  end.writeUInt32LE(1, 72);
  return end;
}

/** The files of an archive, from its central directory. */
export function filesIn(zip: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const end = zip.lastIndexOf(Buffer.from('504b0506', 'hex'));
  let at = zip.readUInt32LE(end + 16);
  for (let count = zip.readUInt16LE(end + 10); count > 0; count -= 1) {
    const [packed, nameLength, extra, comment] = [
      zip.readUInt32LE(at + 20),
      zip.readUInt16LE(at + 28),
      zip.readUInt16LE(at + 30),
      zip.readUInt16LE(at + 32),
    ];
    const start = zip.readUInt32LE(at + 42);
    const content = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28);
    const bytes = zip.subarray(content, content + packed);
    const name = zip.subarray(at + 46, at + 46 + nameLength).toString();
    files.set(name, zip.readUInt16LE(at + 10) === 0 ? bytes : inflateRawSync(bytes));
    at += 46 + nameLength + extra + comment;
  }
  return files;
}
