import type { EndedTest, Event, Reporter } from './adapters/adapter.ts';

const MOST_TESTS = 100_000;
const MOST_STEPS = 100_000;
/** All of it is held until the end; the server keeps less. */
const MOST_TEXT = 64 * 1_048_576;

const clip = (text: string, length: number): string => text.toWellFormed().slice(0, length).toWellFormed();
const nameOf = (text: string): string => clip(text.trim(), 1000) || 'unnamed';
const keyOf = (suite: string, test: string): string => `${suite}\n${test}`;

export interface Report extends Reporter {
  /** Tests that began and did not end, as failed; nothing is taken after that. */
  close(why: string): void;
  deviceFailed(message: string): void;
  ended: Reporter['ended'];
  /** What has ended so far. */
  results(): readonly EndedTest[];
  /** The tests that run now. */
  running(): { suite: string; test: string; since: number }[];
}

export interface ReportOptions {
  tell(event: Event, screenshot?: string): void;
  mask(text: string): string;
  /** It tells more than anybody reads; the rest is not taken. */
  onTooMuch?(why: string): void;
  /** The most in MB that the app took since then, where the adapter does not say it. */
  memorySince?(then: number): number | undefined;
  now?: () => number;
}

/** What a suite tells, made to fit: an event for the beginning and the end of each test, nothing longer than it may be. */
export function createReport(options: ReportOptions): Report {
  const { tell: tellAll, mask, onTooMuch, memorySince, now = Date.now } = options;
  const open = new Map<string, { suite: string; test: string; since: number }>();
  const results: EndedTest[] = [];
  let steps = 0;
  let length = 0;
  let isClosed = false;

  const tell: ReportOptions['tell'] = (event, screenshot) => {
    for (const value of Object.values(event)) if (typeof value === 'string') length += value.length;
    if (length > MOST_TEXT && event.type !== 'device-failed') {
      isClosed = true;
      onTooMuch?.('The suite told more of its tests than 64 MiB.');
    } else tellAll(event, screenshot);
  };

  const report: Report = {
    started(suite, test) {
      const one = { suite: nameOf(suite), test: nameOf(test), since: now() };
      const key = keyOf(one.suite, one.test);
      if (isClosed || open.has(key) || results.length + open.size >= MOST_TESTS) return;
      open.set(key, one);
      tell({ type: 'test-started', at: one.since, suite: one.suite, test: one.test });
    },
    step({ suite, test, label, screenshot }) {
      if (isClosed || steps >= MOST_STEPS) return;
      steps += 1;
      report.started(suite, test);
      const event = { suite: nameOf(suite), test: nameOf(test), label: clip(mask(label.trim()), 256) };
      tell({ type: 'step', at: now(), ...event }, screenshot);
    },
    ended({ suite, test, status, milliseconds, message, stack, memory: told }) {
      report.started(suite, test);
      const key = keyOf(nameOf(suite), nameOf(test));
      const begun = open.get(key);
      if (isClosed || !begun) return;
      open.delete(key);
      const at = now();
      const memory = told ?? memorySince?.(begun.since);
      const event: EndedTest = {
        type: 'test-ended',
        at,
        suite: begun.suite,
        test: begun.test,
        status,
        milliseconds: Math.max(0, Math.round(milliseconds ?? at - begun.since)),
        ...(message?.trim() ? { message: clip(mask(message.trim()), 4096) } : {}),
        ...(stack?.trim() ? { stack: clip(mask(stack.trim()), 65_536) } : {}),
        ...(memory === undefined ? {} : { memory }),
      };
      tell(event);
      if (!isClosed) results.push(event);
    },
    close(why) {
      for (const { suite, test } of [...open.values()]) report.ended({ suite, test, status: 'failed', message: why });
      isClosed = true;
    },
    deviceFailed(message) {
      tell({ type: 'device-failed', at: now(), message: clip(mask(message), 1000) });
    },
    results: () => results,
    running: () => [...open.values()],
  };
  return report;
}
