import { Unreadable } from '../../../workers/unreadable.ts';
import { formatGuid, type Image } from './images.ts';
import { cString, type Source } from './source.ts';

/** Reads portable PDBs of .NET, as their specification and ECMA-335 define the tables. */

const MAX_STREAMS = 64;
const MAX_METHODS = 5_000_000;
const MAX_POINTS = 100_000;
const MAX_NAME = 4_096;
const MAX_NAME_PARTS = 256;
const DOCUMENT = 0x30;
const METHOD_DEBUG_INFORMATION = 0x31;

export const isPortablePdb = (head: Buffer): boolean => head.length >= 4 && head.toString('latin1', 0, 4) === 'BSJB';

export interface MethodLine {
  file: string | undefined;
  line: number;
  column: number;
}

export interface PortablePdb {
  image: Image;
  /** Finds the line of an offset in the IL code of a method, by the number of the method in its assembly. */
  find(method: number, offset: number): MethodLine | undefined;
}

interface Place {
  offset: number;
  size: number;
}

/** A cursor over compressed numbers (ECMA-335, II.23.2). */
function createReader(bytes: Buffer) {
  let at = 0;
  const readRaw = (): { value: number; bits: number } => {
    const first = bytes[at];
    if (first === undefined) throw new Unreadable('A record of the portable PDB is truncated.');
    const length = first < 0x80 ? 1 : first < 0xc0 ? 2 : 4;
    if (at + length > bytes.length) throw new Unreadable('A record of the portable PDB is truncated.');
    const value =
      length === 1
        ? first
        : length === 2
          ? ((first & 0x3f) << 8) | (bytes[at + 1] ?? 0)
          : (first & 0x1f) * 0x1000000 + bytes.readUIntBE(at + 1, 3);
    at += length;
    return { value, bits: length === 1 ? 7 : length === 2 ? 14 : 29 };
  };
  return {
    get isAtEnd() {
      return at >= bytes.length;
    },
    readByte: () => bytes[at++] ?? 0,
    readNumber: () => readRaw().value,
    readSigned() {
      const { value, bits } = readRaw();
      const half = Math.floor(value / 2);
      return value % 2 === 0 ? half : half - 2 ** (bits - 1);
    },
  };
}

function readStreams(source: Source): Map<string, Place> {
  const invalid = () => new Unreadable('The header of the portable PDB is invalid.');
  const head = source.read(0, 16);
  if (!isPortablePdb(head)) throw invalid();
  const versionSize = head.readUInt32LE(12);
  if (versionSize > 255) throw invalid();
  let at = 16 + versionSize;
  const count = source.read(at, 4).readUInt16LE(2);
  if (count > MAX_STREAMS) throw invalid();
  at += 4;
  const streams = new Map<string, Place>();
  for (let index = 0; index < count; index++) {
    const entry = source.read(at, Math.min(40, source.size - at));
    if (entry.length < 12) throw invalid();
    const name = cString(entry.subarray(8));
    const place = { offset: entry.readUInt32LE(0), size: entry.readUInt32LE(4) };
    if (place.offset + place.size > source.size) throw invalid();
    streams.set(name, place);
    at += 8 + Math.ceil((name.length + 1) / 4) * 4;
  }
  return streams;
}

/** The tables of documents and methods, which come first in a portable PDB. */
function readTables(source: Source, place: Place) {
  const head = source.read(place.offset, 24);
  const heapSizes = head[6] ?? 0;
  const valid = head.readBigUInt64LE(8);
  if ((valid & ((1n << BigInt(DOCUMENT)) - 1n)) !== 0n)
    throw new Unreadable('The file is the metadata of an assembly, not a portable PDB.');
  let at = place.offset + 24;
  const counts = new Map<number, number>();
  for (let table = DOCUMENT; table < 64; table++) {
    if ((valid & (1n << BigInt(table))) === 0n) continue;
    counts.set(table, source.read(at, 4).readUInt32LE(0));
    at += 4;
  }
  const blobSize = heapSizes & 4 ? 4 : 2;
  const guidSize = heapSizes & 2 ? 4 : 2;
  const documents = counts.get(DOCUMENT) ?? 0;
  const methods = counts.get(METHOD_DEBUG_INFORMATION) ?? 0;
  if (documents > MAX_METHODS || methods > MAX_METHODS) throw new Unreadable('The portable PDB has too many methods.');
  const documentSize = 2 * blobSize + 2 * guidSize;
  const documentIndexSize = documents < 65_536 ? 2 : 4;
  return {
    blobSize,
    documents: { at, count: documents, size: documentSize },
    methods: {
      at: at + documents * documentSize,
      count: methods,
      size: documentIndexSize + blobSize,
      documentIndexSize,
    },
  };
}

export function readPortablePdb(source: Source): PortablePdb {
  const streams = readStreams(source);
  const pdb = streams.get('#Pdb');
  const tableStream = streams.get('#~');
  if (!pdb || pdb.size < 20 || !tableStream) {
    throw new Unreadable('The file is not a portable PDB: it has no #Pdb stream.');
  }
  const blobs = streams.get('#Blob') ?? { offset: 0, size: 0 };
  const { blobSize, documents, methods } = readTables(source, tableStream);

  const readBlob = (offset: number): Buffer => {
    if (offset <= 0 || offset >= blobs.size) return Buffer.alloc(0);
    const start = blobs.offset + offset;
    const head = source.read(start, Math.min(4, blobs.offset + blobs.size - start));
    const first = head[0] ?? 0;
    const prefix = first < 0x80 ? 1 : first < 0xc0 ? 2 : 4;
    if (head.length < prefix) throw new Unreadable('A record of the portable PDB is truncated.');
    const length = createReader(head).readNumber();
    if (start + prefix + length > blobs.offset + blobs.size)
      throw new Unreadable('A record of the portable PDB is outside of its stream.');
    return source.read(start + prefix, length);
  };

  const names = new Map<number, string | undefined>();
  /** A separator, and positions of the parts of the path. */
  function readDocumentName(document: number): string | undefined {
    if (document < 1 || document > documents.count) return undefined;
    const known = names.get(document);
    if (known !== undefined) return known;
    const row = source.read(documents.at + (document - 1) * documents.size, blobSize);
    const reader = createReader(readBlob(row.readUIntLE(0, blobSize)));
    const separator = reader.readByte();
    const parts: string[] = [];
    let length = 0;
    while (!reader.isAtEnd && parts.length < MAX_NAME_PARTS && length < MAX_NAME) {
      const part = readBlob(reader.readNumber()).toString('utf8', 0, MAX_NAME);
      parts.push(part);
      length += part.length;
    }
    const name = parts.join(separator === 0 ? '' : String.fromCharCode(separator)).slice(0, MAX_NAME);
    names.set(document, name);
    return name;
  }

  function find(method: number, offset: number): MethodLine | undefined {
    if (!(method >= 1 && method <= methods.count)) return undefined;
    const row = source.read(methods.at + (method - 1) * methods.size, methods.size);
    let document = row.readUIntLE(0, methods.documentIndexSize);
    const points = readBlob(row.readUIntLE(methods.documentIndexSize, blobSize));
    if (points.length === 0) return undefined;
    const reader = createReader(points);
    reader.readNumber();
    if (document === 0) document = reader.readNumber();
    let at = 0;
    let line = 0;
    let column = 0;
    let best: { document: number; line: number; column: number } | undefined;
    for (let count = 0; !reader.isAtEnd && count < MAX_POINTS; count++) {
      const distance = reader.readNumber();
      if (count > 0 && distance === 0) {
        document = reader.readNumber();
        continue;
      }
      at += distance;
      if (at > offset) break;
      const lines = reader.readNumber();
      const columns = lines === 0 ? reader.readNumber() : reader.readSigned();
      // Code of the compiler, without a line.
      if (lines === 0 && columns === 0) continue;
      const isFirst = line === 0;
      line += isFirst ? reader.readNumber() : reader.readSigned();
      column += isFirst ? reader.readNumber() : reader.readSigned();
      best = { document, line, column };
    }
    return best && { file: readDocumentName(best.document), line: best.line, column: best.column };
  }

  const id = source.read(pdb.offset, 20);
  const stamp = id.readUInt32LE(16);
  return {
    image: {
      id: `${formatGuid(id)}-${stamp.toString(16)}`,
      otherIds: [],
      arch: 'dotnet',
      textAddress: '0x0',
      hasLines: true,
    },
    find,
  };
}
