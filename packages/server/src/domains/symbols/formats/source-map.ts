import { createHash } from 'node:crypto';
import { FlattenMap, originalPositionFor, type TraceMap } from '@jridgewell/trace-mapping';
import { Unreadable } from '../../../workers/unreadable.ts';

const MAX_SOURCES = 500_000;
/** Of the bundle; for each there is a list, however little the map says of it. */
const MAX_LINES = 2_000_000;
const MAX_SECTIONS = 50_000;
const MAX_DEPTH = 20;
/** Limits on decoded mappings, which take about 100 bytes of memory each, and on the length of their text. */
const MAX_PLACES = 6_000_000;
const MAX_MAPPINGS = 32 * 2 ** 20;
/** Characters of the name of a bundle. */
const MAX_FILE = 1_000;

export interface ScriptFrame {
  method?: string | undefined;
  file?: string | undefined;
  line: number;
  /** As browsers count, from 1; an offset in bytecode of Hermes from 0. */
  column: number;
  isOffset: boolean;
}

export interface MappedFrame {
  method?: string | undefined;
  file: string;
  line: number;
  column: number;
}

export interface SourceMap {
  find(frame: ScriptFrame): (MappedFrame & { calls: string | undefined }) | undefined;
  readonly bytes: number;
}

interface RawMap {
  version?: unknown;
  file?: unknown;
  sources?: unknown;
  sections?: unknown;
  mappings?: unknown;
  debugId?: unknown;
  debug_id?: unknown;
  x_facebook_sources?: unknown;
}

function parse(content: Buffer): RawMap {
  let map: unknown;
  try {
    // Some tools put a line before it, so that it cannot be run as a script.
    map = JSON.parse(content.toString('utf8').replace(/^\)\]\}'?[^\n]*\n/, ''));
  } catch {
    throw new Unreadable('It is no JSON; a source map begins with {"version":3.');
  }
  if (typeof map !== 'object' || map === null || (map as RawMap).version !== 3) {
    throw new Unreadable('It is no source map of version 3.');
  }
  const { sources, sections } = map as RawMap;
  if (!Array.isArray(sources) && !Array.isArray(sections)) throw new Unreadable('The source map names no sources.');
  if (Array.isArray(sources) && sources.length > MAX_SOURCES) {
    throw new Unreadable(`The source map has more than ${MAX_SOURCES} sources.`);
  }
  return map;
}

/** A few characters can stand for any number of lines. */
function refuseTooLong(whole: RawMap): void {
  const left: { map: RawMap; line: number; depth: number }[] = [{ map: whole, line: 0, depth: 0 }];
  let sectionCount = 0;
  let length = 0;
  let places = 0;
  for (let next = left.pop(); next; next = left.pop()) {
    const { mappings, sections } = next.map;
    let { line } = next;
    if (typeof mappings === 'string') {
      for (let at = mappings.indexOf(';'); at !== -1 && line <= MAX_LINES; at = mappings.indexOf(';', at + 1))
        line += 1;
      length += mappings.length;
      if (length > MAX_MAPPINGS) throw new Unreadable(`Its mappings have more than ${MAX_MAPPINGS} characters.`);
      for (let at = mappings.indexOf(','); at !== -1 && places <= MAX_PLACES; at = mappings.indexOf(',', at + 1))
        places += 1;
      if (places > MAX_PLACES) throw new Unreadable(`It maps more than ${MAX_PLACES} places.`);
    }
    if (!(line <= MAX_LINES)) throw new Unreadable(`The source map is of a bundle with more than ${MAX_LINES} lines.`);
    for (const section of Array.isArray(sections) ? sections : []) {
      const { offset, map } = (section ?? {}) as { offset?: { line?: unknown }; map?: unknown };
      const depth = next.depth + 1;
      if (depth > MAX_DEPTH) throw new Unreadable(`Its sections are nested deeper than ${MAX_DEPTH} levels.`);
      if (typeof map === 'object' && map !== null)
        left.push({ map, line: next.line + Number(offset?.line ?? 0), depth });
      sectionCount += 1;
      if (sectionCount > MAX_SECTIONS) throw new Unreadable(`It has more than ${MAX_SECTIONS} sections.`);
    }
  }
}

export interface SourceMapIds {
  id: string;
  otherIds: string[];
  /** Of the bundle, as the map names it. */
  file: string | undefined;
}

/** The id that the bundler gave it, if any, and one made of its content. */
export function sourceMapIds(content: Buffer): SourceMapIds {
  const map = parse(content);
  refuseTooLong(map);
  const own = createHash('sha256').update(content).digest('hex').slice(0, 32);
  const given = [map.debugId, map.debug_id].find((id) => typeof id === 'string' && /^[0-9a-fA-F-]{32,36}$/.test(id));
  return {
    id: own,
    otherIds: given === undefined ? [] : [String(given).replaceAll('-', '').toLowerCase()],
    file: typeof map.file === 'string' && map.file !== '' ? map.file.slice(0, MAX_FILE).toWellFormed() : undefined,
  };
}

/** Where functions begin in one source, as Metro writes it. */
interface FunctionMap {
  names: string[];
  lines: number[];
  columns: number[];
  indexes: number[];
}

const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const digits = new Int8Array(128).fill(-1);
for (let at = 0; at < base64.length; at++) digits[base64.charCodeAt(at)] = at;

/** `;` begins a line; each place has its column, its name, and for the first of a line how many lines further it is. */
function readFunctionMap(value: unknown): FunctionMap | undefined {
  if (!Array.isArray(value)) return undefined;
  const { names, mappings } = (value[0] ?? {}) as { names?: unknown; mappings?: unknown };
  if (!Array.isArray(names) || typeof mappings !== 'string') return undefined;
  const map: FunctionMap = { names: names.map(String), lines: [], columns: [], indexes: [] };
  let line = 1;
  let index = 0;
  for (const part of mappings.split(';')) {
    let column = 0;
    for (const segment of part.split(',')) {
      const values = readVlq(segment);
      if (values.length === 0) continue;
      column += values[0] ?? 0;
      index += values[1] ?? 0;
      line += values[2] ?? 0;
      map.lines.push(line);
      map.columns.push(column);
      map.indexes.push(index);
    }
  }
  return map;
}

function readVlq(text: string): number[] {
  const values: number[] = [];
  let value = 0;
  let shift = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = digits[text.charCodeAt(at)] ?? -1;
    if (digit === -1 || shift > 30) return [];
    value += (digit & 31) << shift;
    if (digit & 32) shift += 5;
    else {
      values.push(value & 1 ? -(value >>> 1) : value >>> 1);
      value = 0;
      shift = 0;
    }
  }
  return values;
}

function enclosingFunction(map: FunctionMap | undefined, line: number, column: number): string | undefined {
  if (!map) return undefined;
  let low = 0;
  let high = map.lines.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = map.lines[middle] ?? 0;
    if (at < line || (at === line && (map.columns[middle] ?? 0) <= column)) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? undefined : map.names[map.indexes[low - 1] ?? 0];
}

export function readSourceMap(content: Buffer): SourceMap {
  const raw = parse(content);
  refuseTooLong(raw);
  let map: TraceMap;
  try {
    map = new FlattenMap(raw as ConstructorParameters<typeof FlattenMap>[0]);
  } catch (error) {
    throw new Unreadable(`The source map cannot be read: ${(error as Error).message}.`);
  }
  const sources = new Map(map.resolvedSources.map((source, index) => [source, index]));
  const scopes = Array.isArray(raw.x_facebook_sources) ? (raw.x_facebook_sources as unknown[]) : [];
  const read = new Map<number, FunctionMap | undefined>();
  const scopeOf = (index: number): FunctionMap | undefined => {
    if (!read.has(index)) read.set(index, readFunctionMap(scopes[index]));
    return read.get(index);
  };
  return {
    bytes: content.length * 6,
    find({ line, column, isOffset, method }) {
      if (line < 1 || column < 0) return undefined;
      const found = originalPositionFor(map, { line, column: Math.max(0, isOffset ? column : column - 1) });
      if (found.source === null || found.line === null) return undefined;
      const scope = scopeOf(sources.get(found.source) ?? -1);
      return {
        file: found.source,
        line: found.line,
        column: found.column + 1,
        method: enclosingFunction(scope, found.line, found.column) ?? method,
        calls: found.name ?? undefined,
      };
    },
  };
}
