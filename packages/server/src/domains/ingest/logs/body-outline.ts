import { setImmediate } from 'node:timers/promises';
import { LOG_MAX_VALUES, LOGS_MAX_PER_REQUEST } from '@mooring/contract';
import { badRequest } from '../../../kernel/errors.ts';
import { endOfString } from '../../../kernel/json.ts';

/** Position of one log in the text of a body. */
export interface LogSpan {
  start: number;
  end: number;
  /** It has too many values, so it is not parsed. */
  isTooLarge: boolean;
}

export interface BodyOutline {
  /** The first logs of the body, as many as one request may have. */
  spans: LogSpan[];
  /** All logs of the body. */
  count: number;
  /** Start of the first log beyond the limit of a request. */
  restStart: number;
}

/** Characters that are looked at before other work has its turn. */
export const SCANNED_AT_ONCE = 256 * 1024;
export const MAX_BODY_DEPTH = 1000;

const [quote, comma] = ['"', ','].map((sign) => sign.charCodeAt(0));
const [brace, bracket, braceEnd, bracketEnd] = ['{', '[', '}', ']'].map((sign) => sign.charCodeAt(0));
const SPACE = 32;

const invalidJson = (reason: string) => badRequest(`The body is not valid JSON: ${reason.slice(0, 200)}.`);

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidJson((error as Error).message);
  }
}

/**
 * Finds the logs of a large body without parsing all of it: 16 MiB of JSON may become a gigabyte of objects. Yields now and
 * then. `no_logs` if there is no list of logs, `too_large` if there is too much beside it.
 */
export async function outlineBody(text: string): Promise<BodyOutline | 'no_logs' | 'too_large'> {
  const spans: LogSpan[] = [];
  let count = 0;
  let restStart = text.length;
  /** The list of logs: before it, in it, after it. */
  let list: { start: number; end: number } | undefined;
  let isInList = false;
  let isLogsKey = false;
  let depth = 0;
  let start = -1;
  let values = 0;
  let outside = 0;

  function endLog(end: number): void {
    if (count === LOGS_MAX_PER_REQUEST) restStart = start < 0 ? end : start;
    if (count < LOGS_MAX_PER_REQUEST)
      spans.push({ start: start < 0 ? end : start, end, isTooLarge: values > LOG_MAX_VALUES });
    count += 1;
    start = -1;
    values = 0;
  }

  let pause = SCANNED_AT_ONCE;
  for (let at = 0; at < text.length; at += 1) {
    if (at >= pause) {
      pause = at + SCANNED_AT_ONCE;
      await setImmediate();
    }
    const code = text.charCodeAt(at);
    if (code <= SPACE) continue;
    const isOfList = isInList && depth === 2;
    if (isOfList && start < 0 && code !== comma && code !== bracketEnd) start = at;
    if (code === quote) {
      const end = endOfString(text, at + 1);
      if (depth === 1) isLogsKey = end - at === 5 && text.startsWith('logs', at + 1);
      at = end;
    } else if (code === brace || code === bracket) {
      depth += 1;
      if (depth > MAX_BODY_DEPTH) throw badRequest(`The body is nested more than ${MAX_BODY_DEPTH} levels deep.`);
      if (isInList) values += 1;
      else outside += 1;
      if (code === bracket && depth === 2 && isLogsKey && !list) {
        list = { start: at, end: text.length };
        isInList = true;
      }
    } else if (code === braceEnd || code === bracketEnd) {
      if (isOfList) {
        if (start >= 0 || count > 0) endLog(at);
        list = { start: list?.start ?? at, end: at };
        isInList = false;
      }
      depth -= 1;
    } else if (code === comma) {
      if (isOfList) endLog(at);
      else if (isInList) values += 1;
      else outside += 1;
      if (depth === 1) isLogsKey = false;
    }
  }
  if (outside > LOG_MAX_VALUES) return 'too_large';
  parseJson(list ? text.slice(0, list.start + 1) + text.slice(list.end) : text);
  return list ? { spans, count, restStart } : 'no_logs';
}
