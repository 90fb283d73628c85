import type { EndedTest, Reporter } from './adapter.ts';

/** What a line of a suite's output says, if it is of the label extensions that suites of the original service contain. */
export type LabelLine =
  | { type: 'started'; suite: string; test: string }
  | { type: 'step'; label: string; screenshot: string }
  | { type: 'ended'; status: EndedTest['status'] }
  | { type: 'finished' };

const words: Record<string, LabelLine> = {
  succeeded: { type: 'ended', status: 'passed' },
  failed: { type: 'ended', status: 'failed' },
  skipped: { type: 'ended', status: 'skipped' },
  finished: { type: 'finished' },
};

/**
 * `started: method (class)`, `a label - <screenshots>/x.png`, `Took screenshot - <screenshots>/x.png`, and one word at
 * the end. A label is one only with a file in the folder of the screenshots: tests print all sorts of things.
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
  return Object.hasOwn(words, line) ? words[line] : undefined;
}

/** The test that labels belong to, by what was printed before. */
export function createLabelReader(
  screenshots: string,
  report: Reporter,
  onEnded: (test: { suite: string; test: string; status: EndedTest['status'] }) => void,
) {
  let current: { suite: string; test: string } | undefined;
  return {
    /** Tests that are told of in another way. */
    begin(suite: string, test: string) {
      current = { suite, test };
    },
    read(line: string) {
      const said = readLabelLine(line, screenshots);
      if (said?.type === 'started') {
        current = { suite: said.suite, test: said.test };
        report.started(said.suite, said.test);
      } else if (said?.type === 'step' && current) {
        report.step({ ...current, label: said.label, screenshot: said.screenshot });
      } else if (said?.type === 'ended' && current) onEnded({ ...current, status: said.status });
      else if (said?.type === 'finished') current = undefined;
    },
  };
}
