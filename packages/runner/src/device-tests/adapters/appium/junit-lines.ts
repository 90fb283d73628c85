import type { EndedTest } from '../adapter.ts';

/** An event that `MooringSuite` prints. */
export type JunitLine =
  | { type: 'started'; suite: string; test: string }
  | {
      type: 'ended';
      suite: string;
      test: string;
      status: EndedTest['status'];
      milliseconds: number;
      message: string;
      stack: string;
    }
  | { type: 'done'; classes: number };

const statuses = ['passed', 'failed', 'skipped'] as const;
const decode = (field = ''): string => Buffer.from(field.slice(1), 'base64').toString('utf8');

/** Returns undefined for lines without the mark, which tests print. */
export function readJunitLine(line: string, mark: string): JunitLine | undefined {
  if (!line.startsWith(`${mark} `)) return undefined;
  const [, type, first, second, result, time, message, stack] = line.split(' ');
  if (type === 'started') return { type, suite: decode(first), test: decode(second) };
  if (type === 'done') return { type, classes: Number(first) };
  const status = statuses.find((one) => one === result);
  return type === 'ended' && status
    ? {
        type,
        suite: decode(first),
        test: decode(second),
        status,
        milliseconds: Number(time) || 0,
        message: decode(message),
        stack: decode(stack),
      }
    : undefined;
}
