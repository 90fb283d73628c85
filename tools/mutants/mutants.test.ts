import { expect, test } from 'vitest';
import { instrument, type Mutant } from './instrument.ts';
import { findMutations } from './mutations.ts';
import { planRuns } from './plan.ts';
import { withFigures } from './report.ts';
import { sample } from './sample.ts';

const mutantsOf = (source: string, file = 'a.ts'): Mutant[] =>
  findMutations(source).map((mutation, id) => ({ ...mutation, id, file }));
const changes = (source: string) => mutantsOf(source).map(({ before, after }) => `${before} → ${after}`);

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
])('a slip is made in %s', (source, expected) => {
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
])('none is made in %s', (source) => {
  expect(changes(source)).toEqual([]);
});

test('places are found behind comments and letters of several bytes, in whatever order files are read', () => {
  for (const lead of ['', '/** Ümläute, 漢字 */\n\n']) {
    const [mutant] = mutantsOf(`${lead}export const ß = x === 'ö ö';`);
    expect(mutant).toMatchObject({ before: "x === 'ö ö'", line: lead ? 3 : 1 });
  }
});

/** Runs a function with one mutant switched on; says what it answers. */
function answer(source: string, on: number, argument: unknown): unknown {
  Object.assign(globalThis, { __mutant: (id: number) => id === on });
  return new Function('x', `${instrument(source, mutantsOf(source))}; return f(x)`)(argument);
}

test('all slips are in one source, each does its own when it is on, and none when they are off', () => {
  const source = "function f(x) { const out = []; if (x > 1 && x < 9) { out.push('in'); } return out.length === 1; }";
  const mutants = mutantsOf(source);
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
  // The word itself is never looked at: that one survives.
  expect(mutants.filter((mutant) => !noticed.includes(mutant)).map(({ before }) => before)).toEqual(["'in'"]);
});

test('a sample has some of each kind, and stays when code elsewhere changes', () => {
  const source = Array.from({ length: 50 }, (_, n) => `export const a${n} = x${n} === ${n};`).join('\n');
  const chosen = sample(mutantsOf(source), 10, 'seed');
  expect(chosen).toHaveLength(10);
  expect(new Set(chosen.map(({ operator }) => operator))).toEqual(new Set(['equality', 'number']));
  const moved = sample(mutantsOf(`// moved\n${source}`), 10, 'seed');
  expect(moved.map(({ before }) => before)).toEqual(chosen.map(({ before }) => before));
  expect(sample(mutantsOf(source), 10, 'other')).not.toEqual(chosen);
  expect(sample(mutantsOf(source), 1000, 'seed')).toHaveLength(100);
});

test('only tests that come by a mutant run for it: beside it first, over PostgreSQL last', () => {
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

test('for a mutant in a statement all tests of a file run once one comes by: it is compiled only once', () => {
  const hit = (test: string, mutants: number[]) => ({ file: '/users.test.ts', test, mutants, isSlow: false });
  const hits = [hit('1', [1, 2]), hit('2', [2]), { ...hit('3', [2]), file: '/other.test.ts' }];
  expect(planRuns({ id: 1, file: 'src/users.store.ts' }, hits)).toEqual([{ '/users.test.ts': ['1', '2'] }]);
  expect(planRuns({ id: 1, file: 'src/users.ts' }, hits)).toEqual([{ '/users.test.ts': ['1'] }]);
});

test('figures of a folder replace those before, and leave the others', () => {
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
  expect(first).toContain('| `b` | 94 % | 50 of 100 | 44 | 2 | 1 | 2026-11-15, abc |');
  expect(second.match(/^\| `.*$/gm)).toEqual([
    '| `a` | 94 % | 50 of 100 | 44 | 2 | 1 | 2026-11-15, abc |',
    '| `b` | 66 % | 50 of 100 | 30 | 2 | 1 | 2026-11-15, abc |',
  ]);
  expect([second.startsWith('Text\n'), second.endsWith('\nmore')]).toEqual([true, true]);
});
