import { expect, test } from 'vitest';
import { instrument, type Mutant } from './instrument.ts';
import { findMutations } from './mutations.ts';
import { planRuns } from './plan.ts';
import { withFigures } from './report.ts';
import { sample } from './sample.ts';

const findMutants = (source: string, file = 'a.ts'): Mutant[] =>
  findMutations(source).map((mutation, id) => ({ ...mutation, id, file }));
const changes = (source: string) => findMutants(source).map(({ before, after }) => `${before} → ${after}`);

test.each([
  ['export const a = x === y;', 'x === y → (x) !== (y)'],
  ['export const a = x < y;', 'x < y → (x) <= (y)'],
  ['export const a = x && y;', 'x && y → (x) || (y)'],
  ['export const a = x ?? y;', 'x ?? y → x'],
  ['export const a = !x;', '!x → x'],
  ['export const a = true;', 'true → false'],
  ['export const a = 7;', '7 → 8'],
  ["export const a = 'not_found';", "'not_found' → ''"],
  ["export const a = q.selectFrom('t x').where(id);", "q.selectFrom('t x').where(id) → q.selectFrom('t x')"],
  ['export const a = [x, ...y];', '[x, ...y] → [x]'],
  ['export const a = { x, ...y };', '{ x, ...y } → { x }'],
  ['if (x) y();', 'x → !(x)'],
  ['await lock(x);', 'await lock(x); → '],
  ['throw refusal();', 'throw refusal(); → '],
  ['const f = () => { return x; };', 'return x; → return;'],
])('creates a mutant in %s', (source, expected) => {
  expect(changes(source)).toContain(expected);
});

test.each([
  "import a from 'word';",
  "export { a } from 'word';",
  "type A = 'word' | 7;",
  "const a = { 'word': b };",
  "const a = 'A sentence for people.';",
  'const a = sql`x = 7`;',
  'const f = () => { return undefined; };',
])('creates no mutant in %s', (source) => {
  expect(changes(source)).toEqual([]);
});

test('finds places after comments and multi-byte characters, in any order of files', () => {
  for (const lead of ['', '/** Ümläute, 漢字 */\n\n']) {
    const [mutant] = findMutants(`${lead}export const ß = x === 'ö ö';`);
    expect(mutant).toMatchObject({ before: "x === 'ö ö'", line: lead ? 3 : 1 });
  }
});

/** Runs a function with one mutant on; returns its result. */
function answer(source: string, on: number, argument: unknown): unknown {
  Object.assign(globalThis, { __mutant: (id: number) => id === on });
  return new Function('x', `${instrument(source, findMutants(source))}; return f(x)`)(argument);
}

test('one source contains all mutants; each changes behavior when it is on, and none otherwise', () => {
  const source = "function f(x) { const out = []; if (x > 1 && x < 9) { out.push('in'); } return out.length === 1; }";
  const mutants = findMutants(source);
  const isNoticed = (id: number) => [1, 2, 5, 9].some((x) => answer(source, id, x) !== answer(source, -1, x));
  expect(answer(source, -1, 5)).toBe(true);
  const noticed = mutants.filter(({ id }) => isNoticed(id));
  expect(noticed.map(({ operator }) => operator).sort()).toEqual([
    'boundary',
    'boundary',
    'condition',
    'early return',
    'equality',
    'logic',
    'number',
    'number',
    'number',
    'statement',
  ]);
  // No test checks the word itself: that mutant survives.
  expect(mutants.filter((mutant) => !noticed.includes(mutant)).map(({ before }) => before)).toEqual(["'in'"]);
});

test('a sample has mutants of each kind, and stays the same when other code changes', () => {
  const source = Array.from({ length: 50 }, (_, n) => `export const a${n} = x${n} === ${n};`).join('\n');
  const chosen = sample(findMutants(source), 10, 'seed');
  expect(chosen).toHaveLength(10);
  expect(new Set(chosen.map(({ operator }) => operator))).toEqual(new Set(['equality', 'number']));
  const moved = sample(findMutants(`// moved\n${source}`), 10, 'seed');
  expect(moved.map(({ before }) => before)).toEqual(chosen.map(({ before }) => before));
  expect(sample(findMutants(source), 10, 'other')).not.toEqual(chosen);
  expect(sample(findMutants(source), 1000, 'seed')).toHaveLength(100);
});

test('runs only tests that reach a mutant: neighbors first, PostgreSQL last', () => {
  const hit = (file: string, test: string, mutants: number[], isSlow = false) => ({ file, test, mutants, isSlow });
  const hits = [
    hit('/other.test.ts', '1', [1]),
    hit('/other.test.ts', '2', [1]),
    hit('/users.test.ts', '3', [1, 2]),
    hit('/users.test.ts', '4', [1], true),
    hit('/users.test.ts', '5', [2]),
  ];
  expect(planRuns({ id: 1, file: 'src/users.routes.ts' }, hits)).toEqual([
    { '/users.test.ts': ['3'] },
    { '/other.test.ts': ['1', '2'] },
    { '/users.test.ts': ['4'] },
  ]);
  expect(planRuns({ id: 3, file: 'src/users.ts' }, hits)).toEqual([]);
});

test('runs all tests of a file for a mutant in a statement that one of them reaches, because it is compiled only once', () => {
  const hit = (test: string, mutants: number[]) => ({ file: '/users.test.ts', test, mutants, isSlow: false });
  const hits = [hit('1', [1, 2]), hit('2', [2]), { ...hit('3', [2]), file: '/other.test.ts' }];
  expect(planRuns({ id: 1, file: 'src/users.store.ts' }, hits)).toEqual([{ '/users.test.ts': ['1', '2'] }]);
  expect(planRuns({ id: 1, file: 'src/users.ts' }, hits)).toEqual([{ '/users.test.ts': ['1'] }]);
});

test('figures of a folder replace its previous ones, and keep the others', () => {
  const figures = {
    folder: 'b',
    date: '2026-11-15',
    commit: 'abc',
    all: 100,
    tried: 50,
    byTests: 44,
    byTypes: 2,
    timedOut: 1,
  };
  const first = withFigures('Text\n<!-- mutants -->\n<!-- /mutants -->\nmore', figures);
  const second = withFigures(withFigures(first, { ...figures, folder: 'a' }), { ...figures, byTests: 30 });
  expect(first).toContain('| `b` | 94% | 50 of 100 | 44 | 2 | 1 | 2026-11-15, abc |');
  expect(second.match(/^\| `.*$/gm)).toEqual([
    '| `a` | 94% | 50 of 100 | 44 | 2 | 1 | 2026-11-15, abc |',
    '| `b` | 66% | 50 of 100 | 30 | 2 | 1 | 2026-11-15, abc |',
  ]);
  expect([second.startsWith('Text\n'), second.endsWith('\nmore')]).toEqual([true, true]);
});
