// Finds names in the code that only their writer understands. `node tools/identifiers.ts [path…]` prints where they are.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from '@swc/core';

const root = path.join(import.meta.dirname, '..');

/** Words without a meaning in the field; docs/glossary.md has the terms to use. */
const privateTerms =
  /^(told|tells?|telling|kept|ask.*|giv.*|gave|senders?|wanted|words?|mend(s|ed|ing)?|troubles?|fates?|glances?|nobody|somebody|whoever|whatever|worlds?|verbs?|laws?|doors?|rooms?|famil(y|ies))$/;
/** Words that say too little as a whole name. */
const vagueNames = /^(silence|crumbs|trail|harbour|said|facts)$/i;
const privateConstants = /^(MOST|LONGEST|LARGEST|EVERY|AT_ONCE|USUAL|SHOWN|OLDEST|LEAST|FEWEST)(_|$)/;
const possessive = /[a-z]Of($|[A-Z])/;
/** A column, a field of the API or a setting: those names are public. */
const isPublic = (name: string): boolean => /^[a-z]+\d*(_[a-z0-9]+)+$/.test(name);

/** Names that external APIs define, each with its source. */
export const allowedNames: Record<string, string> = {
  family: 'address family of node:net',
  familyName: 'SCIM',
  givenName: 'SCIM',
  fontFamily: 'CSS',
  indexOf: 'Array',
  lastIndexOf: 'Array',
  anyOf: 'JSON Schema',
  allOf: 'JSON Schema',
  oneOf: 'JSON Schema',
  valueOf: 'Object',
};

const splitName = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/);

export function isPrivateName(name: string): boolean {
  if (isPublic(name) || Object.hasOwn(allowedNames, name)) return false;
  const isConstant = /^[A-Z\d_]+$/.test(name);
  return (
    (isConstant && privateConstants.test(name)) ||
    vagueNames.test(name) ||
    possessive.test(name) ||
    splitName(name).some((part) => privateTerms.test(part))
  );
}

interface Node {
  type: string;
  span: { start: number };
  [field: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** The fields of a node that declare names. */
const declaring: Record<string, string[]> = {
  ArrowFunctionExpression: ['params'],
  CatchClause: ['param'],
  ClassDeclaration: ['identifier'],
  ClassExpression: ['identifier'],
  ClassMethod: ['key'],
  ClassProperty: ['key'],
  FunctionDeclaration: ['identifier'],
  FunctionExpression: ['identifier'],
  GetterProperty: ['key'],
  ImportDefaultSpecifier: ['local'],
  ImportNamespaceSpecifier: ['local'],
  KeyValueProperty: ['key'],
  MethodProperty: ['key'],
  Parameter: ['pat'],
  PrivateMethod: ['key'],
  PrivateProperty: ['key'],
  SetterProperty: ['key'],
  TsFunctionType: ['params'],
  TsInterfaceDeclaration: ['id'],
  TsMethodSignature: ['key', 'params'],
  TsParameterProperty: ['param'],
  TsPropertySignature: ['key'],
  TsTypeAliasDeclaration: ['id'],
  TsTypeParameter: ['name'],
  VariableDeclarator: ['id'],
};

/** Collects the names of a pattern, such as `{ a, b: [c] }`. */
function collectNames(value: unknown, names: Node[]): void {
  if (Array.isArray(value)) {
    for (const one of value) collectNames(one, names);
    return;
  }
  if (!isNode(value)) return;
  if (value.type === 'Identifier' || value.type === 'PrivateName') names.push(value);
  else if (value.type === 'AssignmentPatternProperty') collectNames(value.key, names);
  else for (const field of ['elements', 'properties', 'value', 'argument', 'left']) collectNames(value[field], names);
}

function collectDeclarations(value: unknown, names: Node[]): void {
  if (Array.isArray(value)) {
    for (const one of value) collectDeclarations(one, names);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (isNode(value)) {
    for (const field of declaring[value.type] ?? []) collectNames(value[field], names);
    if (value.type === 'ImportSpecifier' && value.imported) collectNames(value.local, names);
  }
  for (const child of Object.values(value)) if (typeof child === 'object') collectDeclarations(child, names);
}

export interface Finding {
  file: string;
  line: number;
  name: string;
}

/** Finds private names in a file and in its path, each once. */
export function findPrivateNames(file: string, source = readFileSync(path.join(root, file), 'utf8')): Finding[] {
  // Offsets of the parser continue from one file to the next, so a mark at the start shows where this one begins.
  const mark = ';';
  const module = parseSync(mark + source, { syntax: 'typescript', tsx: file.endsWith('x'), target: 'esnext' });
  const base = (module.body[0]?.span.start ?? 1) + mark.length;
  const names: Node[] = [];
  collectDeclarations(module.body, names);
  const found = new Map<string, Finding>();
  const folders = file.split('/').flatMap((part) => part.split('.')[0] ?? []);
  for (const name of folders)
    if (isPrivateName(name) || /-of-/.test(name)) found.set(name, { file, line: 1, name: `${name} (path)` });
  const bytes = Buffer.from(source);
  for (const { value, span } of names) {
    const name = String(value);
    if (found.has(name) || !isPrivateName(name)) continue;
    const line = bytes.toString('utf8', 0, span.start - base).split('\n').length;
    found.set(name, { file, line, name });
  }
  return [...found.values()];
}

/** Source files of a folder, without the frozen migrations. */
export const listSources = (folder: string): string[] =>
  globSync(`${folder}/**/*.{ts,tsx,mjs}`, {
    cwd: root,
    exclude: (name) => ['node_modules', 'dist', 'migrations'].includes(path.basename(name)),
  }).sort();

/** The maximum number of private names per folder. It may only be lowered. */
export const limits: Record<string, number> = {
  'packages/contract/src': 50,
  'packages/server/src': 80,
  'packages/server/test': 6,
  'packages/console/src': 7,
  'packages/cli/src': 3,
  'packages/runner/src': 4,
  acceptance: 4,
  bench: 1,
  'test-support': 1,
  tools: 3,
};

if (import.meta.main) {
  const folders = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(limits);
  for (const folder of folders) {
    const findings = listSources(folder).flatMap((file) => findPrivateNames(file));
    for (const { file, line, name } of findings) process.stdout.write(`${file}:${line} ${name}\n`);
    process.stdout.write(`${folder}: ${findings.length}\n`);
  }
}
