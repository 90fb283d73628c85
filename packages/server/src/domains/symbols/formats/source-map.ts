import { createHash } from 'node:crypto';
import { FlattenMap, originalPositionFor, type TraceMap } from '@jridgewell/trace-mapping';
import { parseJson } from '../../../kernel/text/json.ts';
import { Unreadable } from '../../../workers/unreadable.ts';

const MAX_SOURCES = 500_000;
/** Maximum lines of a bundle; each needs a list, even without mappings. */
const MAX_LINES = 2_000_000;
const MAX_SECTIONS = 50_000;
const MAX_DEPTH = 20;
/** Limits on decoded mappings, which take about 100 bytes of memory each, and on the length of their text. */
const MAX_PLACES = 6_000_000;
const MAX_MAPPINGS = 32 * 2 ** 20;
/** Maximum characters of a bundle's name. */
const MAX_FILE = 1_000;

export interface ScriptFrame {
  method?: string | undefined;
  file?: string | undefined;
  line: number;
  /** From 1, as in browsers; an offset in Hermes bytecode starts at 0. */
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
    // Some tools add a first line that prevents running the file as a script.
    map = parseJson(content.toString('utf8').replace(/^\)\]\}'?[^\n]*\n/, ''));
  } catch {
    throw new Unreadable('The file is not JSON. A source map starts with {"version":3.');
  }
  if (typeof map !== 'object' || map === null || (map as RawMap).version !== 3) {
    throw new Unreadable('The file is not a source map of version 3. Send the .map file of your bundler.');
  }
  const { sources, sections } = map as RawMap;
  if (!Array.isArray(sources) && !Array.isArray(sections)) throw new Unreadable('The source map lists no sources.');
  if (Array.isArray(sources) && sources.length > MAX_SOURCES) {
    throw new Unreadable(`The source map has more than ${MAX_SOURCES} sources.`);
  }
  return map;
}

/** A few characters can represent any number of lines. */
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
      if (length > MAX_MAPPINGS)
        throw new Unreadable(`The mappings of the source map have more than ${MAX_MAPPINGS} characters.`);
      for (let at = mappings.indexOf(','); at !== -1 && places <= MAX_PLACES; at = mappings.indexOf(',', at + 1))
        places += 1;
      if (places > MAX_PLACES) throw new Unreadable(`The source map maps more than ${MAX_PLACES} positions.`);
    }
    if (!(line <= MAX_LINES)) throw new Unreadable(`The bundle of the source map has more than ${MAX_LINES} lines.`);
    for (const section of Array.isArray(sections) ? sections : []) {
      const { offset, map } = (section ?? {}) as { offset?: { line?: unknown }; map?: unknown };
      const depth = next.depth + 1;
      if (depth > MAX_DEPTH)
        throw new Unreadable(`The sections of the source map are nested more than ${MAX_DEPTH} levels deep.`);
      if (typeof map === 'object' && map !== null)
        left.push({ map, line: next.line + Number(offset?.line ?? 0), depth });
      sectionCount += 1;
      if (sectionCount > MAX_SECTIONS) throw new Unreadable(`The source map has more than ${MAX_SECTIONS} sections.`);
    }
  }
}

export interface SourceMapIds {
  id: string;
  otherIds: string[];
  /** Name of the bundle in the source map. */
  file: string | undefined;
}

/** The ID from the bundler, if any, and a hash of the content. */
export function sourceMapIds(content: Buffer): SourceMapIds {
  const map = parse(content);
  refuseTooLong(map);
  const own = createHash('sha256').update(content).digest('hex').slice(0, 32);
  const declaredId = [map.debugId, map.debug_id].find(
    (id) => typeof id === 'string' && /^[0-9a-fA-F-]{32,36}$/.test(id),
  );
  return {
    id: own,
    otherIds: declaredId === undefined ? [] : [String(declaredId).replaceAll('-', '').toLowerCase()],
    file: typeof map.file === 'string' && map.file !== '' ? map.file.slice(0, MAX_FILE).toWellFormed() : undefined,
  };
}

/** Start positions of functions in one source, in Metro's format. */
interface FunctionMap {
  names: string[];
  lines: number[];
  columns: number[];
  indexes: number[];
}

const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const digits = new Int8Array(128).fill(-1);
for (let at = 0; at < base64.length; at++) digits[base64.charCodeAt(at)] = at;

/**
 * `;` starts a line; each position has a column and a name, and the first of a line the number of lines since the previous one.
 */
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
  const getScope = (index: number): FunctionMap | undefined => {
    if (!read.has(index)) read.set(index, readFunctionMap(scopes[index]));
    return read.get(index);
  };
  return {
    bytes: content.length * 6,
    find({ line, column, isOffset, method }) {
      if (line < 1 || column < 0) return undefined;
      const found = originalPositionFor(map, { line, column: Math.max(0, isOffset ? column : column - 1) });
      if (found.source === null || found.line === null) return undefined;
      const scope = getScope(sources.get(found.source) ?? -1);
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
