/** Four times the depth of any body that the API defines. Recursive code may use one call per level. */
export const MAX_DEPTH = 64;

const [quote, backslash] = ['"', '\\'].map((sign) => sign.charCodeAt(0));
const [brace, bracket, braceEnd, bracketEnd] = ['{', '[', '}', ']'].map((sign) => sign.charCodeAt(0));

/**
 * Position of the quote that closes the string whose content starts at `from`: the first with an even number of
 * backslashes before it.
 */
export function findStringEnd(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (before > from && text.charCodeAt(before - 1) === backslash) before -= 1;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}

/**
 * Checks, before parsing, if untrusted JSON is nested too deeply. Looks at brackets outside strings, in one pass; the
 * parser checks the syntax.
 */
export function isTooDeep(text: string, most = MAX_DEPTH): boolean {
  if (text.length < 2 * most) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = findStringEnd(text, at + 1);
    else if (code === brace || code === bracket) {
      depth += 1;
      if (depth > most) return true;
    } else if (code === braceEnd || code === bracketEnd) depth -= 1;
  }
  return false;
}

/** A megabyte of brackets or of fields takes a hundred times as long to parse, copy and check as one of text. */
export const MAX_VALUES = 50_000;
export const MAX_FIELDS = 5000;

const [comma, colon] = [',', ':'].map((sign) => sign.charCodeAt(0));

/**
 * Describes why untrusted JSON is too large, before it is parsed: its depth, the number of its values, or the fields of
 * one object. Counts characters outside strings, in one pass; the parser checks the syntax.
 */
export function describeExcess(text: string, maxValues = MAX_VALUES): string | undefined {
  if (text.length < 2 * MAX_DEPTH) return undefined;
  /** Number of fields of each open object. */
  const fields: number[] = [];
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = findStringEnd(text, at + 1);
    else if (code === brace || code === bracket) {
      values += 1;
      fields.push(0);
      if (fields.length > MAX_DEPTH) return `is nested more than ${MAX_DEPTH} levels deep`;
    } else if (code === comma) values += 1;
    else if (code === braceEnd || code === bracketEnd) fields.pop();
    else if (code === colon && fields.length > 0) {
      const count = (fields.pop() ?? 0) + 1;
      if (count > MAX_FIELDS) return `has an object with more than ${MAX_FIELDS} fields`;
      fields.push(count);
    }
    if (values > maxValues) return `has more than ${maxValues} values`;
  }
  return undefined;
}

/** Parses text with any JSON; callers validate the value. Stored JSON has a codec (`json-codec.ts`). */
export const parseJson = (text: string): unknown => JSON.parse(text);

/**
 * Parses text that this program wrote, without validating the value. For hot paths (telemetry rows, batches of logs,
 * bodies of reports and events), where validation would cost as much as parsing, and between the processes of one
 * installation.
 */
export const parseOwnJson = <T>(text: string): T => JSON.parse(text) as T;

/**
 * Parses the response of a server that a user chose. Limits it first, because a few megabytes of brackets take seconds.
 */
export function parseForeignJson(body: Buffer): unknown {
  const text = body.toString('utf8');
  const excess = describeExcess(text);
  if (excess) throw new SyntaxError(`The JSON ${excess}.`);
  return parseJson(text);
}

/** True if a parsed value contains more values than `limit`; stops counting there. */
export function hasMoreValues(value: unknown, limit: number): boolean {
  const open = [value];
  let count = 0;
  while (open.length > 0) {
    count += 1;
    if (count + open.length > limit + 1) return true;
    const next = open.pop();
    if (typeof next === 'object' && next !== null) {
      for (const inner of Object.values(next)) open.push(inner);
    }
  }
  return false;
}

function containsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, item]) => key.includes('\0') || containsNul(item));
}

/** Checks a parsed value for NUL, which PostgreSQL can't store. The text has it as an escape sequence. */
export const hasNul = (text: string, value: unknown): boolean => text.includes('\\u0000') && containsNul(value);
