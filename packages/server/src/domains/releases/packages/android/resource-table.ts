import { Unreadable } from '../../../../workers/unreadable.ts';
import { getValueKind, type TypedValue } from './binary-xml.ts';
import { type Chunk, eachChunk, lazyStringPool } from './resource-chunks.ts';

export interface Resource {
  value: TypedValue;
  /** Density in dpi; 0 for all. */
  density: number;
  /** Two letters, or empty for all. */
  language: string;
}

export interface ResourceTable {
  /** Finds the values of a resource in all configurations. */
  find(id: number): Resource[];
}

const STRINGS = 0x0001;
const PACKAGE = 0x0200;
const TYPE = 0x0201;
const NONE = 0xffffffff;
const SPARSE = 1;
const SHORT_OFFSETS = 2;
const COMPLEX = 1;
const COMPACT = 8;
/** Limit for labels, versions and file names; many entries can point at one long text. */
const MAX_TEXT_LENGTH = 1000;
/** Limit for all packages together: each type counts once per configuration, such as a language. */
const MAX_TYPES = 200_000;

/** Finds the offset of an entry in a chunk of one type and configuration. */
function findEntry({ bytes, at, headerSize, size }: Chunk, entryId: number): number | undefined {
  const flags = bytes.readUInt8(at + 9);
  const count = bytes.readUInt32LE(at + 12);
  const start = at + bytes.readUInt32LE(at + 16);
  const list = at + headerSize;
  const end = at + size;
  if (flags & SPARSE) {
    for (let number = 0; number < count && list + number * 4 + 4 <= end; number += 1) {
      if (bytes.readUInt16LE(list + number * 4) === entryId)
        return start + bytes.readUInt16LE(list + number * 4 + 2) * 4;
    }
    return undefined;
  }
  if (entryId >= count) return undefined;
  if (flags & SHORT_OFFSETS) {
    const offset = bytes.readUInt16LE(list + entryId * 2);
    return offset === 0xffff ? undefined : start + offset * 4;
  }
  const offset = bytes.readUInt32LE(list + entryId * 4);
  return offset === NONE ? undefined : start + offset;
}

export function readResourceTable(bytes: Buffer): ResourceTable {
  let textAt: (index: number) => string | undefined = () => undefined;
  const types = new Map<number, Chunk[]>();
  let count = 0;
  for (const chunk of eachChunk(bytes, bytes.readUInt16LE(2), bytes.length)) {
    if (chunk.type === STRINGS) textAt = lazyStringPool(chunk, MAX_TEXT_LENGTH);
    if (chunk.type !== PACKAGE) continue;
    const packageId = bytes.readUInt32LE(chunk.at + 8) & 0xff;
    for (const inner of eachChunk(bytes, chunk.at + chunk.headerSize, chunk.at + chunk.size)) {
      if (inner.type !== TYPE) continue;
      const key = (packageId << 8) | bytes.readUInt8(inner.at + 8);
      count += 1;
      if (count > MAX_TYPES)
        throw new Unreadable(`The resource table of the package has more than ${MAX_TYPES} types.`);
      const known = types.get(key);
      if (known) known.push(inner);
      else types.set(key, [inner]);
    }
  }

  function valueIn(chunk: Chunk, entryId: number): Resource | undefined {
    const entry = findEntry(chunk, entryId);
    if (entry === undefined || entry + 8 > bytes.length) return undefined;
    const flags = bytes.readUInt16LE(entry + 2);
    if (flags & COMPLEX) return undefined;
    const place = entry + bytes.readUInt16LE(entry);
    const [type, data] =
      flags & COMPACT
        ? [flags >> 8, bytes.readUInt32LE(entry + 4)]
        : [bytes.readUInt8(place + 3), bytes.readUInt32LE(place + 4)];
    const kind = getValueKind(type);
    const config = chunk.at + 20;
    const first = bytes.readUInt8(config + 8);
    return {
      value: { kind, data, text: kind === 'string' ? textAt(data) : undefined },
      density: bytes.readUInt16LE(config + 14),
      language: first === 0 ? '' : bytes.toString('latin1', config + 8, config + 10),
    };
  }

  return {
    find: (id) => (types.get((id >>> 16) & 0xffff) ?? []).flatMap((chunk) => valueIn(chunk, id & 0xffff) ?? []),
  };
}
