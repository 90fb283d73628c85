import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Mutant } from './instrument.ts';

/** A test, and the mutants that it reaches. */
export interface Hit {
  file: string;
  test: string;
  /** Runs on PostgreSQL; another test runs the same on SQLite. */
  isSlow: boolean;
  mutants: number[];
}

export const readHits = (file: string): Hit[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Hit);

const byFile = (hits: readonly Hit[]): Record<string, string[]> => {
  const tests: Record<string, string[]> = {};
  for (const { file, test } of hits) tests[file] = [...(tests[file] ?? []), test];
  return tests;
};

/** A statement is compiled once per process, so the first test to reach it stands for all others of its file. */
const isStore = (file: string): boolean => file.endsWith('.store.ts');

/**
 * The tests to run for a mutant, the most likely to detect it first: those of the neighboring file, or of the file that
 * reaches it most; then all others; then slow ones.
 */
export function planRuns(mutant: Pick<Mutant, 'id' | 'file'>, hits: readonly Hit[]): Record<string, string[]>[] {
  const passing = hits.filter(({ mutants }) => mutants.includes(mutant.id));
  const files = new Set(passing.map(({ file }) => file));
  const near = isStore(mutant.file) ? hits.filter(({ file }) => files.has(file)) : passing;
  const quick = near.filter(({ isSlow }) => !isSlow);
  const [stem = ''] = path.basename(mutant.file).split('.');
  const counts = Object.entries(byFile(quick)).map(([file, tests]) => ({ file, weight: tests.length }));
  const isBeside = (file: string) => path.basename(file) === `${stem}.test.ts`;
  const [best] = counts.sort((a, b) => Number(isBeside(b.file)) - Number(isBeside(a.file)) || b.weight - a.weight);
  const steps = [
    quick.filter(({ file }) => file === best?.file),
    quick.filter(({ file }) => file !== best?.file),
    near.filter(({ isSlow }) => isSlow),
  ];
  return steps.filter((step) => step.length > 0).map(byFile);
}
