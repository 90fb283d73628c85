import { type Comparison, type FilterNode, type FilterOperator, filterOperators } from './filter-ast.ts';
import { describe, FilterProblem, shown, type Token, tokenize } from './filter-tokens.ts';

export { FilterProblem } from './filter-tokens.ts';

const MAX_NESTING = 32;
const MAX_COMPARISONS = 200;

/** The type of a property's values. */
export interface ValueKind {
  /** True if values can be compared with lt, le, gt and ge. */
  isOrdered: boolean;
  /** Description of a valid value, for error messages. */
  needs: string;
  /** Undefined if the token is no such value. */
  read(token: Token): Comparison['value'] | undefined;
  /** Formats a value for a filter. By default text is quoted, and other values are not. */
  write?(value: Comparison['value']): string;
  /** Without quotes the value may contain spaces before digits. */
  hasSpaces?: true;
}

/** The properties of one kind of filter. */
export interface FilterLanguage<P extends string> {
  kinds: ReadonlyMap<P, ValueKind>;
  /** Finds the property for any spelling of its name. */
  find(name: string): P | undefined;
  /** A valid comparison. */
  example: string;
}

const operators = new Map(filterOperators.map((operator) => [operator as string, operator]));

/**
 * Parses a filter that is not blank. `or` binds weakest, then `and`, `not`, comparisons. Takes linear time. Throws a
 * FilterProblem for everything it does not fully understand.
 */
export function parseFilterText<P extends string>(language: FilterLanguage<P>, text: string): FilterNode<P> {
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
  const takeKeyword = (keyword: string): boolean => {
    const found = isKeyword(peek(), keyword);
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
    if (depth > MAX_NESTING) {
      throw new FilterProblem(token.position, `parentheses and "not" are nested more than ${MAX_NESTING} deep.`);
    }
    if (takeKeyword('not')) return { kind: 'not', node: negated(depth + 1) };
    if (token.kind !== 'open') return comparison();
    index += 1;
    const node = either(depth + 1);
    const close = take();
    if (close.kind === 'close') return node;
    throw new FilterProblem(
      close.position,
      `found ${describe(close)} where ")", "and" or "or" is needed. The "(" at position ${token.position} is not closed.`,
    );
  }

  function comparison(): FilterNode<P> {
    comparisons += 1;
    if (comparisons > MAX_COMPARISONS) {
      throw new FilterProblem(peek().position, `the filter has more than ${MAX_COMPARISONS} comparisons. Shorten it.`);
    }
    const { property, kind } = readProperty(language, take(), peek());
    const operator = readOperator(take(), property, kind);
    const value = take();
    const literals = [value.text];
    if (kind.hasSpaces && value.kind === 'word') {
      while (peek().kind === 'word' && /^\d/.test(peek().text)) literals.push(take().text);
    }
    const token = { ...value, text: literals.join(' ') };
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

const isKeyword = ({ kind, text }: Token, keyword: string): boolean =>
  kind === 'word' && text.toLowerCase() === keyword;

function readProperty<P extends string>({ kinds, find, example }: FilterLanguage<P>, token: Token, next: Token) {
  const { position, text } = token;
  if (token.kind === 'string') {
    throw new FilterProblem(
      position,
      `found the value ${shown(text)} where a property is needed. Write the property first, such as ${example}.`,
    );
  }
  if (token.kind !== 'word') {
    throw new FilterProblem(position, `found ${describe(token)} where a comparison such as ${example} is needed.`);
  }
  const property = find(text);
  const kind = property === undefined ? undefined : kinds.get(property);
  if (property !== undefined && kind) return { property, kind };
  if (next.kind === 'open') {
    throw new FilterProblem(position, `the function ${shown(text)} is not supported. Compare with eq or ne.`);
  }
  const names = [...kinds.keys()].join(', ');
  throw new FilterProblem(position, `${shown(text)} is not a property to filter by. Use one of: ${names}.`);
}

function readOperator(token: Token, property: string, { isOrdered }: ValueKind): FilterOperator {
  const allowed = isOrdered ? 'eq, ne, lt, le, gt or ge' : 'eq or ne';
  const operator = token.kind === 'word' ? operators.get(token.text.toLowerCase()) : undefined;
  if (operator && (operator === 'eq' || operator === 'ne' || isOrdered)) return operator;
  const problem = operator
    ? `"${token.text}" does not work with ${property}. Use ${allowed}.`
    : `found ${describe(token)} after ${property} where ${allowed} is needed.`;
  throw new FilterProblem(token.position, problem);
}

/** Canonical text of a filter. It may be longer than the parsed text, so store the caller's text instead. */
export function formatFilterNode<P extends string>(language: FilterLanguage<P>, node: FilterNode<P>): string {
  if (node.kind === 'compare') {
    const { property, operator, value } = node;
    const write = language.kinds.get(property)?.write ?? quotedText;
    return `${property} ${operator} ${write(value)}`;
  }
  if (node.kind === 'not') {
    const inner = formatFilterNode(language, node.node);
    return node.node.kind === 'and' || node.node.kind === 'or' ? `not (${inner})` : `not ${inner}`;
  }
  const parts = node.nodes.map((part) =>
    node.kind === 'and' && part.kind === 'or'
      ? `(${formatFilterNode(language, part)})`
      : formatFilterNode(language, part),
  );
  return parts.join(` ${node.kind} `);
}

const quotedText = (value: Comparison['value']): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);

/** True or false, quoted or not. */
export const flagKind: ValueKind = {
  isOrdered: false,
  needs: 'true or false',
  read({ text }) {
    const keyword = text.toLowerCase();
    return keyword === 'true' ? true : keyword === 'false' ? false : undefined;
  },
};

/** Any text in single quotes. */
export const textKind = (example: string, { isOrdered = false } = {}): ValueKind => ({
  isOrdered,
  needs: `a value in single quotes, such as '${example}'`,
  read: ({ kind, text }) => (kind === 'string' ? text : undefined),
});
