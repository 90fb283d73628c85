import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { endpoints } from '@mooring/contract';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');

/** Longer than any text that a request brings to an expression; what takes quadratic time for it takes minutes. */
const LONGEST = 200_000;
/** A linear expression needs milliseconds for all its texts, a quadratic one minutes for one of them. */
const WATCHDOG = 15_000;

interface Expression {
  where: string;
  pattern: string;
  flags: string;
  longest: number;
}

type Node = Record<string, unknown>;

function* nodesOf(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Node;
  for (const child of Object.values(value)) yield* nodesOf(child);
}

/** Every expression that is written in the code of a package. */
function expressionsIn(file: string): Expression[] {
  const { program } = parseSync(file, readFileSync(path.join(root, file), 'utf8'));
  return [...nodesOf(program)].flatMap(({ regex, start }) => {
    if (!regex) return [];
    const { pattern, flags } = regex as { pattern: string; flags: string };
    return [{ where: `${file}:${start}`, pattern, flags, longest: LONGEST }];
  });
}

/** Those of the schemas, which see no text that is longer than the schema allows. */
const inSchemas: Expression[] = endpoints.flatMap(({ id, params, query, headers, request }) =>
  [...nodesOf([params, query, headers, request])].flatMap(({ pattern, maxLength }) =>
    typeof pattern === 'string'
      ? [{ where: id, pattern, flags: 'u', longest: Math.min(Number(maxLength ?? LONGEST), LONGEST) }]
      : [],
  ),
);

const everywhere = ['<', '>', ' ', 'a', '0', '-', '.', '/', '"', "'", '=', '\n', '\\'];

/** Brackets, one character or class each, and what says how often: the parts of an expression. */
const token = /\(\?<?[:=!]|\(\?<\w+>|\[(?:\\.|[^\]\\])*\]|\\u\w{4}|\\x\w\w|\\p\{\w+\}|\{\d*,?\d*\}|\\?./gs;
const isCharacter = (part: string): boolean => !/^(?:[()|^$*+?]|\(\?.*|\{.*\})$/s.test(part);

/** One character for each part that takes one, in order. */
const charactersOf = ({ pattern, flags }: Expression): string[] =>
  (pattern.match(token) ?? []).filter(isCharacter).map((part) => {
    const one = new RegExp(`^${part}$`, flags.includes('u') ? 'u' : '');
    return everywhere.find((character) => one.test(character)) ?? part.at(-1) ?? '';
  });

/** Texts that begin as one that fits, go on with the same part again and again, and then do not fit. */
function hostileTexts(expression: Expression): string[] {
  const characters = charactersOf(expression);
  const texts = new Map<string, [string, string]>(everywhere.map((part) => [part, ['', part]]));
  characters.forEach((character, at) => {
    for (const part of [character, character + (characters[at + 1] ?? '')]) {
      for (const before of ['', '\u0001', characters.slice(0, at).join('')]) texts.set(before + part, [before, part]);
    }
  });
  return [...texts.values()].map(([before, part]) => {
    const times = Math.max(1, Math.floor((expression.longest - before.length - 1) / (part.length || 1)));
    return `${before}${part.repeat(times)}\u0001`;
  });
}

const worker = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', ({ pattern, flags, texts }) => {
    const expression = new RegExp(pattern, flags);
    for (const text of texts) {
      if (expression.global) text.replace(expression, '');
      else expression.exec(text);
    }
    parentPort.postMessage('done');
  });
`;

/** Those that a thread of their own did not finish with in time. */
async function findSlow(expressions: Expression[], watchdogMs = WATCHDOG): Promise<string[]> {
  const slow: string[] = [];
  let thread = new Worker(worker, { eval: true });
  for (const expression of expressions) {
    const { where, pattern, flags } = expression;
    const isDone = await new Promise<boolean>((resolve) => {
      const watchdog = setTimeout(() => resolve(false), watchdogMs);
      thread.once('message', () => {
        clearTimeout(watchdog);
        resolve(true);
      });
      thread.postMessage({ pattern, flags, texts: hostileTexts(expression) });
    });
    if (isDone) continue;
    slow.push(`${where}: /${pattern}/${flags}`);
    await thread.terminate();
    thread = new Worker(worker, { eval: true });
  }
  await thread.terminate();
  return slow;
}

const keyOf = ({ pattern, flags, longest }: Expression): string => `${pattern} ${flags} ${longest}`;

/** By what was tried here and by which engine: an expression that was quick then is not tried again. */
const judge = createHash('sha256')
  .update(readFileSync(import.meta.filename))
  .update(process.version)
  .digest('hex');
const cache = path.join(root, 'node_modules/.cache/check', `expressions-${judge.slice(0, 16)}.json`);

async function findSlowOnce(expressions: Expression[]): Promise<string[]> {
  const known = new Set<string>(existsSync(cache) ? JSON.parse(readFileSync(cache, 'utf8')) : []);
  const news = new Map(expressions.filter((one) => !known.has(keyOf(one))).map((one) => [keyOf(one), one]));
  const slow = await findSlow([...news.values()]);
  if (slow.length === 0 && news.size > 0) {
    mkdirSync(path.dirname(cache), { recursive: true });
    writeFileSync(cache, JSON.stringify([...known, ...news.keys()]));
  }
  return slow;
}

test('no regular expression of the packages needs more than linear time for hostile text', async () => {
  const files = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root }).filter((file) => !file.includes('.test.'));
  const found = files.flatMap(expressionsIn);
  expect(new Set(found.map(keyOf)).size).toBeGreaterThan(80);
  expect(await findSlowOnce(found)).toEqual([]);
}, 600_000);

test('nor one of the schemas, for the longest text that its schema allows', async () => {
  expect(inSchemas.length).toBeGreaterThan(10);
  expect(await findSlowOnce(inSchemas)).toEqual([]);
}, 600_000);

test('one that needs quadratic time is noticed', async () => {
  const quadratic = { where: 'here', pattern: '<[^>]*>', flags: 'g', longest: LONGEST };
  expect(await findSlow([quadratic], 2_000)).toEqual(['here: /<[^>]*>/g']);
}, 60_000);
