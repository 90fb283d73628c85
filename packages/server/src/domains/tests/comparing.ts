import type { testChanges } from '@mooring/contract';
import type { AppCtx } from '../../context.ts';
import { notFound } from '../../kernel/errors.ts';
import { type RunNow, readRunNow } from './live-run.ts';
import type { Outcome, TestSummary } from './results.ts';
import { findPreviousRun } from './test-runs.store.ts';
import { getRunRow } from './test-runs.ts';
import { readSummaries } from './test-summaries.ts';

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

const MOST_DURATIONS = 20;
const order: readonly Change[] = ['newly_failing', 'still_failing', 'fixed', 'not_run', 'added'];

/** What a skipped test has shown is nothing. */
const shown = (test: TestSummary | undefined) => (test?.status === 'skipped' ? undefined : test?.status);

function changeOf(before: TestSummary | undefined, now: TestSummary | undefined): Change | undefined {
  const [was, is] = [shown(before), shown(now)];
  if (is === 'failed') return was === 'failed' ? 'still_failing' : 'newly_failing';
  if (is === undefined) return was === undefined ? undefined : 'not_run';
  if (was === undefined) return 'added';
  return was === 'failed' && is === 'passed' ? 'fixed' : undefined;
}

/** What became of tests from one run to another: those whose result changed or is bad, the worst first. */
export function compareTests(before: Summaries, now: Summaries): ComparedTest[] {
  const compared = [...new Set([...now.keys(), ...before.keys()])].flatMap((key): ComparedTest[] => {
    const [was, is] = [before.get(key), now.get(key)];
    const known = is ?? was;
    const change = changeOf(was, is);
    if (!known || change === undefined) return [];
    const { suite, test } = known;
    return [{ suite, test, change, before: was?.status, now: is?.status, message: is?.message }];
  });
  return compared.toSorted((one, other) => order.indexOf(one.change) - order.indexOf(other.change));
}

/** Of tests that passed both times, those whose durations differ the most. */
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
    .slice(0, MOST_DURATIONS);
}

export interface Comparison {
  run: RunNow;
  before: RunNow;
  tests: ComparedTest[];
  durations: ComparedDuration[];
}

/** A run with another one, or with the one that finished before it with the same framework and of the same series. */
export async function compareRuns(ctx: AppCtx, id: string, otherId?: string): Promise<Comparison> {
  const { framework, series } = await getRunRow(ctx, id);
  const which = { appId: ctx.app.id, id, framework: framework ?? '', series: series ?? '' };
  const beforeId = otherId ?? (await findPreviousRun.first(ctx.db, which))?.id;
  if (beforeId === undefined) throw notFound('test run before this one');
  const before = await readRunNow(ctx, beforeId);
  const [was, is] = [await readSummaries(ctx, beforeId), await readSummaries(ctx, id)];
  return {
    run: await readRunNow(ctx, id),
    before,
    tests: compareTests(was, is),
    durations: compareDurations(was, is),
  };
}
