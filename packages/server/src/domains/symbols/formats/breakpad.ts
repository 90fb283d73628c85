import { Unreadable } from '../../../workers/unreadable.ts';
import type { SourceLocation } from './images.ts';

/** Maximum of functions, unwind lines, files and names together. */
const MAX_RECORDS = 5_000_000;
const NEWLINE = 10;
const SPACE = 32;
/** Maximum of lines and inlined calls per function, and of changes per unwind rule. Far more than compilers write. */
const MAX_IN_FUNCTION = 100_000;
const MAX_CHANGES = 4_000;
/** Maximum number of inlined frames per frame. */
const MAX_INLINED = 200;
/** Cache limits: functions with parsed lines, and their lines and inlined calls. */
const MAX_CACHED_FUNCTIONS = 512;
const MAX_CACHED_LINES = 500_000;

export interface BreakpadModule {
  os: string;
  arch: string;
  id: string;
  name: string;
  /** The full build ID, if the file contains it. */
  codeId: string | undefined;
}

export const isBreakpad = (head: Buffer): boolean => head.toString('latin1', 0, 7) === 'MODULE ';

/** Reads the first lines of the file. */
export function readBreakpadModule(head: Buffer): BreakpadModule {
  const [first = '', second = ''] = head.toString('utf8', 0, 4096).split(/\r?\n/, 2);
  const [, os, arch, id, name] = /^MODULE (\S+) (\S+) ([0-9A-Fa-f]{33,40}) (.+)$/.exec(first) ?? [];
  if (!os || !arch || !id || !name) {
    throw new Unreadable(
      'The first line is not "MODULE <os> <architecture> <id> <name>". Create the file with dump_syms.',
    );
  }
  const codeId = /^INFO CODE_ID ([0-9A-Fa-f]{8,128})\b/.exec(second)?.[1]?.toLowerCase();
  return { os, arch, id: id.toUpperCase(), name, codeId };
}

export interface BreakpadSymbols {
  /** Finds the function at an address in the module, innermost first; several if functions were inlined. */
  find(address: number): SourceLocation[];
  /** Returns the rules that restore the caller's registers, by register. */
  unwindRules(address: number): Map<string, string> | undefined;
  /** Memory use. */
  readonly bytes: number;
}

const DIGIT = 65_536;

/** Sorts indexes by address with a radix sort of 16 bits per pass, so that the time depends only on their number. */
function orderByAddress(addresses: Float64Array, count: number): Uint32Array {
  let order = Uint32Array.from({ length: count }, (_, index) => index);
  let isSorted = true;
  let max = 0;
  for (let at = 0; at < count; at += 1) {
    const address = addresses[at] ?? 0;
    if (address < max) isSorted = false;
    else max = address;
  }
  // Output of dump_syms is already sorted.
  if (isSorted) return order;
  let next = new Uint32Array(count);
  for (let unit = 1; unit <= max; unit *= DIGIT) {
    const digit = (index: number): number => Math.floor((addresses[index] ?? 0) / unit) % DIGIT;
    const starts = new Uint32Array(DIGIT + 1);
    for (const index of order) starts[digit(index) + 1] = (starts[digit(index) + 1] ?? 0) + 1;
    for (let at = 1; at < DIGIT; at += 1) starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0);
    for (const index of order) {
      const place = starts[digit(index)] ?? 0;
      next[place] = index;
      starts[digit(index)] = place + 1;
    }
    [order, next] = [next, order];
  }
  return order;
}

/** Sorted pairs of an address and a value; finds the last one at or before an address. */
function lookupTable() {
  let addresses = new Float64Array(1024);
  let sizes = new Float64Array(1024);
  let places = new Float64Array(1024);
  let order: Uint32Array | undefined;
  let count = 0;
  const table = {
    get bytes() {
      return addresses.byteLength * 3 + (order?.byteLength ?? 0);
    },
    get count() {
      return count;
    },
    add(address: number, size: number, place: number): void {
      // Not a number, or not a valid address.
      if (!(address >= 0 && address <= Number.MAX_SAFE_INTEGER)) return;
      if (count === addresses.length) {
        const grow = (old: Float64Array): Float64Array<ArrayBuffer> => {
          const grown = new Float64Array(old.length * 2);
          grown.set(old);
          return grown;
        };
        addresses = grow(addresses);
        sizes = grow(sizes);
        places = grow(places);
      }
      addresses[count] = address;
      sizes[count] = size;
      places[count] = place;
      count += 1;
    },
    find(address: number): { address: number; size: number; place: number } | undefined {
      order ??= orderByAddress(addresses, count);
      let low = 0;
      let high = count;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((addresses[order[middle] ?? 0] ?? 0) <= address) low = middle + 1;
        else high = middle;
      }
      const index = order[low - 1];
      if (low === 0 || index === undefined) return undefined;
      return { address: addresses[index] ?? 0, size: sizes[index] ?? 0, place: places[index] ?? 0 };
    },
  };
  return table;
}

interface ParsedFunction {
  name: string;
  lines: { address: number; size: number; line: number; file: number }[];
  inlines: { depth: number; callLine: number; callFile: number; origin: number; ranges: number[] }[];
}

/** Scans the file once and records positions; parses records on demand. */
export function indexBreakpad(content: Buffer): BreakpadSymbols {
  const functions = lookupTable();
  const publics = lookupTable();
  const unwinding = lookupTable();
  const files = new Map<number, number>();
  const origins = new Map<number, number>();

  const findLineEnd = (at: number): number => {
    const end = content.indexOf(NEWLINE, at);
    return end === -1 ? content.length : end;
  };
  const startsWith = (at: number, prefix: string): boolean =>
    content.toString('latin1', at, Math.min(at + prefix.length, content.length)) === prefix;
  const fieldsAt = (at: number, limit?: number): string[] =>
    content
      .toString('utf8', at, Math.min(findLineEnd(at), at + 65_536))
      .trimEnd()
      .split(' ', limit);
  /** Returns the rest of a line after a number of words. */
  const restAfter = (at: number, count: number): string => {
    const end = findLineEnd(at);
    let place = at;
    for (let skipped = 0; skipped < count; skipped++) {
      const space = content.subarray(place, end).indexOf(SPACE);
      if (space === -1) return '';
      place += space + 1;
    }
    return content.toString('utf8', place, Math.min(end, place + 16_384)).trimEnd();
  };
  const hex = (text: string | undefined): number => Number.parseInt(text ?? '', 16);

  for (let at = 0; at < content.length; at = findLineEnd(at) + 1) {
    const first = content[at];
    // Lines of functions, most of the file, start with a digit or a small letter.
    if (first !== 70 && first !== 80 && first !== 83 && first !== 73) continue;
    if (startsWith(at, 'FUNC ')) {
      const fields = content.toString('latin1', at + 5, at + 80).split(' ', 3);
      const shift = fields[0] === 'm' ? 1 : 0;
      functions.add(hex(fields[shift]), hex(fields[shift + 1]), at);
    } else if (startsWith(at, 'PUBLIC ')) {
      const fields = content.toString('latin1', at + 7, at + 60).split(' ', 2);
      publics.add(hex(fields[0] === 'm' ? fields[1] : fields[0]), 0, at);
    } else if (startsWith(at, 'STACK CFI INIT ')) {
      const [address, size] = content.toString('latin1', at + 15, at + 80).split(' ', 2);
      unwinding.add(hex(address), hex(size), at);
    } else if (startsWith(at, 'FILE ')) {
      files.set(Number.parseInt(content.toString('latin1', at + 5, at + 20), 10), at);
    } else if (startsWith(at, 'INLINE_ORIGIN ')) {
      origins.set(Number.parseInt(content.toString('latin1', at + 14, at + 30), 10), at);
    }
    if (functions.count + publics.count + unwinding.count + files.size + origins.size > MAX_RECORDS) {
      throw new Unreadable(`The file has more than ${MAX_RECORDS} records.`);
    }
  }

  function parseFunction(start: number): ParsedFunction {
    const shift = startsWith(start, 'FUNC m ') ? 1 : 0;
    const parsed: ParsedFunction = { name: restAfter(start, 4 + shift), lines: [], inlines: [] };
    let ranges = 0;
    for (let at = findLineEnd(start) + 1; at < content.length; at = findLineEnd(at) + 1) {
      if (parsed.lines.length + parsed.inlines.length + ranges >= MAX_IN_FUNCTION) break;
      if (startsWith(at, 'INLINE ')) {
        const [, depth, callLine, callFile, origin, ...own] = fieldsAt(at);
        ranges += own.length;
        parsed.inlines.push({
          depth: Number(depth),
          callLine: Number(callLine),
          callFile: Number(callFile),
          origin: Number(origin),
          ranges: own.map(hex),
        });
        continue;
      }
      const first = content[at] ?? 0;
      const isHex = (first >= 48 && first <= 57) || (first >= 97 && first <= 102);
      if (!isHex) break;
      const [address, size, line, file] = fieldsAt(at, 4);
      parsed.lines.push({ address: hex(address), size: hex(size), line: Number(line), file: Number(file) });
    }
    return parsed;
  }

  const cache = new Map<number, ParsedFunction>();
  let cachedLines = 0;
  function functionAt(start: number): ParsedFunction {
    const known = cache.get(start);
    if (known) return known;
    const parsed = parseFunction(start);
    const lines = parsed.inlines.reduce((sum, { ranges }) => sum + ranges.length, parsed.lines.length);
    if (cache.size >= MAX_CACHED_FUNCTIONS || cachedLines + lines > MAX_CACHED_LINES) {
      cache.clear();
      cachedLines = 0;
    }
    cache.set(start, parsed);
    cachedLines += lines;
    return parsed;
  }

  const fileName = (number: number): string | undefined => {
    const at = files.get(number);
    return at === undefined ? undefined : restAfter(at, 2);
  };
  const originName = (number: number): string => {
    const at = origins.get(number);
    return at === undefined ? '' : restAfter(at, 2);
  };
  const covers = (ranges: readonly number[], address: number): boolean => {
    for (let at = 0; at + 1 < ranges.length; at += 2) {
      const start = ranges[at] ?? 0;
      if (address >= start && address < start + (ranges[at + 1] ?? 0)) return true;
    }
    return false;
  };

  function find(address: number): SourceLocation[] {
    const found = functions.find(address);
    if (!found || address >= found.address + found.size) {
      const symbol = publics.find(address);
      // A symbol without a size ends where a function starts.
      if (!symbol || (found && found.address > symbol.address)) return [];
      return [{ method: restAfter(symbol.place, startsWith(symbol.place, 'PUBLIC m ') ? 4 : 3) }];
    }
    const { name, lines, inlines } = functionAt(found.place);
    const line = lines.find((line) => address >= line.address && address < line.address + line.size);
    // Outermost first; each has the position of its call.
    const nested = inlines
      .filter(({ ranges }) => covers(ranges, address))
      .sort((one, other) => one.depth - other.depth)
      .slice(0, MAX_INLINED);
    const names = [name, ...nested.map(({ origin }) => originName(origin))];
    const places = [
      ...nested.map(({ callLine, callFile }) => ({ line: callLine, file: fileName(callFile) })),
      { line: line?.line, file: line && fileName(line.file) },
    ];
    return names.map((method, level) => ({ method, ...places[level] })).reverse();
  }

  function unwindRules(address: number): Map<string, string> | undefined {
    const found = unwinding.find(address);
    if (!found || address >= found.address + found.size) return undefined;
    const rules = parseRules(restAfter(found.place, 5));
    let changes = 0;
    for (let at = findLineEnd(found.place) + 1; startsWith(at, 'STACK CFI '); at = findLineEnd(at) + 1) {
      changes += 1;
      const [, , where] = fieldsAt(at, 3);
      if (where === 'INIT' || hex(where) > address || changes > MAX_CHANGES) break;
      for (const [register, rule] of parseRules(restAfter(at, 3))) rules.set(register, rule);
    }
    return rules;
  }

  return {
    find,
    unwindRules,
    get bytes() {
      return content.length + functions.bytes + publics.bytes + unwinding.bytes + (files.size + origins.size) * 40;
    },
  };
}

/** Parses `.cfa: $rsp 8 + .ra: .cfa -8 + ^` by register. */
function parseRules(text: string): Map<string, string> {
  const rules = new Map<string, string>();
  let register: string | undefined;
  let tokens: string[] = [];
  for (const token of text.split(' ')) {
    if (!token.endsWith(':')) {
      tokens.push(token);
      continue;
    }
    if (register) rules.set(register, tokens.join(' '));
    register = token.slice(0, -1);
    tokens = [];
  }
  if (register) rules.set(register, tokens.join(' '));
  return rules;
}
