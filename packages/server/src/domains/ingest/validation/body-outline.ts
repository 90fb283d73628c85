import { setImmediate } from 'node:timers/promises';
import { LOG_MAX_VALUES, LOGS_MAX_PER_REQUEST } from '@mooring/contract';
import { findStringEnd } from '../../../kernel/text/json.ts';
import { createDepthError, MAX_BODY_DEPTH, parseBodyText } from './parse-body.ts';

/** Position of one log in the text of a body. */
export interface LogSpan {
  start: number;
  end: number;
  /** Has too many values to be parsed. */
  isTooLarge: boolean;
}

export interface BodyOutline {
  /** The first logs of the body, up to the limit of a request. */
  spans: LogSpan[];
  /** All logs of the body. */
  count: number;
  /** Start of the first log beyond the limit of a request. */
  restStart: number;
}

/** Characters that are scanned before other work gets a turn. */
export const SCANNED_AT_ONCE = 256 * 1024;

const [quote, comma] = ['"', ','].map((sign) => sign.charCodeAt(0));
const [brace, bracket, braceEnd, bracketEnd] = ['{', '[', '}', ']'].map((sign) => sign.charCodeAt(0));
const SPACE = 32;

/**
 * Finds the logs of a large body without parsing all of it: 16 MiB of JSON can become a gigabyte of objects. Yields regularly.
 * Returns `no_logs` without a list of logs, and `too_large` if other content is too large.
 */
export async function outlineBody(text: string): Promise<BodyOutline | 'no_logs' | 'too_large'> {
  const spans: LogSpan[] = [];
  let count = 0;
  let restStart = text.length;
  /** The list of logs, once found. */
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
    const isInLogList = isInList && depth === 2;
    if (isInLogList && start < 0 && code !== comma && code !== bracketEnd) start = at;
    if (code === quote) {
      const end = findStringEnd(text, at + 1);
      if (depth === 1) isLogsKey = end - at === 5 && text.startsWith('logs', at + 1);
      at = end;
    } else if (code === brace || code === bracket) {
      depth += 1;
      if (depth > MAX_BODY_DEPTH) throw createDepthError();
      if (isInList) values += 1;
      else outside += 1;
      if (code === bracket && depth === 2 && isLogsKey && !list) {
        list = { start: at, end: text.length };
        isInList = true;
      }
    } else if (code === braceEnd || code === bracketEnd) {
      if (isInLogList) {
        if (start >= 0 || count > 0) endLog(at);
        list = { start: list?.start ?? at, end: at };
        isInList = false;
      }
      depth -= 1;
    } else if (code === comma) {
      if (isInLogList) endLog(at);
      else if (isInList) values += 1;
      else outside += 1;
      if (depth === 1) isLogsKey = false;
    }
  }
  if (outside > LOG_MAX_VALUES) return 'too_large';
  parseBodyText(list ? text.slice(0, list.start + 1) + text.slice(list.end) : text);
  return list ? { spans, count, restStart } : 'no_logs';
}
