import { type Comparison, type FilterNode, type FilterOperator, filterOperators } from './filter-ast.ts';
import { describe, FilterProblem, shown, type Token, tokenize } from './filter-tokens.ts';

export { FilterProblem } from './filter-tokens.ts';

const deepest = 32;
const mostComparisons = 200;

/** What a property is compared with. */
export interface ValueKind {
  /** Whether one value comes before another; else they are equal or not. */
  isOrdered: boolean;
  /** In words, for whoever wrote something else. */
  needs: string;
  /** Nothing if that is no such value. */
  read(token: Token): Comparison['value'] | undefined;
  /** As it is written into a filter; text in quotes, anything else as it is, if absent. */
  write?(value: Comparison['value']): string;
  /** Without quotes it may have spaces in it, before digits. */
  hasSpaces?: true;
}

/** The properties that filters of one kind speak of. */
export interface FilterLanguage<P extends string> {
  kinds: ReadonlyMap<P, ValueKind>;
  /** The property that a word means, in whatever way it is written. */
  find(word: string): P | undefined;
  /** A comparison that is right. */
  example: string;
}

const operators = new Map(filterOperators.map((operator) => [operator as string, operator]));

/**
 * Reads a filter that is not blank (without one, do not call): `or` binds weakest, then `and`, `not`, comparisons.
 * Takes linear time, and throws a FilterProblem for everything that it does not understand in full.
 */
export function parseFilterOf<P extends string>(language: FilterLanguage<P>, text: string): FilterNode<P> {
  const tokens = tokenize(text);
  const end: Token = { kind: 'end', text: '', position: text.length + 1 };
  let index = 0;
  let comparisons = 0;

  const peek = (): Token => tokens[index] ?? end;
  const take = (): Token => {
    const token = peek();
    index += 1;
    return token;
  };
  const takeKeyword = (word: string): boolean => {
    const found = isKeyword(peek(), word);
    if (found) index += 1;
    return found;
  };

  const either = (depth: number): FilterNode<P> => chain('or', () => both(depth));
  const both = (depth: number): FilterNode<P> => chain('and', () => negated(depth));

  function chain(kind: 'and' | 'or', part: () => FilterNode<P>): FilterNode<P> {
    const first = part();
    if (!isKeyword(peek(), kind)) return first;
    const nodes = [first];
    while (takeKeyword(kind)) nodes.push(part());
    return { kind, nodes: nodes.flatMap((node) => (node.kind === kind ? node.nodes : [node])) };
  }

  function negated(depth: number): FilterNode<P> {
    const token = peek();
    if (depth > deepest) {
      throw new FilterProblem(token.position, `parentheses and "not" are nested more than ${deepest} deep.`);
    }
    if (takeKeyword('not')) return { kind: 'not', node: negated(depth + 1) };
    if (token.kind !== 'open') return comparison();
    index += 1;
    const node = either(depth + 1);
    const close = take();
    if (close.kind === 'close') return node;
    throw new FilterProblem(
      close.position,
      `found ${describe(close)} where ")", "and" or "or" is needed; "(" at position ${token.position} is not closed.`,
    );
  }

  function comparison(): FilterNode<P> {
    comparisons += 1;
    if (comparisons > mostComparisons) {
      throw new FilterProblem(peek().position, `the filter has more than ${mostComparisons} comparisons.`);
    }
    const { property, kind } = readProperty(language, take(), peek());
    const operator = readOperator(take(), property, kind);
    const value = take();
    const words = [value.text];
    if (kind.hasSpaces && value.kind === 'word') {
      while (peek().kind === 'word' && /^\d/.test(peek().text)) words.push(take().text);
    }
    const token = { ...value, text: words.join(' ') };
    const read = kind.read(token);
    if (read !== undefined) return { kind: 'compare', property, operator, value: read };
    throw new FilterProblem(token.position, `found ${describe(token)} where ${property} needs ${kind.needs}.`);
  }

  const node = either(0);
  const rest = peek();
  if (rest.kind === 'end') return node;
  const problem =
    rest.kind === 'close'
      ? '")" closes a parenthesis that was not opened.'
      : `found ${describe(rest)} where "and", "or" or the end is needed.`;
  throw new FilterProblem(rest.position, problem);
}

const isKeyword = ({ kind, text }: Token, word: string): boolean => kind === 'word' && text.toLowerCase() === word;

function readProperty<P extends string>({ kinds, find, example }: FilterLanguage<P>, token: Token, next: Token) {
  const { position, text } = token;
  if (token.kind === 'string') {
    throw new FilterProblem(
      position,
      `the value ${shown(text)} stands where a property should; write the property first, such as ${example}.`,
    );
  }
  if (token.kind !== 'word') {
    throw new FilterProblem(position, `found ${describe(token)} where a comparison such as ${example} is needed.`);
  }
  const property = find(text);
  const kind = property === undefined ? undefined : kinds.get(property);
  if (property !== undefined && kind) return { property, kind };
  if (next.kind === 'open') {
    throw new FilterProblem(position, `the function ${shown(text)} is not supported; compare with eq or ne.`);
  }
  const names = [...kinds.keys()].join(', ');
  throw new FilterProblem(position, `${shown(text)} is not a property to filter by; there are ${names}.`);
}

function readOperator(token: Token, property: string, { isOrdered }: ValueKind): FilterOperator {
  const allowed = isOrdered ? 'eq, ne, lt, le, gt or ge' : 'eq or ne';
  const operator = token.kind === 'word' ? operators.get(token.text.toLowerCase()) : undefined;
  if (operator && (operator === 'eq' || operator === 'ne' || isOrdered)) return operator;
  const problem = operator
    ? `"${token.text}" does not work with ${property}; use ${allowed}.`
    : `found ${describe(token)} after ${property} where ${allowed} is needed.`;
  throw new FilterProblem(token.position, problem);
}

/** The one text of a filter. It may be longer than what was parsed, so keep the caller's own text instead. */
export function formatFilterOf<P extends string>(language: FilterLanguage<P>, node: FilterNode<P>): string {
  if (node.kind === 'compare') {
    const { property, operator, value } = node;
    const write = language.kinds.get(property)?.write ?? quotedText;
    return `${property} ${operator} ${write(value)}`;
  }
  if (node.kind === 'not') {
    const inner = formatFilterOf(language, node.node);
    return node.node.kind === 'and' || node.node.kind === 'or' ? `not (${inner})` : `not ${inner}`;
  }
  const parts = node.nodes.map((part) =>
    node.kind === 'and' && part.kind === 'or' ? `(${formatFilterOf(language, part)})` : formatFilterOf(language, part),
  );
  return parts.join(` ${node.kind} `);
}

const quotedText = (value: Comparison['value']): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);

/** True or false, with quotes or without. */
export const flagKind: ValueKind = {
  isOrdered: false,
  needs: 'true or false',
  read({ text }) {
    const word = text.toLowerCase();
    return word === 'true' ? true : word === 'false' ? false : undefined;
  },
};

/** Any text, in single quotes. */
export const textKind = (example: string, { isOrdered = false } = {}): ValueKind => ({
  isOrdered,
  needs: `a value in single quotes, such as '${example}'`,
  read: ({ kind, text }) => (kind === 'string' ? text : undefined),
});
