import { Unreadable } from '../../../../workers/unreadable.ts';
import { readXml, type XmlElement } from '../xml.ts';

export type PlistValue = string | number | boolean | Date | Buffer | PlistValue[] | PlistDict;
export interface PlistDict {
  [key: string]: PlistValue | undefined;
}

const damaged = () => new Unreadable('A property list in the package is damaged.');

function fromXml({ name, text, children }: XmlElement): PlistValue {
  switch (name) {
    case 'string':
      return text;
    case 'integer':
    case 'real':
      return Number(text);
    case 'true':
    case 'false':
      return name === 'true';
    case 'date':
      return new Date(text.trim());
    case 'data':
      return Buffer.from(text, 'base64');
    case 'array':
      return children.map(fromXml);
    case 'dict': {
      const dict: PlistDict = Object.create(null);
      for (let at = 0; at + 1 < children.length; at += 2) {
        const [key, value] = [children[at], children[at + 1]];
        if (key?.name !== 'key' || !value) throw damaged();
        dict[key.text] = fromXml(value);
      }
      return dict;
    }
    default:
      throw damaged();
  }
}

const MAX_OBJECTS = 200_000;
const EPOCH_2001 = 978_307_200_000;

/** Reads a binary property list: objects that refer to each other by number. */
function fromBinary(bytes: Buffer): PlistValue {
  const trailer = bytes.length - 32;
  const offsetSize = bytes.readUInt8(trailer + 6);
  const refSize = bytes.readUInt8(trailer + 7);
  const count = Number(bytes.readBigUInt64BE(trailer + 8));
  const top = Number(bytes.readBigUInt64BE(trailer + 16));
  const table = Number(bytes.readBigUInt64BE(trailer + 24));
  if (count > MAX_OBJECTS || offsetSize < 1 || offsetSize > 6 || refSize < 1 || refSize > 6) throw damaged();
  let steps = 0;
  let left = bytes.length;
  const known = new Map<number, PlistValue>();

  /** Reads each object once, and requires that objects do not overlap, so that it takes linear time. */
  const read = (index: number, depth: number): PlistValue => {
    steps += 1;
    if (index >= count || depth > 50 || steps > MAX_OBJECTS) throw damaged();
    const value = known.get(index) ?? readObject(index, depth);
    known.set(index, value);
    return value;
  };

  const readObject = (index: number, depth: number): PlistValue => {
    const at = bytes.readUIntBE(table + index * offsetSize, offsetSize);
    const marker = bytes.readUInt8(at);
    const [kind, low] = [marker >> 4, marker & 0xf];
    let start = at + 1;
    let length = low;
    if (low === 0xf && kind >= 4) {
      const width = 1 << (bytes.readUInt8(start) & 0xf);
      if (width > 6) throw damaged();
      length = bytes.readUIntBE(start + 1, width);
      start += 1 + width;
    }
    left -= kind >= 4 ? length * (kind === 0x6 ? 2 : kind >= 0xa ? refSize : 1) : 1;
    if (left < 0) throw damaged();
    const refs = (from: number): number[] => {
      return Array.from({ length }, (_, number) => bytes.readUIntBE(from + number * refSize, refSize));
    };
    switch (kind) {
      case 0x0:
        return low === 9;
      case 0x1: {
        const width = 1 << low;
        if (width > 8) return 0;
        return width === 8 ? Number(bytes.readBigInt64BE(start)) : bytes.readUIntBE(start, width);
      }
      case 0x2:
        return low === 2 ? bytes.readFloatBE(start) : bytes.readDoubleBE(start);
      case 0x3:
        return new Date(EPOCH_2001 + bytes.readDoubleBE(start) * 1000);
      case 0x4:
        return bytes.subarray(start, start + length);
      case 0x5:
        return bytes.toString('latin1', start, start + length);
      case 0x6:
        return Buffer.from(bytes.subarray(start, start + length * 2))
          .swap16()
          .toString('utf16le');
      case 0xa:
        return refs(start).map((ref) => read(ref, depth + 1));
      case 0xd: {
        const dict: PlistDict = Object.create(null);
        const [keys, values] = [refs(start), refs(start + length * refSize)];
        for (const [number, key] of keys.entries()) {
          dict[String(read(key, depth + 1))] = read(values[number] ?? count, depth + 1);
        }
        return dict;
      }
      default:
        return '';
    }
  };
  return read(top, 0);
}

/** Reads a property list, binary or XML. */
export function readPlist(bytes: Buffer): PlistDict {
  try {
    const isBinary = bytes.toString('latin1', 0, 6) === 'bplist';
    const [first] = isBinary ? [] : readXml(bytes.toString('utf8')).children;
    const value = isBinary ? fromBinary(bytes) : first && fromXml(first);
    if (typeof value !== 'object' || Array.isArray(value) || value instanceof Date || Buffer.isBuffer(value)) {
      throw damaged();
    }
    return value;
  } catch (error) {
    if (error instanceof RangeError || (error as NodeJS.ErrnoException).code === 'ERR_OUT_OF_RANGE') throw damaged();
    throw error;
  }
}

export const textIn = (dict: PlistDict | undefined, key: string): string | undefined => {
  const value = dict?.[key];
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;
};

export const dictIn = (dict: PlistDict | undefined, key: string): PlistDict | undefined => {
  const value = dict?.[key];
  const isDict =
    typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date) && !Buffer.isBuffer(value);
  return isDict ? value : undefined;
};

export const textsIn = (dict: PlistDict | undefined, key: string): string[] => {
  const value = dict?.[key];
  return Array.isArray(value) ? value.flatMap((item) => (typeof item === 'string' ? item : [])) : [];
};
