export interface TimedStep {
  at: number;
  test: string;
  label: string;
  screenshot?: string | undefined;
}

/** Consecutive log lines, or a test step between them. */
export type LogSegment = { at: number; text: string } | { at: number; step: TimedStep };

/** Limits the page; the end of a log matters most. */
export const MAX_LINES = 5_000;

const timed = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) /;

/** Merges a log with its device's test steps by time, and counts the omitted first lines. */
export function splitLog(log: string, steps: readonly TimedStep[]): { segments: LogSegment[]; omitted: number } {
  const lines = log.replace(/\n$/, '').split('\n');
  const omitted = Math.max(0, lines.length - MAX_LINES);
  const waiting = steps.toSorted((one, other) => one.at - other.at);
  const segments: LogSegment[] = [];
  let at = 0;
  let next = 0;
  let block: string[] = [];
  const close = () => {
    if (block.length > 0) segments.push({ at, text: block.join('\n') });
    block = [];
  };
  for (const line of lines.slice(omitted)) {
    // A line without a timestamp belongs to the previous line.
    const time = Date.parse(timed.exec(line)?.[1] ?? '');
    if (!Number.isNaN(time)) {
      for (let step = waiting[next]; step && step.at < time; step = waiting[next]) {
        close();
        segments.push({ at: step.at, step });
        next += 1;
      }
      at = time;
    }
    block.push(line);
  }
  close();
  segments.push(...waiting.slice(next).map((step) => ({ at: step.at, step })));
  return { segments, omitted };
}
