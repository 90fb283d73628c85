import { parseSync } from '@swc/core';

/** A mutation: the code, and its replacement. */
export interface Mutation {
  operator: string;
  /** Offsets in bytes. */
  start: number;
  end: number;
  line: number;
  before: string;
  /** Empty for a removed statement. */
  after: string;
  isStatement: boolean;
}

interface Node {
  type: string;
  span: { start: number; end: number };
  [field: string]: unknown;
}

interface Site {
  node: Node;
  operator: string;
  after: string;
  isStatement?: boolean;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const swapped: Record<string, string> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
};

const groups: Record<string, string> = { '===': 'equality', '!==': 'equality', '&&': 'logic', '||': 'logic' };
const operatorGroup = (operator: string): string =>
  groups[operator] ?? (/[<>]/.test(operator) ? 'boundary' : 'arithmetic');

/** Calls in a chain that can be removed without an invalid result. */
const droppable = new Set([
  'where',
  'orderBy',
  'limit',
  'filter',
  'sort',
  'toSorted',
  'toReversed',
  'toLowerCase',
  'trim',
]);

/** Checks for an identifier, as opposed to a sentence. */
const isCode = (text: string): boolean => /^[\w.:/-]+$/.test(text);

const wrappers = new Set(['TsAsExpression', 'TsNonNullExpression', 'TsSatisfiesExpression', 'TsConstAssertion']);

/** All mutations of a source. */
export function findMutations(source: string): Mutation[] {
  const bytes = Buffer.from(source);
  // Offsets of the parser continue from one file to the next, so a mark at the start shows where this one begins.
  const mark = ';';
  const parsed: unknown = parseSync(mark + source, { syntax: 'typescript', target: 'esnext' });
  const module = parsed as Node & { body: Node[] };
  const base = (module.body[0]?.span.start ?? 1) + mark.length;
  const text = ({ span }: Node): string => bytes.toString('utf8', span.start - base, span.end - base);
  const sites: Site[] = [];
  for (const statement of module.body.slice(1)) visit(statement, text, sites);
  const getLine = (offset: number): number => bytes.subarray(0, offset).toString('utf8').split('\n').length;
  return sites.map(({ node, operator, after, isStatement = false }) => {
    const start = node.span.start - base;
    return { operator, start, end: node.span.end - base, line: getLine(start), before: text(node), after, isStatement };
  });
}

type Text = (node: Node) => string;

/** The mutations of a single node. */
const offers: Record<string, (node: Node, text: Text) => Omit<Site, 'node'>[]> = {
  BinaryExpression(node, text) {
    const operator = String(node.operator);
    const [left, right] = [text(node.left as Node), text(node.right as Node)];
    if (operator === '??') return [{ operator: 'default', after: left }];
    const other = swapped[operator];
    return other ? [{ operator: operatorGroup(operator), after: `(${left}) ${other} (${right})` }] : [];
  },
  UnaryExpression: (node, text) =>
    node.operator === '!' ? [{ operator: 'negation', after: text(node.argument as Node) }] : [],
  BooleanLiteral: (node) => [{ operator: 'boolean', after: String(!node.value) }],
  NumericLiteral: (node) => [{ operator: 'number', after: String(Number(node.value) + 1) }],
  StringLiteral: (node) => (isCode(String(node.value)) ? [{ operator: 'code', after: "''" }] : []),
  CallExpression(node, text) {
    const callee = node.callee as Node;
    if (callee.type !== 'MemberExpression') return [];
    const rest = text(callee.object as Node);
    const isDroppable = droppable.has(text(callee.property as Node)) && !rest.includes('?.');
    return isDroppable ? [{ operator: 'call dropped', after: rest }] : [];
  },
  ArrayExpression(node, text) {
    const elements = (node.elements as ({ expression: Node; spread: unknown } | null)[]).flatMap((one) => one ?? []);
    if (elements.length === 0) return [];
    const remaining = elements.slice(0, -1).map(({ expression, spread }) => (spread ? '...' : '') + text(expression));
    return [{ operator: 'element', after: `[${remaining.join(', ')}]` }];
  },
  ObjectExpression(node, text) {
    const properties = node.properties as Node[];
    if (properties.at(-1)?.type !== 'SpreadElement') return [];
    const getText = (one: Node): string =>
      one.type === 'SpreadElement' ? `...${text(one.arguments as Node)}` : propertyText(one, text);
    return [{ operator: 'element', after: `{ ${properties.slice(0, -1).map(getText).join(', ')} }` }];
  },
  ConditionalExpression: () => [],
  ExpressionStatement(node) {
    const expression = node.expression as Node;
    const called = expression.type === 'AwaitExpression' ? (expression.argument as Node) : expression;
    return called.type === 'CallExpression' ? [{ operator: 'statement', after: '', isStatement: true }] : [];
  },
  ThrowStatement: () => [{ operator: 'refusal', after: '', isStatement: true }],
  // Removing `undefined` from `return undefined` changes nothing.
  ReturnStatement: (node, text) =>
    isNode(node.argument) && text(node.argument) !== 'undefined'
      ? [{ operator: 'early return', after: 'return;', isStatement: true }]
      : [],
};

/** Properties have no span in the tree: it is the range from key to value. */
function propertyText(node: Node, text: Text): string {
  if (node.type === 'Identifier') return text(node);
  const [first, last] = [node.key as Node, (node.value ?? node.body) as Node];
  if (node.type === 'KeyValueProperty')
    return text({ ...first, span: { start: first.span.start, end: last.span.end } });
  return text(node);
}

const tested = new Set(['IfStatement', 'ConditionalExpression', 'WhileStatement', 'DoWhileStatement']);

function visit(value: unknown, text: Text, sites: Site[]): void {
  if (Array.isArray(value)) {
    for (const one of value) visit(one, text, sites);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (!isNode(value)) {
    // Arguments and elements have a wrapper node.
    for (const one of Object.values(value)) visit(one, text, sites);
    return;
  }
  const node = value;
  if (/^(Import|ExportAll)/.test(node.type)) return;
  if (node.type.startsWith('Ts')) {
    if (wrappers.has(node.type)) visit(node.expression, text, sites);
    return;
  }
  if (node.type === 'ExportNamedDeclaration' && node.source) return;
  for (const offer of offers[node.type]?.(node, text) ?? []) sites.push({ node, ...offer });
  if (tested.has(node.type)) {
    const test = node.test as Node;
    sites.push({ node: test, operator: 'condition', after: `!(${text(test)})` });
  }
  for (const [field, child] of Object.entries(node)) {
    const isName = field === 'key' && (child as Node).type !== 'Computed';
    const isChainLink = node.type === 'OptionalChainingExpression' && field === 'base';
    if (isName || field === 'typeAnnotation' || field === 'typeArguments' || field === 'typeParameters') continue;
    if (isChainLink) visitParts(child as Node, text, sites);
    else if (node.type === 'CallExpression' && field === 'callee') visitCallee(child as Node, text, sites);
    else if (node.type === 'AssignmentExpression' && field === 'left') continue;
    else if (node.type === 'TaggedTemplateExpression' && field === 'tag') continue;
    else visit(child, text, sites);
  }
}

/** `this` of a call is the expression before the dot, so the callee must stay unchanged. */
function visitCallee(callee: Node, text: Text, sites: Site[]): void {
  if (callee.type === 'Import' || callee.type === 'Super') return;
  if (callee.type === 'MemberExpression') visitParts(callee, text, sites);
  else visit(callee, text, sites);
}

/** The parts of a link of a chain, without the link itself. */
function visitParts(link: Node, text: Text, sites: Site[]): void {
  if (link.type === 'CallExpression') visitCallee(link.callee as Node, text, sites);
  else if (link.object && !text(link.object as Node).includes('?.')) visit(link.object, text, sites);
  for (const field of ['arguments', 'property']) visit(link[field], text, sites);
}
