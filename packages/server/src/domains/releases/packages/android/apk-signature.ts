import { hash } from 'node:crypto';

const V2 = 0x7109871a;
const V3 = 0xf05368c0;

/** Every value is preceded by its length. */
function slice(bytes: Buffer, at: number): Buffer {
  const length = bytes.readUInt32LE(at);
  return bytes.subarray(at + 4, at + 4 + length);
}

/** Signers → signed data → digests, certificates → the first certificate. */
function firstCertificate(value: Buffer): Buffer {
  const signer = slice(slice(value, 0), 0);
  const signedData = slice(signer, 0);
  const digests = slice(signedData, 0);
  return slice(slice(signedData, 4 + digests.length), 0);
}

/** Finds the certificate in the signing block of an APK; `tail` ends where the central directory starts. */
export function certificateInBlock(tail: Buffer): string | undefined {
  if (tail.length < 32 || tail.toString('latin1', tail.length - 16) !== 'APK Sig Block 42') return undefined;
  const size = Number(tail.readBigUInt64LE(tail.length - 24));
  const start = tail.length - size;
  if (start < 0) return undefined;
  try {
    const found = new Map<number, Buffer>();
    for (let at = start; at + 12 <= tail.length - 24; ) {
      const length = Number(tail.readBigUInt64LE(at));
      found.set(tail.readUInt32LE(at + 8), tail.subarray(at + 12, at + 8 + length));
      at += 8 + length;
    }
    const value = found.get(V3) ?? found.get(V2);
    const certificate = value && firstCertificate(value);
    return certificate && certificate.length > 0 ? hash('sha256', certificate, 'hex') : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

interface Der {
  tag: number;
  start: number;
  end: number;
}

function readDer(bytes: Buffer, at: number): Der {
  const tag = bytes.readUInt8(at);
  const first = bytes.readUInt8(at + 1);
  const extra = first & 0x80 ? first & 0x7f : 0;
  const length = extra > 0 ? bytes.readUIntBE(at + 2, extra) : first;
  const start = at + 2 + extra;
  return { tag, start, end: start + length };
}

/** Finds the first certificate in a PKCS #7 file from META-INF: for apps signed with the v1 scheme. */
export function certificateInPkcs7(bytes: Buffer): string | undefined {
  try {
    const content = readDer(bytes, readDer(bytes, 0).start);
    const signed = readDer(bytes, readDer(bytes, content.end).start);
    for (let at = signed.start; at < signed.end; ) {
      const part = readDer(bytes, at);
      if (part.tag === 0xa0) {
        const { end } = readDer(bytes, part.start);
        return hash('sha256', bytes.subarray(part.start, end), 'hex');
      }
      at = part.end;
    }
    return undefined;
  } catch (error) {
    if (error instanceof RangeError || (error as NodeJS.ErrnoException).code === 'ERR_OUT_OF_RANGE') return undefined;
    throw error;
  }
}
