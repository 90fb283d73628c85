import { toIso } from '../../../kernel/clock.ts';
import type { FilterNode, FilterProperty } from './filter-ast.ts';
import { describe, FilterProblem, shown, type Token, tokenize } from './filter-tokens.ts';
import { parseQueryStartTime, TimeProblem } from './query-start-time.ts';

export { FilterProblem } from './filter-tokens.ts';

type Comparison = Extract<FilterNode, { kind: 'compare' }>;

const deepest = 32;
const mostComparisons = 200;

const levels = ['Critical', 'Error', 'Warning', 'Informational'];
const eventTypes = [
  'ServiceIssue',
  'PlannedMaintenance',
  'HealthAdvisory',
  'RCA',
  'EmergingIssues',
  'SecurityAdvisory',
];

/** What a property is compared with: any text, one of some words, or a value of its own kind. */
const kinds: Record<FilterProperty, 'text' | 'flag' | 'number' | 'time' | readonly string[]> = {
  service: 'text',
  region: 'text',
  eventType: eventTypes,
  eventSource: ['ResourceHealth', 'ServiceHealth'],
  status: ['Active', 'Resolved'],
  eventLevel: levels,
  level: ['Critical', 'Warning'],
  trackingId: 'text',
  isHIR: 'flag',
  priority: 'number',
  lastUpdateTime: 'time',
  impactStartTime: 'time',
};

const names = Object.keys(kinds) as FilterProperty[];
const properties = new Map(names.map((name) => [name.toLowerCase(), name]));
properties.set('name', 'trackingId');

const operators = new Map(
  (['eq', 'ne', 'lt', 'le', 'gt', 'ge'] as const).map((operator) => [operator as string, operator]),
);
const isOrdered = (property: FilterProperty): boolean => kinds[property] === 'number' || kinds[property] === 'time';

/**
 * Reads a $filter that is not blank (without one, do not call): `or` binds weakest, then `and`, `not`, comparisons.
 * Takes linear time, and throws a FilterProblem for everything that it does not understand in full.
 */
export function parseFilter(text: string): FilterNode {
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

  const either = (depth: number): FilterNode => chain('or', () => both(depth));
  const both = (depth: number): FilterNode => chain('and', () => negated(depth));

  function chain(kind: 'and' | 'or', part: () => FilterNode): FilterNode {
    const first = part();
    if (!isKeyword(peek(), kind)) return first;
    const nodes = [first];
    while (takeKeyword(kind)) nodes.push(part());
    return { kind, nodes: nodes.flatMap((node) => (node.kind === kind ? node.nodes : [node])) };
  }

  function negated(depth: number): FilterNode {
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

  function comparison(): FilterNode {
    comparisons += 1;
    if (comparisons > mostComparisons) {
      throw new FilterProblem(peek().position, `the filter has more than ${mostComparisons} comparisons.`);
    }
    const property = readProperty(take(), peek());
    const operator = readOperator(take(), property);
    const value = take();
    const words = [value.text];
    // A bare time may have a space in it: before the clock, or where a + stood before the zone.
    if (kinds[property] === 'time' && value.kind === 'word') {
      while (peek().kind === 'word' && /^\d/.test(peek().text)) words.push(take().text);
    }
    return { kind: 'compare', property, operator, value: readValue({ ...value, text: words.join(' ') }, property) };
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

function readProperty(token: Token, next: Token): FilterProperty {
  const { position, text } = token;
  if (token.kind === 'string') {
    throw new FilterProblem(
      position,
      `the value ${shown(text)} stands where a property should; write the property first, such as service eq 'Mail'.`,
    );
  }
  if (token.kind !== 'word') {
    throw new FilterProblem(
      position,
      `found ${describe(token)} where a comparison such as service eq 'Mail' is needed.`,
    );
  }
  const property = properties.get(text.toLowerCase().replace(/^properties[/.]/, ''));
  if (property) return property;
  if (next.kind === 'open') {
    throw new FilterProblem(position, `the function ${shown(text)} is not supported; compare with eq or ne.`);
  }
  throw new FilterProblem(position, `${shown(text)} is not a property to filter by; there are ${names.join(', ')}.`);
}

function readOperator(token: Token, property: FilterProperty): Comparison['operator'] {
  const allowed = isOrdered(property) ? 'eq, ne, lt, le, gt or ge' : 'eq or ne';
  const operator = token.kind === 'word' ? operators.get(token.text.toLowerCase()) : undefined;
  if (operator && (operator === 'eq' || operator === 'ne' || isOrdered(property))) return operator;
  const problem = operator
    ? `"${token.text}" does not work with ${property}; use ${allowed}.`
    : `found ${describe(token)} after ${property} where ${allowed} is needed.`;
  throw new FilterProblem(token.position, problem);
}

function readValue(token: Token, property: FilterProperty): Comparison['value'] {
  const { kind, text, position } = token;
  const type = kinds[property];
  const needs = (what: string) =>
    new FilterProblem(position, `found ${describe(token)} where ${property} needs ${what}.`);

  if (type === 'flag') {
    const word = text.toLowerCase();
    if (word !== 'true' && word !== 'false') throw needs('true or false');
    return word === 'true';
  }
  if (type === 'number') {
    if (!/^-?\d{1,9}$/.test(text)) throw needs('a whole number such as 4');
    return Number(text) + 0;
  }
  if (type === 'time') {
    if (kind !== 'string' && kind !== 'word') throw needs('a time such as 2020-07-24T13:45:00Z');
    try {
      return parseQueryStartTime(text);
    } catch (error) {
      if (!(error instanceof TimeProblem)) throw error;
      throw new FilterProblem(position, error.message);
    }
  }
  const words = type === 'text' ? [] : type;
  if (kind !== 'string') throw needs(`a value in single quotes, such as '${words[0] ?? 'Mail'}'`);
  // Real callers send types that do not exist: those match nothing.
  return words.find((word) => word.toLowerCase() === text.toLowerCase()) ?? text;
}

/** The one text of a filter. It may be longer than what was parsed, so keep the caller's own text instead. */
export function formatFilter(node: FilterNode): string {
  if (node.kind === 'compare') return `${node.property} ${node.operator} ${formatValue(node)}`;
  if (node.kind === 'not') {
    const inner = formatFilter(node.node);
    return node.node.kind === 'and' || node.node.kind === 'or' ? `not (${inner})` : `not ${inner}`;
  }
  const parts = node.nodes.map((part) =>
    node.kind === 'and' && part.kind === 'or' ? `(${formatFilter(part)})` : formatFilter(part),
  );
  return parts.join(` ${node.kind} `);
}

function formatValue({ property, value }: Comparison): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  return kinds[property] === 'time' ? toIso(Number(value)) : String(value);
}
