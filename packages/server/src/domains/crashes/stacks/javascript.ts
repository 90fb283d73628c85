import type { ExceptionStack, Frame } from './stack.ts';

/** Bundles, whose lines are not those of the source code. */
const packed = /\.(jsbundle|bundle|hbc)$/;

const isUnnamed = (method: string): boolean => ['', 'anonymous', '<anonymous>', '<unknown>', '?'].includes(method);

export const isJavascriptApp = (file: string): boolean =>
  file !== '' && file !== 'native' && file !== '[native code]' && !file.includes('node_modules/');

/** Parses `index.bundle:1:42` from the end, because paths may contain colons. */
function readLocation(text: string): { file: string; line?: number; column?: number } | undefined {
  if (text === 'native' || text === '[native code]') return { file: text };
  const last = text.lastIndexOf(':');
  const first = last < 0 ? -1 : text.lastIndexOf(':', last - 1);
  const isNumber = (part: string): boolean => /^\d{1,9}$/.test(part);
  const end = text.slice(last + 1);
  if (last < 0 || !isNumber(end)) return undefined;
  const middle = text.slice(first + 1, last);
  if (isNumber(middle))
    return { file: first < 0 ? '' : text.slice(0, first), line: Number(middle), column: Number(end) };
  return { file: text.slice(0, last), line: Number(end) };
}

/** Removes host, query and device-specific folders, which vary. */
function plainFile(file: string): string {
  const withoutQuery = file.split(/[?#]/, 1)[0] ?? '';
  if (!packed.test(withoutQuery) && !/^[a-z][a-z+.-]{0,20}:\/\//i.test(withoutQuery)) return withoutQuery;
  return withoutQuery.slice(withoutQuery.lastIndexOf('/') + 1);
}

/** The file of a frame without varying parts, and whether it is a bundle. */
export function plainScript(path: string): { file: string; isPacked: boolean } {
  const file = plainFile(path);
  return { file, isPacked: packed.test(file) };
}

function toFrame(raw: string, called: string, location: string): Frame | undefined {
  const ofBytecode = location.startsWith('address at ');
  const found = readLocation(ofBytecode ? location.slice(11) : location);
  if (!found) return undefined;
  const name = called.replace(/^(?:async |new |Object\.)/, '');
  const file = plainFile(found.file);
  const isUnsymbolicated = ofBytecode || packed.test(file) || (file === '' && found.column !== undefined);
  return {
    raw,
    language: 'JavaScript',
    isApp: isJavascriptApp(found.file) || (found.file === '' && found.column !== undefined),
    ...(isUnnamed(name) ? {} : { method: name }),
    ...(file ? { file } : {}),
    ...(found.line === undefined ? {} : { line: found.line }),
    ...(found.column === undefined ? {} : { column: found.column }),
    ...(isUnsymbolicated ? { isUnsymbolicated: true } : {}),
  };
}

/** V8 and Hermes: `at pay (index.bundle:1:42)`, `at index.bundle:1:42`, `at pay (address at index.bundle:1:42)`. */
function readAtLine(raw: string): Frame | undefined {
  const rest = raw.slice(3);
  const open = rest.indexOf(' (');
  if (open >= 0 && rest.endsWith(')')) return toFrame(raw, rest.slice(0, open), rest.slice(open + 2, -1));
  return toFrame(raw, '', rest);
}

/** JavaScriptCore: `pay@index.bundle:1:42`, `pay@[native code]`. */
function readLine(line: string): Frame | undefined {
  const raw = line.trim();
  if (raw.startsWith('at ')) return readAtLine(raw);
  const at = raw.indexOf('@');
  return at < 0 ? undefined : toFrame(raw, raw.slice(0, at), raw.slice(at + 1));
}

export const readJavascriptText = (lines: readonly string[]): ExceptionStack[] => [
  { type: '', message: '', frames: lines.flatMap((line) => readLine(line) ?? []) },
];
