export interface TimedStep {
  at: number;
  test: string;
  label: string;
  screenshot?: string | undefined;
}

/** Lines of a log that belong together, or what a test did meanwhile. */
export type LogPart = { at: number; text: string } | { at: number; step: TimedStep };

/** More than anybody reads on a page; what came last tells most. */
export const MOST_LINES = 5_000;

const timed = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) /;

/** A log with the steps of its device where they were in time; says how many lines before it were left out. */
export function partsOf(log: string, steps: readonly TimedStep[]): { parts: LogPart[]; left: number } {
  const lines = log.replace(/\n$/, '').split('\n');
  const left = Math.max(0, lines.length - MOST_LINES);
  const waiting = steps.toSorted((one, other) => one.at - other.at);
  const parts: LogPart[] = [];
  let at = 0;
  let next = 0;
  let block: string[] = [];
  const close = () => {
    if (block.length > 0) parts.push({ at, text: block.join('\n') });
    block = [];
  };
  for (const line of lines.slice(left)) {
    // A line without a time of its own came with the one before it.
    const time = Date.parse(timed.exec(line)?.[1] ?? '');
    if (!Number.isNaN(time)) {
      for (let step = waiting[next]; step && step.at < time; step = waiting[next]) {
        close();
        parts.push({ at: step.at, step });
        next += 1;
      }
      at = time;
    }
    block.push(line);
  }
  close();
  parts.push(...waiting.slice(next).map((step) => ({ at: step.at, step })));
  return { parts, left };
}
