import { parseJson } from '../../../kernel/text/json.ts';
import { Unreadable } from '../../../workers/unreadable.ts';

/** Lines of C# for the C++ that Unity generates from it. */
export interface LineMappings {
  /** IDs of the binaries, 32 hexadecimal digits in lower case. */
  debugIds: string[];
  find(file: string, line: number): { file: string; line: number } | undefined;
  bytes: number;
}

/** Names the binary in a mapping. */
export const DEBUG_ID_KEY = '__debug-id__';

/** Statements of C# become a few lines of C++. A line that is further away belongs to other code. */
const MAX_DISTANCE = 5;

interface MappedLine {
  from: number;
  file: string;
  line: number;
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isLine = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;

function parse(content: Buffer): Record<string, unknown> {
  try {
    const value: unknown = parseJson(content.toString('utf8'));
    if (isFields(value)) return value;
  } catch {
    // Rejected below.
  }
  throw new Unreadable('The line mappings of IL2CPP are not a JSON object.');
}

function readLines(files: Record<string, unknown>): MappedLine[] {
  const lines: MappedLine[] = [];
  for (const [file, mapped] of Object.entries(files)) {
    if (!isFields(mapped)) continue;
    for (const [from, line] of Object.entries(mapped)) {
      if (isLine(Number(from)) && isLine(line)) lines.push({ from: Number(from), file, line });
    }
  }
  return lines.sort((one, other) => one.from - other.from);
}

const baseName = (path: string): string => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);

/** Reads mappings of the form C++ file, C# file, C++ line, C# line. */
export function readLineMappings(content: Buffer): LineMappings {
  const { [DEBUG_ID_KEY]: ids, ...files } = parse(content);
  const byFile = new Map<string, MappedLine[]>();
  /** Debug information may have other folders than the mapping. */
  const byName = new Map<string, MappedLine[] | undefined>();
  for (const [file, mapped] of Object.entries(files)) {
    const lines = isFields(mapped) ? readLines(mapped) : [];
    if (lines.length === 0) continue;
    byFile.set(file, lines);
    const name = baseName(file);
    byName.set(name, byName.has(name) ? undefined : lines);
  }
  if (byFile.size === 0) throw new Unreadable('The line mappings of IL2CPP have no lines.');
  return {
    debugIds: (isFields(ids) ? Object.keys(ids) : [])
      .map((id) => id.replaceAll('-', '').slice(0, 32).toLowerCase())
      .filter((id) => /^[0-9a-f]{32}$/.test(id)),
    find(file, line) {
      const lines = byFile.get(file) ?? byName.get(baseName(file)) ?? [];
      let [low, high] = [0, lines.length];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((lines[middle]?.from ?? 0) <= line) low = middle + 1;
        else high = middle;
      }
      const found = lines[low - 1];
      return found && line - found.from <= MAX_DISTANCE ? { file: found.file, line: found.line } : undefined;
    },
    bytes: content.length * 4,
  };
}
