import type { EndedTest } from '../adapter.ts';

export type InstrumentationEvent =
  | { type: 'started'; suite: string; test: string }
  | { type: 'ended'; suite: string; test: string; status: EndedTest['status']; message?: string; stack?: string }
  /** The instrumentation ended; with a problem if it failed. */
  | { type: 'done'; problem?: string };

const STATUS = 'INSTRUMENTATION_STATUS: ';
const CODE = 'INSTRUMENTATION_STATUS_CODE: ';
const RESULT = 'INSTRUMENTATION_RESULT: ';
const END = 'INSTRUMENTATION_CODE: ';
const FAILED = 'INSTRUMENTATION_FAILED: ';
const ABORTED = 'INSTRUMENTATION_ABORTED: ';

/** 0 passed, -1 error, -2 failure, -3 ignored, -4 assumption failed. */
const statuses: Record<string, EndedTest['status']> = {
  '0': 'passed',
  '-1': 'failed',
  '-2': 'failed',
  '-3': 'skipped',
  '-4': 'skipped',
};

/** Parses the output of `am instrument -r` line by line. Values can have several lines. */
export function createInstrumentationReader(onEvent: (event: InstrumentationEvent) => void): (line: string) => void {
  let values = new Map<string, string[]>();
  let current: string[] | undefined;
  const valueNamed = (name: string) => values.get(name)?.join('\n').trim();
  const begin = (text: string) => {
    const at = text.indexOf('=');
    current = [at < 0 ? '' : text.slice(at + 1)];
    values.set(at < 0 ? text : text.slice(0, at), current);
  };
  const clear = () => {
    values = new Map();
    current = undefined;
  };
  const endTest = (code: string) => {
    const [suite, test] = [valueNamed('class'), valueNamed('test')];
    const stack = valueNamed('stack');
    clear();
    if (!suite || !test) return;
    const status = statuses[code];
    if (code === '1') onEvent({ type: 'started', suite, test });
    else if (status) {
      const [message] = stack?.split('\n', 1) ?? [];
      onEvent({ type: 'ended', suite, test, status, ...(stack && message ? { message, stack } : {}) });
    }
  };
  return (line) => {
    if (line.startsWith(STATUS)) begin(line.slice(STATUS.length));
    else if (line.startsWith(CODE)) endTest(line.slice(CODE.length).trim());
    else if (line.startsWith(RESULT)) begin(line.slice(RESULT.length));
    else if (line.startsWith(END)) {
      const problem = valueNamed('longMsg') || valueNamed('shortMsg');
      clear();
      onEvent({ type: 'done', ...(problem ? { problem } : {}) });
    } else if (line.startsWith(FAILED))
      onEvent({ type: 'done', problem: `Instrumentation failed: ${line.slice(FAILED.length)}` });
    else if (line.startsWith(ABORTED)) onEvent({ type: 'done', problem: line.slice(ABORTED.length) });
    else current?.push(line);
  };
}

/** Reads `package/runner` and the tested package from `pm list instrumentation`. */
export const readInstrumentations = (printed: string): { component: string; target: string }[] =>
  printed.split('\n').flatMap((line) => {
    const [, component, target] =
      /^instrumentation:([\w.]{1,500}\/[\w.$]{1,500}) \(target=([\w.]{1,500})\)$/.exec(line.trim()) ?? [];
    return component && target ? [{ component, target }] : [];
  });

/** Reads memory from `dumpsys meminfo`, which prints KB, in MB. */
export const readMemory = (printed: string): number | undefined => {
  const [, kilobytes] = /^\s{0,20}TOTAL(?: PSS)?:?\s{1,20}(\d{1,9})\b/m.exec(printed) ?? [];
  return kilobytes ? Math.round(Number(kilobytes) / 102.4) / 10 : undefined;
};
