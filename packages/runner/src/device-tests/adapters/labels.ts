import type { EndedTest, Reporter } from './adapter.ts';

/** A line printed by the label extensions of App Center suites. */
export type LabelLine =
  | { type: 'started'; suite: string; test: string }
  | { type: 'step'; label: string; screenshot: string }
  | { type: 'ended'; status: EndedTest['status'] }
  | { type: 'finished' };

const linesByKeyword: Record<string, LabelLine> = {
  succeeded: { type: 'ended', status: 'passed' },
  failed: { type: 'ended', status: 'failed' },
  skipped: { type: 'ended', status: 'skipped' },
  finished: { type: 'finished' },
};

/**
 * The formats are `started: method (class)`, `a label - <screenshots>/x.png`, `Took screenshot - <screenshots>/x.png`, and one
 * word at the end. A label must refer to a file in the screenshots folder, as tests can print similar lines.
 */
export function readLabelLine(line: string, screenshots: string): LabelLine | undefined {
  if (line.startsWith('started: ') && line.endsWith(')')) {
    const at = line.lastIndexOf(' (');
    return at < 9 ? undefined : { type: 'started', test: line.slice(9, at), suite: line.slice(at + 2, -1) };
  }
  const mark = ` - ${screenshots}/`;
  const at = line.lastIndexOf(mark);
  if (at > 0) {
    const label = line.slice(0, at);
    return { type: 'step', label: label === 'Took screenshot' ? 'Screenshot' : label, screenshot: line.slice(at + 3) };
  }
  return Object.hasOwn(linesByKeyword, line) ? linesByKeyword[line] : undefined;
}

/** Assigns labels to the test that was started before them. */
export function createLabelReader(
  screenshots: string,
  report: Reporter,
  onEnded: (test: { suite: string; test: string; status: EndedTest['status'] }) => void,
) {
  let current: { suite: string; test: string } | undefined;
  return {
    /** Sets the current test if its start is reported in another way. */
    begin(suite: string, test: string) {
      current = { suite, test };
    },
    read(line: string) {
      const parsed = readLabelLine(line, screenshots);
      if (parsed?.type === 'started') {
        current = { suite: parsed.suite, test: parsed.test };
        report.started(parsed.suite, parsed.test);
      } else if (parsed?.type === 'step' && current) {
        report.step({ ...current, label: parsed.label, screenshot: parsed.screenshot });
      } else if (parsed?.type === 'ended' && current) onEnded({ ...current, status: parsed.status });
      else if (parsed?.type === 'finished') current = undefined;
    },
  };
}
