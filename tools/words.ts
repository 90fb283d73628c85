// Finds wording that readers stumble over in everything people read: `node tools/words.ts [folder or file…]` prints it with its place.
import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from '@swc/core';

const root = path.join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** Texts of the console, the command line, emails and responses; documents and the API reference; comments; titles of tests. */
export type TextKind = 'interface' | 'document' | 'comment' | 'test title';

export interface Passage {
  kind: TextKind;
  file: string;
  line: number;
  text: string;
}

/** Idioms that a newcomer has to read twice; `docs/glossary.md` has the terms to use. */
export const patterns: readonly RegExp[] = [
  /\b(leave|left)\b[^.;]{0,25}\baway\b/i,
  /\b(who|what)ever\b/i,
  /\b(no|some)body\b/i,
  /\b(is|are|was|were|be|gets?|not|has|nobody) told\b|\btells? (of|what|its|that|it|why|how)\b/i,
  /\bany more\b/i,
  /\b(anew|once more)\b/i,
  /\bmend(s|ed|ing)?\b/i,
  /\b(go|goes|went|gone|going) on\b/i,
  /\bjust now\b/i,
  /\b(is|are|was|were|be) gone\b/i,
  /\b(giv(e|es|en|ing)|gave)\b/i,
  /\bof (yours|theirs|its own|their own|ours)\b/i,
  /\bat once\b/i,
  /\b(so many|of a hundred)\b/i,
  /\b(with commas|if absent|one a line)\b/i,
  /\b(by|with|of|in|to|from|at) (which|whom)\b/i,
  /(?<!e-)\bmails?\b(?! server| program|to:)/i,
  /(^|[.;:] )What (?!does|would)[a-z]+\b(?![^.;:]*\?)/,
];

/** Legitimate uses of those words, each reviewed: a part of the passage, and the reason. */
export const allowedPhrases: readonly { phrase: string; reason: string }[] = [
  { phrase: 'admin mails', reason: 'a command' },
  { phrase: 'mail.send', reason: 'a job' },
  { phrase: 'Mail', reason: 'a service in examples, and the schema of an email' },
];

/** Maximum number of matches in texts of a kind. A limit may only fall. */
export const limits: Record<TextKind, number> = {
  interface: 0,
  document: 0,
  comment: 0,
  'test title': 0,
};

interface Node {
  type: string;
  span: { start: number; end: number };
  [field: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string' && 'span' in value;

const textNodes = new Set(['StringLiteral', 'TemplateElement', 'JSXText']);

/** Collects the nodes that hold text or regular expressions; the module names in imports are neither. */
function collectTexts(value: unknown, nodes: Node[]): void {
  if (Array.isArray(value)) {
    for (const one of value) collectTexts(one, nodes);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (isNode(value) && (textNodes.has(value.type) || value.type === 'RegExpLiteral')) nodes.push(value);
  for (const [field, child] of Object.entries(value))
    if (typeof child === 'object' && field !== 'source') collectTexts(child, nodes);
}

const comments = /\/\*[\s\S]*?\*\/|(?:[^\S\n]*\/\/.*(?:\n|$))+/g;
const stripMarks = (comment: string): string => comment.replace(/^[^\S\n]*(\/\*+|\*\/|\*(?=\s|$)|\/\/+)|\*\/$/gm, '');
const flatten = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Parts a source file into the texts that it shows and its comments. */
function readSource(file: string, source: string): Passage[] {
  // The parser counts on from one file to the next, so a mark at the beginning says where this one starts.
  const mark = ';';
  const module = parseSync(mark + source.replace(/^#!/, '//'), {
    syntax: 'typescript',
    tsx: file.endsWith('x'),
    target: 'esnext',
  });
  const base = (module.body[0]?.span.start ?? 1) + mark.length;
  const nodes: Node[] = [];
  collectTexts(module.body, nodes);
  const bytes = Buffer.from(source);
  const lineAt = (offset: number): number => bytes.toString('utf8', 0, offset).split('\n').length;
  const shown: TextKind = file.startsWith('packages/contract/') ? 'document' : 'interface';
  const isTest = /[.]test[.]tsx?$/.test(file);
  const passages: Passage[] = [];
  const blanked = Buffer.from(bytes);
  for (const { type, span } of nodes) {
    const start = span.start - base;
    const end = span.end - base;
    blanked.fill(0x20, start, end);
    // Newlines stay, so that comments keep their lines.
    for (let i = start; i < end; i++) if (bytes[i] === 0x0a) blanked[i] = 0x0a;
    const text = flatten(bytes.toString('utf8', start, end).replace(/^['"`]|['"`]$/g, ''));
    // Single words in lower case are names in code: tables, jobs, keys.
    if (type === 'RegExpLiteral' || !/\p{L} |^\p{Lu}\p{Ll}+$/u.test(text)) continue;
    const before = bytes.toString('utf8', Math.max(0, start - 300), start);
    const isTitle = /(\b(test|it|describe|eachDatabase)(\.\w+)*|[\])])\(\s*`?$/.test(before);
    if (isTest && !isTitle) continue;
    passages.push({ kind: isTest ? 'test title' : shown, file, line: lineAt(start), text });
  }
  const rest = blanked.toString('utf8');
  for (const { 0: comment, index } of rest.matchAll(comments)) {
    const line = rest.slice(0, index).split('\n').length;
    passages.push({ kind: 'comment', file, line, text: flatten(stripMarks(comment)) });
  }
  return passages;
}

/** Parts a document into paragraphs, without code. */
function readDocument(file: string, source: string): Passage[] {
  const prose = source
    .replace(/```[\s\S]*?```/g, (code) => '\n'.repeat(code.split('\n').length - 1))
    .replace(/`[^`\n]*`/g, '`x`');
  return prose.split('\n').flatMap((text, index) => {
    const passage = flatten(text);
    return passage ? [{ kind: 'document' as const, file, line: index + 1, text: passage }] : [];
  });
}

/** Migrations are frozen, the glossary names what it refuses, and generated files are checked at their source. */
const isRead = (file: string): boolean =>
  !/node_modules|\/dist\/|db\/migrations\/|docs\/glossary[.]md$|docs\/(command-line|permissions|configuration)[.]md$|tools\/words/.test(
    file,
  );

const sources = [
  'packages/*/src/**/*.{ts,tsx}',
  'packages/server/test/**/*.ts',
  'acceptance/**/*.{ts,mjs}',
  'bench/**/*.{ts,mjs}',
  'test-support/**/*.ts',
  'tools/**/*.{ts,mjs}',
  'docs/**/*.md',
  'packages/**/README.md',
  'acceptance/**/*.md',
  'bench/*.md',
  '{README,CONTRIBUTING,SECURITY,CHANGELOG}.md',
];

export const readFiles = (): string[] =>
  globSync(sources, { cwd: root, exclude: (name) => path.basename(name) === 'node_modules' })
    .filter(isRead)
    .sort();

/** Programs of the repository itself speak to developers; only the packages have an interface. */
const isShown = ({ kind, file }: Passage): boolean => kind !== 'interface' || /^packages[/]\w+[/]src[/]/.test(file);

export function readPassages(file: string, source = read(file)): Passage[] {
  const passages = file.endsWith('.md') ? readDocument(file, source) : readSource(file, source);
  return passages.filter(isShown);
}

/** Terms that are not used, each with what to say instead: the table in `docs/glossary.md`. */
export function listUnwantedTerms(): { term: string; instead: string; pattern: RegExp }[] {
  const table = read('docs/glossary.md').split('## Words not to use')[1] ?? '';
  const rows = [...table.matchAll(/^\| (?!not \|)([^|]+) \| ([^|]+) \|$/gm)];
  return rows.flatMap(([, terms = '', instead = '']) =>
    terms.split(', ').map((term) => ({ term, instead, pattern: new RegExp(`(?<![\\w-])${term}(?![\\w-])`, 'i') })),
  );
}

/** Finds unwanted terms in a passage, with what to say instead. */
export const findUnwantedTerms = (text: string, terms = listUnwantedTerms()): string[] =>
  terms.filter(({ pattern }) => pattern.test(text)).map(({ term, instead }) => `"${term}"; instead: ${instead}`);

/** Finds the patterns that a passage matches, without its reviewed phrases. */
export function findPatterns(text: string): string[] {
  let rest = text;
  for (const { phrase } of allowedPhrases) rest = rest.replaceAll(phrase, '');
  return patterns.flatMap((pattern) => pattern.exec(rest)?.[0].trim() ?? []);
}

if (import.meta.main) {
  const targets = process.argv.slice(2).map((name) => path.relative(root, path.resolve(name)));
  const isTarget = (file: string): boolean =>
    targets.length === 0 ||
    targets.some(
      (target) => file === target || (statSync(path.join(root, target)).isDirectory() && file.startsWith(`${target}/`)),
    );
  const totals: Record<string, number> = {};
  for (const file of readFiles().filter(isTarget)) {
    for (const { kind, line, text } of readPassages(file)) {
      const found = findPatterns(text);
      if (found.length === 0) continue;
      totals[kind] = (totals[kind] ?? 0) + found.length;
      process.stdout.write(`${file}:${line} [${kind}] "${found.join('", "')}" in: ${text.slice(0, 160)}\n`);
    }
  }
  process.stdout.write(`${JSON.stringify(totals)}\n`);
}
