import { createHash } from 'node:crypto';
import { parseJson } from '../../../kernel/text/json.ts';
import { Unreadable } from '../../../workers/unreadable.ts';

const NEWLINE = 10;
const MAX_CLASSES = 4_000_000;
/** Cache limits: classes with parsed members, and their members. */
const MAX_CACHED_CLASSES = 2_000;
const MAX_CACHED_MEMBERS = 500_000;
/** Maximum members of one class, including those inlined into them. A Java class has at most 65,535 methods. */
const MAX_MEMBERS = 500_000;
/** Maximum members of one class with the same name. Far more than compilers write. */
const MAX_SAME_NAME = 20_000;
/** Maximum number of inlined frames per frame. */
const MAX_INLINED = 200;

export interface JavaFrame {
  className: string;
  method: string;
  file?: string | undefined;
  line?: number | undefined;
}

export interface RetracedFrame extends JavaFrame {
  isInlined: boolean;
  /** Other candidates, if the frame is ambiguous. */
  alternatives?: string[];
}

export interface Mapping {
  retraceClass(name: string): string | undefined;
  /**
   * Returns the source frames for each frame, innermost first: none if the compiler generated it, several if functions were
   * inlined.
   */
  retrace(frames: readonly JavaFrame[], exceptionType?: string): (RetracedFrame[] | undefined)[];
  readonly classes: number;
  readonly bytes: number;
}

/** IDs of a mapping: the one from R8, and a hash of its content. */
export interface MappingIds {
  id: string;
  otherIds: string[];
}

/** The ID that build plug-ins put into the app and into the name of the mapping: `proguard/<uuid>.txt`. */
export const getNamedId = (path: string): string | undefined =>
  /(?:^|\/)([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\.txt$/i.exec(path)?.[1]?.replaceAll('-', '').toLowerCase();

export function mappingIds(content: Buffer): MappingIds {
  const head = content.toString('utf8', 0, 4096);
  const r8Hash = /^# pg_map_hash: SHA-256 ([0-9a-f]{64})\s*$/m.exec(head)?.[1];
  const r8Id = /^# pg_map_id: ([0-9a-zA-Z]{1,64})\s*$/m.exec(head)?.[1];
  return {
    id: createHash('sha256').update(content).digest('hex').slice(0, 32),
    otherIds: [r8Id, r8Hash].filter((id) => id !== undefined),
  };
}

interface Member {
  /** Obfuscated lines; undefined for all lines. */
  range: [first: number, last: number] | undefined;
  owner: string | undefined;
  method: string;
  original: [first: number, last: number | undefined] | undefined;
  isSynthesized: boolean;
  isOutline: boolean;
  /** Maps lines of an outline to lines of its caller. */
  positions: Record<string, number> | undefined;
  rewrites: { throws: string[]; removes: number }[];
}

interface ClassPlace {
  original: string;
  start: number;
  end: number;
}

const memberLine =
  /^\s+(?:(\d{1,9}):(\d{1,9}):)?[^\s(:]+ ([^\s(]+)\(([^)]*)\)(?::(\d{1,9}))?(?::(\d{1,9}))? -> (\S+)\s*$/;

function readComment(line: string): Record<string, unknown> | undefined {
  const start = line.indexOf('{');
  if (start === -1) return undefined;
  const text = line.slice(start).trim();
  for (const candidate of [text, text.replaceAll("'", '"')]) {
    try {
      const value: unknown = parseJson(candidate);
      return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
    } catch {
      // The next format.
    }
  }
  return undefined;
}

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];

function applyComment(member: Member, comment: Record<string, unknown>): void {
  const { id } = comment;
  if (id === 'com.android.tools.r8.synthesized') member.isSynthesized = true;
  else if (id === 'com.android.tools.r8.outline') member.isOutline = true;
  else if (id === 'com.android.tools.r8.outlineCallsite') {
    const { positions } = comment;
    if (typeof positions === 'object' && positions !== null) member.positions = positions as Record<string, number>;
  } else if (id === 'com.android.tools.r8.rewriteFrame') {
    const throws = strings(comment.conditions).map((condition) => /^throws\(L(.+);\)$/.exec(condition)?.[1] ?? '');
    const removes = strings(comment.actions).map((action) =>
      Number(/^removeInnerFrames\((\d{1,4})\)$/.exec(action)?.[1]),
    );
    member.rewrites.push({ throws, removes: removes.reduce((sum, count) => sum + (count || 0), 0) });
  }
}

/** Scans the file once and records the positions of classes; parses members on demand. */
export function indexMapping(content: Buffer): Mapping {
  const byName = new Map<string, ClassPlace>();
  const sourceFiles = new Map<string, string>();
  let last: ClassPlace | undefined;
  const findLineEnd = (at: number): number => {
    const end = content.indexOf(NEWLINE, at);
    return end === -1 ? content.length : end;
  };
  for (let at = 0; at < content.length; ) {
    const end = findLineEnd(at);
    const first = content[at];
    const isIndented = first === 32 || first === 9;
    if (isIndented || first === 35 || first === 13 || at === end) {
      // A comment, possibly indented, can name the source file of the class above.
      const isComment =
        first === 35 || (isIndented && content.toString('latin1', at, Math.min(end, at + 24)).trimStart()[0] === '#');
      if (last && isComment && end - at < 4096) {
        const line = content.toString('utf8', at, end);
        const comment = line.includes('sourceFile') ? readComment(line) : undefined;
        if (comment?.id === 'sourceFile' && typeof comment.fileName === 'string') {
          sourceFiles.set(last.original, comment.fileName);
        }
      }
    } else if (end - at < 8192) {
      const line = content.toString('utf8', at, end).trimEnd();
      const arrow = line.indexOf(' -> ');
      if (arrow > 0 && line.endsWith(':')) {
        if (last) last.end = at;
        last = { original: line.slice(0, arrow), start: end + 1, end: content.length };
        byName.set(line.slice(arrow + 4, -1), last);
        if (byName.size > MAX_CLASSES) throw new Unreadable(`The mapping has more than ${MAX_CLASSES} classes.`);
      }
    }
    at = end + 1;
  }
  if (byName.size === 0) {
    throw new Unreadable(
      'The file has no line such as "org.example.Cart -> a.b:". Send the mapping.txt of R8 or ProGuard.',
    );
  }

  function parseMembers({ start, end }: ClassPlace): Map<string, Member[]> {
    const members = new Map<string, Member[]>();
    let member: Member | undefined;
    let count = 0;
    for (let at = start; at < end; at = findLineEnd(at) + 1) {
      const line = content.toString('utf8', at, Math.min(findLineEnd(at), at + 65_536));
      if (/^\s*#/.test(line)) {
        const comment = readComment(line);
        if (comment && member) applyComment(member, comment);
        continue;
      }
      const [, first, final, name, , originalFirst, originalLast, obfuscated] = memberLine.exec(line) ?? [];
      if (name === undefined || obfuscated === undefined) continue;
      const dot = name.lastIndexOf('.');
      member = {
        range: first === undefined ? undefined : [Number(first), Number(final)],
        owner: dot === -1 ? undefined : name.slice(0, dot),
        method: name.slice(dot + 1),
        original:
          originalFirst === undefined
            ? undefined
            : [Number(originalFirst), originalLast === undefined ? undefined : Number(originalLast)],
        isSynthesized: false,
        isOutline: false,
        positions: undefined,
        rewrites: [],
      };
      count += 1;
      if (count > MAX_MEMBERS) throw new Unreadable(`A class in the mapping has more than ${MAX_MEMBERS} members.`);
      const list = members.get(obfuscated) ?? [];
      if (list.length < MAX_SAME_NAME) list.push(member);
      members.set(obfuscated, list);
    }
    return members;
  }

  const cache = new Map<ClassPlace, Map<string, Member[]>>();
  let cachedMembers = 0;
  function getMembers(place: ClassPlace): Map<string, Member[]> {
    const known = cache.get(place);
    if (known) return known;
    const parsed = parseMembers(place);
    const count = parsed.values().reduce((sum, { length }) => sum + length, 0);
    if (cache.size >= MAX_CACHED_CLASSES || cachedMembers + count > MAX_CACHED_MEMBERS) {
      cache.clear();
      cachedMembers = 0;
    }
    cache.set(place, parsed);
    cachedMembers += count;
    return parsed;
  }

  const getSourceFile = (className: string, was: string | undefined): string => {
    const known = sourceFiles.get(className);
    if (known) return known;
    const simple = className.slice(className.lastIndexOf('.') + 1).split('$', 1)[0] ?? className;
    const isKotlin = was?.endsWith('.kt') || (simple.endsWith('Kt') && simple.length > 2);
    return isKotlin ? `${simple.replace(/Kt$/, '')}.kt` : `${simple}.java`;
  };

  function retraceOne(
    frame: JavaFrame,
    line: number | undefined,
    thrown: string | undefined,
  ): { frames: RetracedFrame[]; outlineLine?: number; chain: Member[] } | undefined {
    const place = byName.get(frame.className);
    if (!place) return undefined;
    const candidates = getMembers(place).get(frame.method) ?? [];
    const toFrame = (member: Member, at: number | undefined, isInlined: boolean): RetracedFrame => {
      const className = member.owner ?? place.original;
      return { className, method: member.method, file: getSourceFile(className, frame.file), line: at, isInlined };
    };
    if (candidates.length === 0) {
      const { original } = place;
      return {
        frames: [
          {
            className: original,
            method: frame.method,
            file: getSourceFile(original, frame.file),
            line,
            isInlined: false,
          },
        ],
        chain: [],
      };
    }
    const containsLine = ({ range }: Member): boolean =>
      range !== undefined && line !== undefined && line >= range[0] && line <= range[1];
    const firstHit = line === undefined ? -1 : candidates.findIndex(containsLine);
    const chain: Member[] = [];
    if (firstHit !== -1) {
      const range = candidates[firstHit]?.range;
      for (const member of candidates.slice(firstHit, firstHit + MAX_INLINED)) {
        if (member.range?.[0] !== range?.[0] || member.range?.[1] !== range?.[1]) break;
        chain.push(member);
      }
    } else {
      const anyLine = candidates.filter(({ range }) => range === undefined);
      // Without a line, only the method itself is certain, not what was inlined into it.
      const outermost = candidates.filter(({ range }, index) => {
        const next = candidates[index + 1]?.range;
        return range === undefined || next?.[0] !== range[0] || next[1] !== range[1];
      });
      const possible = line !== undefined && anyLine.length > 0 ? anyLine : outermost;
      const names = [
        ...new Map(
          possible
            .filter(({ isSynthesized }) => !isSynthesized)
            .map((member) => [`${member.owner ?? place.original}.${member.method}`, member]),
        ),
      ];
      const [first, ...others] = names;
      if (!first) return { frames: [], chain: [] };
      const [, member] = first;
      // A single method without ranges keeps its line: ProGuard did not change it.
      const at = others.length === 0 && member.range === undefined ? (member.original?.[0] ?? line) : undefined;
      const found = toFrame(member, at, false);
      if (others.length > 0) found.alternatives = others.slice(0, 20).map(([name]) => name);
      return { frames: [found], chain: [member] };
    }
    if (chain.some(({ isOutline }) => isOutline)) return { frames: [], outlineLine: line ?? 0, chain };
    const visible = chain.filter(({ isSynthesized }) => !isSynthesized);
    const removes = chain
      .flatMap(({ rewrites }) => rewrites)
      .filter(({ throws }) => thrown !== undefined && throws.every((type) => type.replaceAll('/', '.') === thrown))
      .reduce((most, { removes }) => Math.max(most, removes), 0);
    const frames = visible
      .map((member, index) => toFrame(member, originalLine(member, line ?? 0), index < visible.length - 1))
      .slice(Math.min(removes, Math.max(0, visible.length - 1)));
    return { frames, chain };
  }

  return {
    classes: byName.size,
    bytes: content.length + byName.size * 250,
    retraceClass: (name) => byName.get(name)?.original,
    retrace(frames, exceptionType) {
      const thrown = exceptionType && (byName.get(exceptionType)?.original ?? exceptionType);
      let outlineLine: number | undefined;
      return frames.map((frame, index) => {
        let line = frame.line;
        if (outlineLine !== undefined) {
          const site = retraceOne(frame, line, undefined)?.chain.find(({ positions }) => positions);
          line = site?.positions?.[String(outlineLine)] ?? line;
        }
        const found = retraceOne(frame, line, index === 0 ? thrown : undefined);
        outlineLine = found?.outlineLine;
        return found?.frames;
      });
    },
  };
}

function originalLine({ range, original }: Member, line: number): number | undefined {
  if (!original) return line;
  const [first, last] = original;
  if (last === undefined || last === first || !range) return first;
  return Math.min(last, first + line - range[0]);
}
