import type { EndedTest, Event, Reporter } from './adapters/adapter.ts';

const MAX_TESTS = 100_000;
const MAX_STEPS = 100_000;
/** The report stays in memory until the end; the server stores less. */
const MAX_TEXT_LENGTH = 64 * 1_048_576;

const clip = (text: string, length: number): string => text.toWellFormed().slice(0, length).toWellFormed();
const toName = (text: string): string => clip(text.trim(), 1000) || 'unnamed';
const toKey = (suite: string, test: string): string => `${suite}\n${test}`;

export interface Report extends Reporter {
  /** Marks unfinished tests as failed, and ignores later results. */
  close(reason: string): void;
  deviceFailed(message: string): void;
  ended: Reporter['ended'];
  /** Completed tests. */
  results(): readonly EndedTest[];
  /** Tests in progress. */
  running(): { suite: string; test: string; since: number }[];
}

export interface ReportOptions {
  publish(event: Event, screenshot?: string): void;
  mask(text: string): string;
  /** Called when the report exceeds its size limit. Later results are ignored. */
  onTooMuch?(reason: string): void;
  /** Maximum memory of the app in MB since a time, if the adapter doesn't report it. */
  memorySince?(then: number): number | undefined;
  now?: () => number;
}

/** Normalizes results of a suite: each test has a start and an end, and texts are within limits. */
export function createReport(options: ReportOptions): Report {
  const { publish: publishUnlimited, mask, onTooMuch, memorySince, now = Date.now } = options;
  const open = new Map<string, { suite: string; test: string; since: number }>();
  const results: EndedTest[] = [];
  let steps = 0;
  let length = 0;
  let isClosed = false;

  const publish: ReportOptions['publish'] = (event, screenshot) => {
    for (const value of Object.values(event)) if (typeof value === 'string') length += value.length;
    if (length > MAX_TEXT_LENGTH && event.type !== 'device-failed') {
      isClosed = true;
      onTooMuch?.('The report of the suite exceeds 64 MiB.');
    } else publishUnlimited(event, screenshot);
  };

  const report: Report = {
    started(suite, test) {
      const one = { suite: toName(suite), test: toName(test), since: now() };
      const key = toKey(one.suite, one.test);
      if (isClosed || open.has(key) || results.length + open.size >= MAX_TESTS) return;
      open.set(key, one);
      publish({ type: 'test-started', at: one.since, suite: one.suite, test: one.test });
    },
    step({ suite, test, label, screenshot }) {
      if (isClosed || steps >= MAX_STEPS) return;
      steps += 1;
      report.started(suite, test);
      const event = { suite: toName(suite), test: toName(test), label: clip(mask(label.trim()), 256) };
      publish({ type: 'step', at: now(), ...event }, screenshot);
    },
    ended({ suite, test, status, milliseconds, message, stack, memory: reportedMemory }) {
      report.started(suite, test);
      const key = toKey(toName(suite), toName(test));
      const started = open.get(key);
      if (isClosed || !started) return;
      open.delete(key);
      const at = now();
      const memory = reportedMemory ?? memorySince?.(started.since);
      const event: EndedTest = {
        type: 'test-ended',
        at,
        suite: started.suite,
        test: started.test,
        status,
        milliseconds: Math.max(0, Math.round(milliseconds ?? at - started.since)),
        ...(message?.trim() ? { message: clip(mask(message.trim()), 4096) } : {}),
        ...(stack?.trim() ? { stack: clip(mask(stack.trim()), 65_536) } : {}),
        ...(memory === undefined ? {} : { memory }),
      };
      publish(event);
      if (!isClosed) results.push(event);
    },
    close(reason) {
      for (const { suite, test } of [...open.values()])
        report.ended({ suite, test, status: 'failed', message: reason });
      isClosed = true;
    },
    deviceFailed(message) {
      publish({ type: 'device-failed', at: now(), message: clip(mask(message), 1000) });
    },
    results: () => results,
    running: () => [...open.values()],
  };
  return report;
}
