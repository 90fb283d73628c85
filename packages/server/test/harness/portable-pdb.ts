/** A portable PDB as compilers of .NET write it, with one document and one method per entry of `methods`. */

const u16 = (value: number): Buffer => Buffer.from([value & 255, value >> 8]);
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};
const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);

const compressed = (value: number): Buffer =>
  value < 0x80 ? Buffer.from([value]) : Buffer.from([0x80 | (value >> 8), value & 255]);
/** Only numbers of one byte. */
const signed = (value: number): Buffer => Buffer.from([value < 0 ? ((value + 64) << 1) | 1 : value << 1]);

export interface Point {
  /** Offset in the code of the method. */
  offset: number;
  /** Undefined for code of the compiler, which has no line. */
  line?: number;
}

export interface PortablePdbOptions {
  guid: string;
  stamp: number;
  file: string;
  methods: readonly (readonly Point[])[];
}

function sequencePoints(points: readonly Point[]): Buffer {
  if (points.length === 0) return Buffer.alloc(0);
  const parts: Buffer[] = [compressed(0)];
  let at = 0;
  let line = 0;
  for (const point of points) {
    parts.push(compressed(point.offset - at));
    at = point.offset;
    if (point.line === undefined) {
      parts.push(compressed(0), compressed(0));
      continue;
    }
    parts.push(compressed(0), compressed(10));
    if (line === 0) parts.push(compressed(point.line), compressed(9));
    else parts.push(signed(point.line - line), signed(0));
    line = point.line;
  }
  return Buffer.concat(parts);
}

export function portablePdb({ guid, stamp, file, methods }: PortablePdbOptions): Buffer {
  const blobs: Buffer[] = [Buffer.from([0])];
  let blobEnd = 1;
  const addBlob = (content: Buffer): number => {
    const at = blobEnd;
    const bytes = Buffer.concat([compressed(content.length), content]);
    blobs.push(bytes);
    blobEnd += bytes.length;
    return at;
  };
  const parts = file.split('/').map((part) => addBlob(Buffer.from(part)));
  const name = addBlob(Buffer.concat([Buffer.from('/'), ...parts.map(compressed)]));
  const rows = methods.map((points) => {
    const content = sequencePoints(points);
    return Buffer.concat([u16(1), u16(content.length === 0 ? 0 : addBlob(content))]);
  });
  const document = Buffer.concat([u16(name), u16(0), u16(0), u16(0)]);
  const valid = Buffer.alloc(8);
  valid.writeBigUInt64LE((1n << 0x30n) | (1n << 0x31n));
  const tables = padded(
    Buffer.concat([
      u32(0),
      Buffer.from([2, 0, 0, 1]),
      valid,
      Buffer.alloc(8),
      u32(1),
      u32(methods.length),
      document,
      ...rows,
    ]),
  );
  const bytes = Buffer.from(guid, 'hex');
  const id = Buffer.concat([
    bytes.subarray(0, 4).reverse(),
    bytes.subarray(4, 6).reverse(),
    bytes.subarray(6, 8).reverse(),
    bytes.subarray(8),
    u32(stamp),
  ]);
  const streams: [string, Buffer][] = [
    ['#Pdb', Buffer.concat([id, Buffer.alloc(12)])],
    ['#~', tables],
    ['#Blob', padded(Buffer.concat(blobs))],
  ];
  const version = padded(Buffer.from('PDB v1.0\0'));
  const names = streams.map(([stream]) => padded(Buffer.from(`${stream}\0`)));
  const headSize = 16 + version.length + 4 + names.reduce((sum, { length }) => sum + 8 + length, 0);
  let at = headSize;
  const headers = streams.map(([, content], index) => {
    const header = Buffer.concat([u32(at), u32(content.length), names[index] ?? Buffer.alloc(0)]);
    at += content.length;
    return header;
  });
  return Buffer.concat([
    Buffer.from('BSJB'),
    u16(1),
    u16(1),
    u32(0),
    u32(version.length),
    version,
    u16(0),
    u16(streams.length),
    ...headers,
    ...streams.map(([, content]) => content),
  ]);
}
