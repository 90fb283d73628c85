// Runs in each test file before it: switches the mutant on, and notes which tests come by which ones.
import { appendFileSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach } from 'vitest';

const { MUTANTS_ACTIVE = '', MUTANTS_HITS } = process.env;
const active = Number(readFileSync(MUTANTS_ACTIVE, 'utf8'));

/** What was passed while loading, or between tests, counts for every test of the file. */
const betweenTests = new Set<number>();
let current = betweenTests;

Object.assign(globalThis, {
  __mutant(id: number): boolean {
    current.add(id);
    return id === active;
  },
});

/** `eachDatabase` says so in the title of the suite. */
const isOnPostgres = (task: { name: string; suite?: { name: string } | undefined }): boolean =>
  [task.name, task.suite?.name ?? ''].some((name) => name.includes('(postgres)'));

beforeEach(() => {
  current = new Set();
});

afterEach(({ task }) => {
  const passed = [...current, ...betweenTests];
  current = betweenTests;
  if (active < 0 && MUTANTS_HITS && passed.length > 0) {
    const hit = { file: task.file.filepath, test: task.id, isSlow: isOnPostgres(task), mutants: passed };
    appendFileSync(MUTANTS_HITS, `${JSON.stringify(hit)}\n`);
  }
});
