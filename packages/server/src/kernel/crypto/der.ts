/** Encodes an ASN.1 value as in certificates: tag, length, content. */
export function der(tag: number, ...content: Uint8Array[]): Buffer<ArrayBuffer> {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag, ...encodeLength(body.length)]), body]);
}

function encodeLength(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 | bytes.length, ...bytes];
}

export interface DerValue {
  tag: number;
  content: Buffer;
  /** Including its tag and length. */
  whole: Buffer;
}

/** Reads a sequence of values. */
export function readDer(bytes: Buffer): DerValue[] {
  const values: DerValue[] = [];
  for (let at = 0; at < bytes.length; ) {
    const first = bytes.readUInt8(at + 1);
    const count = first < 0x80 ? 0 : first & 0x7f;
    const length = count === 0 ? first : bytes.readUIntBE(at + 2, count);
    const from = at + 2 + count;
    const end = from + length;
    if (end > bytes.length) throw new RangeError('The value is truncated.');
    values.push({ tag: bytes.readUInt8(at), content: bytes.subarray(from, end), whole: bytes.subarray(at, end) });
    at = end;
  }
  return values;
}
