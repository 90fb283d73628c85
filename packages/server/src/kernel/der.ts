/** A value of ASN.1 as certificates have them: what it is, how long, and what is in it. */
export function der(tag: number, ...content: Uint8Array[]): Buffer<ArrayBuffer> {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(body.length)]), body]);
}

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 | bytes.length, ...bytes];
}

export interface DerValue {
  tag: number;
  content: Buffer;
  /** With its tag and length. */
  whole: Buffer;
}

/** The values that stand one after the other in there. */
export function readDer(bytes: Buffer): DerValue[] {
  const values: DerValue[] = [];
  for (let at = 0; at < bytes.length; ) {
    const first = bytes.readUInt8(at + 1);
    const count = first < 0x80 ? 0 : first & 0x7f;
    const length = count === 0 ? first : bytes.readUIntBE(at + 2, count);
    const from = at + 2 + count;
    const end = from + length;
    if (end > bytes.length) throw new RangeError('It ends in the middle of a value.');
    values.push({ tag: bytes.readUInt8(at), content: bytes.subarray(from, end), whole: bytes.subarray(at, end) });
    at = end;
  }
  return values;
}
