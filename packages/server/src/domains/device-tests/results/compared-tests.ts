import type { testChanges } from '@mooring/contract';
import type { Outcome, TestSummary } from './results.ts';

type Change = (typeof testChanges)[number];
type Summaries = ReadonlyMap<string, TestSummary>;

export interface ComparedTest {
  suite: string;
  test: string;
  change: Change;
  before: Outcome['status'] | undefined;
  now: Outcome['status'] | undefined;
  message: string | undefined;
}

export interface ComparedDuration {
  suite: string;
  test: string;
  before: number;
  now: number;
}

const MAX_DURATIONS = 20;
const order: readonly Change[] = ['newly_failing', 'still_failing', 'fixed', 'not_run', 'added'];

/** A skipped test has no result. */
const shown = (test: TestSummary | undefined) => (test?.status === 'skipped' ? undefined : test?.status);

function getChange(before: TestSummary | undefined, now: TestSummary | undefined): Change | undefined {
  const [was, is] = [shown(before), shown(now)];
  if (is === 'failed') return was === 'failed' ? 'still_failing' : 'newly_failing';
  if (is === undefined) return was === undefined ? undefined : 'not_run';
  if (was === undefined) return 'added';
  return was === 'failed' && is === 'passed' ? 'fixed' : undefined;
}

/** Compares the tests of two runs: lists those whose result changed or is bad, the worst first. */
export function compareTests(before: Summaries, now: Summaries): ComparedTest[] {
  const compared = [...new Set([...now.keys(), ...before.keys()])].flatMap((key): ComparedTest[] => {
    const [was, is] = [before.get(key), now.get(key)];
    const known = is ?? was;
    const change = getChange(was, is);
    if (!known || change === undefined) return [];
    const { suite, test } = known;
    return [{ suite, test, change, before: was?.status, now: is?.status, message: is?.message }];
  });
  return compared.toSorted((one, other) => order.indexOf(one.change) - order.indexOf(other.change));
}

/** Lists tests that passed both times and whose durations differ the most. */
export function compareDurations(before: Summaries, now: Summaries): ComparedDuration[] {
  const both = [...now].flatMap(([key, { suite, test, status, milliseconds }]): ComparedDuration[] => {
    const was = before.get(key);
    return status === 'passed' && was?.status === 'passed'
      ? [{ suite, test, before: was.milliseconds, now: milliseconds }]
      : [];
  });
  const difference = ({ before, now }: ComparedDuration) => Math.abs(now - before);
  return both
    .filter((one) => difference(one) > 0)
    .toSorted((one, other) => difference(other) - difference(one))
    .slice(0, MAX_DURATIONS);
}
