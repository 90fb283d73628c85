import { Unreadable } from '../../../../workers/unreadable.ts';
import { type Chunk, eachChunk, readStringPool } from './resource-chunks.ts';

/** A value in a compiled XML file of Android, or in its resource table. */
export interface TypedValue {
  kind: 'reference' | 'string' | 'number' | 'color' | 'other';
  text: string | undefined;
  data: number;
}

export interface BinaryElement {
  name: string;
  /** By the resource ID of the attribute's name if it has one, otherwise by name. */
  attributes: Map<number | string, TypedValue>;
  depth: number;
}

const kinds: Record<number, TypedValue['kind']> = {
  ...{ 1: 'reference', 3: 'string', 16: 'number', 17: 'number' },
  ...{ 28: 'color', 29: 'color', 30: 'color', 31: 'color' },
};
export const getValueKind = (type: number): TypedValue['kind'] => kinds[type] ?? 'other';

const STRINGS = 0x0001;
const RESOURCE_MAP = 0x0180;
const START = 0x0102;
const END = 0x0103;

function readElement(
  { bytes, at, headerSize, size: chunkSize }: Chunk,
  strings: string[],
  ids: number[],
  depth: number,
): BinaryElement {
  const start = at + headerSize;
  const name = strings[bytes.readInt32LE(start + 4)] ?? '';
  const attributeStart = start + bytes.readUInt16LE(start + 8);
  const size = bytes.readUInt16LE(start + 10);
  const count = bytes.readUInt16LE(start + 12);
  const attributes: BinaryElement['attributes'] = new Map();
  // Attributes must lie within the element, so that reading takes linear time.
  if (count > 0 && (size < 20 || attributeStart + count * size > at + chunkSize)) {
    throw new Unreadable('A compiled file in the package is damaged.');
  }
  for (let number = 0; number < count; number += 1) {
    const attribute = attributeStart + number * size;
    const nameIndex = bytes.readInt32LE(attribute + 4);
    const raw = bytes.readInt32LE(attribute + 8);
    const kind = getValueKind(bytes.readUInt8(attribute + 15));
    const data = bytes.readUInt32LE(attribute + 16);
    const text =
      kind === 'string' ? strings[data] : (strings[raw] ?? (kind === 'number' ? String(data | 0) : undefined));
    const key = ids[nameIndex] ?? strings[nameIndex] ?? '';
    if (!attributes.has(key)) attributes.set(key, { kind, text, data });
  }
  return { name, attributes, depth };
}

/** Reads the elements of a compiled XML file, in their order. */
export function readBinaryXml(bytes: Buffer): BinaryElement[] {
  if (bytes.length < 8 || bytes.readUInt16LE(0) !== 0x0003)
    throw new Unreadable('The manifest of the package is not compiled.');
  let strings: string[] | undefined;
  let ids: number[] = [];
  let depth = 0;
  const elements: BinaryElement[] = [];
  for (const chunk of eachChunk(bytes, bytes.readUInt16LE(2), bytes.length)) {
    if (chunk.type === STRINGS) strings ??= readStringPool(chunk);
    else if (chunk.type === RESOURCE_MAP) {
      const count = Math.floor((chunk.size - chunk.headerSize) / 4);
      ids = Array.from({ length: count }, (_, at) => bytes.readUInt32LE(chunk.at + chunk.headerSize + at * 4));
    } else if (chunk.type === START) {
      elements.push(readElement(chunk, strings ?? [], ids, depth));
      depth += 1;
    } else if (chunk.type === END) depth -= 1;
  }
  return elements;
}
