import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { endpoints } from '@mooring/contract';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');

/** Longer than any text that a request passes to an expression; quadratic time would take minutes. */
const MAX_LENGTH = 200_000;
/** A linear expression needs milliseconds for all texts, a quadratic one minutes for one of them. */
const WATCHDOG = 15_000;

interface Expression {
  where: string;
  pattern: string;
  flags: string;
  longest: number;
}

type Node = Record<string, unknown>;

function* walkNodes(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Node;
  for (const child of Object.values(value)) yield* walkNodes(child);
}

/** All regular expressions in the code of a package. */
function expressionsIn(file: string): Expression[] {
  const { program } = parseSync(file, readFileSync(path.join(root, file), 'utf8'));
  return [...walkNodes(program)].flatMap(({ regex, start }) => {
    if (!regex) return [];
    const { pattern, flags } = regex as { pattern: string; flags: string };
    return [{ where: `${file}:${start}`, pattern, flags, longest: MAX_LENGTH }];
  });
}

/** Patterns of schemas, which only see texts up to the maximum length of the schema. */
const inSchemas: Expression[] = endpoints.flatMap(({ id, params, query, headers, request }) =>
  [...walkNodes([params, query, headers, request])].flatMap(({ pattern, maxLength }) =>
    typeof pattern === 'string'
      ? [{ where: id, pattern, flags: 'u', longest: Math.min(Number(maxLength ?? MAX_LENGTH), MAX_LENGTH) }]
      : [],
  ),
);

const everywhere = ['<', '>', ' ', 'a', '0', '-', '.', '/', '"', "'", '=', '\n', '\\'];

/** The parts of an expression: groups, single characters or classes, and quantifiers. */
const token = /\(\?<?[:=!]|\(\?<\w+>|\[(?:\\.|[^\]\\])*\]|\\u\w{4}|\\x\w\w|\\p\{\w+\}|\{\d*,?\d*\}|\\?./gs;
const isCharacter = (part: string): boolean => !/^(?:[()|^$*+?]|\(\?.*|\{.*\})$/s.test(part);

/** One matching character for each part, in order. */
const listCharacters = ({ pattern, flags }: Expression): string[] =>
  (pattern.match(token) ?? []).filter(isCharacter).map((part) => {
    const one = new RegExp(`^${part}$`, flags.includes('u') ? 'u' : '');
    return everywhere.find((character) => one.test(character)) ?? part.at(-1) ?? '';
  });

/** Texts that start with a match, repeat one part many times, and finally do not match. */
function hostileTexts(expression: Expression): string[] {
  const characters = listCharacters(expression);
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

/** Expressions that a worker thread did not finish in time. */
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

const toKey = ({ pattern, flags, longest }: Expression): string => `${pattern} ${flags} ${longest}`;

/** Cached by the tried texts and the engine: an expression that was fast is not tried again. */
const judge = createHash('sha256')
  .update(readFileSync(import.meta.filename))
  .update(process.version)
  .digest('hex');
const cache = path.join(root, 'node_modules/.cache/check', `expressions-${judge.slice(0, 16)}.json`);

async function findSlowOnce(expressions: Expression[]): Promise<string[]> {
  const known = new Set<string>(existsSync(cache) ? JSON.parse(readFileSync(cache, 'utf8')) : []);
  const news = new Map(expressions.filter((one) => !known.has(toKey(one))).map((one) => [toKey(one), one]));
  const slow = await findSlow([...news.values()]);
  if (slow.length === 0 && news.size > 0) {
    mkdirSync(path.dirname(cache), { recursive: true });
    writeFileSync(cache, JSON.stringify([...known, ...news.keys()]));
  }
  return slow;
}

test('all regular expressions of the packages take linear time for hostile text', async () => {
  const files = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root }).filter((file) => !file.includes('.test.'));
  const found = files.flatMap(expressionsIn);
  expect(new Set(found.map(toKey)).size).toBeGreaterThan(80);
  expect(await findSlowOnce(found)).toEqual([]);
}, 600_000);

test('patterns of schemas take linear time for the longest text of their schema', async () => {
  expect(inSchemas.length).toBeGreaterThan(10);
  expect(await findSlowOnce(inSchemas)).toEqual([]);
}, 600_000);

test('an expression with quadratic time is detected', async () => {
  const quadratic = { where: 'here', pattern: '<[^>]*>', flags: 'g', longest: MAX_LENGTH };
  expect(await findSlow([quadratic], 2_000)).toEqual(['here: /<[^>]*>/g']);
}, 60_000);
