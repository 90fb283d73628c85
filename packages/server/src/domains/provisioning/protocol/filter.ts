import { parseJson } from '../../../kernel/text/json.ts';
import { type ScimType, scimFailure } from './scim-failure.ts';

const comparisons = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;
type Comparison = (typeof comparisons)[number];
export type FilterValue = string | number | boolean | null;

/** A filter of RFC 7644, section 3.4.2.2. Names of attributes are in lower case and have no URN of the core schemas. */
export type ScimFilter =
  | { op: 'and' | 'or'; filters: readonly ScimFilter[] }
  | { op: 'not'; filter: ScimFilter }
  | { op: 'elements'; path: readonly string[]; filter: ScimFilter }
  | { op: 'pr'; path: readonly string[] }
  | { op: Comparison; path: readonly string[]; value: FilterValue };

/** Longest filter or path, in characters. */
export const MAX_FILTER_LENGTH = 4000;
const MAX_TERMS = 100;
const MAX_DEPTH = 20;

type Token = { kind: 'name' | 'mark' | 'value'; text: string; value?: FilterValue; at: number; end: number };

/** Each alternative starts with another character, so that scanning takes linear time. */
const tokenPattern =
  /\s*(?:(?<mark>[()[\]])|(?<quoted>"(?:[^"\\]|\\.)*")|(?<number>-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?=[\s()[\]]|$))|(?<name>\.?[A-Za-z$][-\w.:$]*))/suy;

const coreSchema = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/;

/** Splits an attribute into its names. The URN of an extension contains dots, and is one name. */
export function splitPath(path: string): string[] {
  const name = path.toLowerCase().replace(coreSchema, '');
  const end = name.lastIndexOf(':');
  return end === -1 ? name.split('.') : [name.slice(0, end), ...name.slice(end + 1).split('.')];
}

function tokenize(text: string, type: ScimType): Token[] {
  if (text.length > MAX_FILTER_LENGTH) {
    throw scimFailure(type, `The expression has more than ${MAX_FILTER_LENGTH} characters. Use a shorter one.`);
  }
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  for (tokenPattern.lastIndex = 0; tokenPattern.lastIndex < end; ) {
    const start = tokenPattern.lastIndex;
    const groups = tokenPattern.exec(text)?.groups;
    if (!groups) throw scimFailure(type, `Unexpected text at character ${start + 1} of the expression.`);
    const at = text.slice(start).search(/\S/) + start;
    const place = { at, end: tokenPattern.lastIndex };
    const { mark, quoted, number, name } = groups;
    if (mark) tokens.push({ kind: 'mark', text: mark, ...place });
    else if (name) tokens.push({ kind: 'name', text: name, ...place });
    else tokens.push({ kind: 'value', text: '', value: readValue(quoted ?? number ?? '', type), ...place });
  }
  return tokens;
}

function readValue(json: string, type: ScimType): FilterValue {
  try {
    return parseJson(json) as FilterValue;
  } catch {
    throw scimFailure(type, 'A text in the expression has an invalid escape sequence. Write texts as in JSON.');
  }
}

const constants: Readonly<Record<string, FilterValue>> = { true: true, false: false, null: null };

/** A parser without backtracking. Positions are those of its tokens. */
class Parser {
  private at = 0;
  private terms = 0;
  private depth = 0;
  private readonly tokens: readonly Token[];
  private readonly type: ScimType;

  constructor(text: string, type: ScimType) {
    this.type = type;
    this.tokens = tokenize(text, type);
  }

  private get next(): Token | undefined {
    return this.tokens[this.at];
  }

  get isDone(): boolean {
    return this.at === this.tokens.length;
  }

  fail(what: string): never {
    const place = this.next ? `at character ${this.next.at + 1}` : 'at its end';
    throw scimFailure(this.type, `The expression is invalid ${place}: expected ${what}.`);
  }

  private takes(text: string): boolean {
    const { next } = this;
    if (!next || next.kind === 'value' || next.text.toLowerCase() !== text) return false;
    this.at += 1;
    return true;
  }

  expect(mark: string): void {
    if (!this.takes(mark)) this.fail(`"${mark}"`);
  }

  name(what: string): string {
    const { next } = this;
    if (next?.kind !== 'name' || next.text.startsWith('.')) this.fail(what);
    this.at += 1;
    return next.text;
  }

  /** `.value` directly behind a bracket. */
  suffix(): string[] | undefined {
    const [before, next] = [this.tokens[this.at - 1], this.next];
    if (next?.kind !== 'name' || !next.text.startsWith('.') || before?.end !== next.at) return undefined;
    this.at += 1;
    return splitPath(next.text.slice(1));
  }

  hasBracket(): boolean {
    return this.takes('[');
  }

  filter(): ScimFilter {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) {
      throw scimFailure(this.type, `The expression has more than ${MAX_DEPTH} levels of brackets. Use a simpler one.`);
    }
    const filter = this.list('or', () => this.list('and', () => this.term()));
    this.depth -= 1;
    return filter;
  }

  private list(op: 'and' | 'or', read: () => ScimFilter): ScimFilter {
    const first = read();
    const filters = [first];
    while (this.takes(op)) filters.push(read());
    return filters.length === 1 ? first : { op, filters };
  }

  private term(): ScimFilter {
    this.terms += 1;
    if (this.terms > MAX_TERMS) {
      throw scimFailure(this.type, `The expression has more than ${MAX_TERMS} conditions. Use fewer.`);
    }
    if (this.takes('(')) return this.closed(')');
    const name = this.name('the name of an attribute');
    if (name.toLowerCase() === 'not' && this.takes('(')) return { op: 'not', filter: this.closed(')') };
    const path = splitPath(name);
    if (!this.takes('[')) return this.comparison(path);
    const filter = this.closed(']');
    const suffix = this.suffix();
    // `emails[type eq "work"].value eq "…"`, which Entra ID sends, is about one element.
    return {
      op: 'elements',
      path,
      filter: suffix ? { op: 'and', filters: [filter, this.comparison(suffix)] } : filter,
    };
  }

  private closed(mark: ')' | ']'): ScimFilter {
    const filter = this.filter();
    this.expect(mark);
    return filter;
  }

  private comparison(path: readonly string[]): ScimFilter {
    const op = this.name('an operator such as eq').toLowerCase();
    if (op === 'pr') return { op, path };
    if (!isComparison(op)) {
      this.at -= 1;
      this.fail('one of the operators eq, ne, co, sw, ew, gt, ge, lt, le and pr');
    }
    const value = this.value();
    if (!['eq', 'ne'].includes(op) && (value === null || typeof value === 'boolean')) {
      throw scimFailure(this.type, `The operator ${op} compares texts and numbers. Use eq or ne.`);
    }
    return { op, path, value };
  }

  private value(): FilterValue {
    const { next } = this;
    const value = next?.kind === 'value' ? next.value : next && constants[next.text];
    if (value === undefined) this.fail('a text in quotation marks, a number, true, false or null');
    this.at += 1;
    return value;
  }
}

const isComparison = (op: string): op is Comparison => (comparisons as readonly string[]).includes(op);

export function parseFilter(text: string): ScimFilter {
  const parser = new Parser(text, 'invalidFilter');
  const filter = parser.filter();
  if (!parser.isDone) parser.fail('"and", "or" or the end');
  return filter;
}

/** The target of an operation of a patch: an attribute, or elements of one. */
export interface PatchPath {
  path: readonly string[];
  filter: ScimFilter | undefined;
  /** The attribute of these elements. */
  of: readonly string[] | undefined;
}

export function parsePath(text: string): PatchPath {
  const parser = new Parser(text, 'invalidPath');
  const path = splitPath(parser.name('the name of an attribute'));
  if (!parser.hasBracket()) {
    if (!parser.isDone) parser.fail('the end');
    return { path, filter: undefined, of: undefined };
  }
  const filter = parser.filter();
  parser.expect(']');
  const of = parser.suffix();
  if (!parser.isDone) parser.fail('the end');
  return { path, filter, of };
}
