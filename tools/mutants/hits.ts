// Preloaded into each test file: activates the mutant, and records which tests reach which mutants.
import { appendFileSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach } from 'vitest';

const { MUTANTS_ACTIVE = '', MUTANTS_HITS } = process.env;
const active = Number(readFileSync(MUTANTS_ACTIVE, 'utf8'));

/** Mutants that are reached while loading, or between tests, count for all tests of the file. */
const betweenTests = new Set<number>();
let current = betweenTests;

Object.assign(globalThis, {
  __mutant(id: number): boolean {
    current.add(id);
    return id === active;
  },
});

/** `eachDatabase` puts the database into the title of the suite. */
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
