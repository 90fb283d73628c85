import {
  type invalidReasons,
  LOG_MAX_KEYS,
  LOG_MAX_VALUES,
  LOGS_AHEAD_DAYS,
  LOGS_MAX_PER_REQUEST,
  LOGS_OLDEST_DAYS,
  logTypes,
} from '@mooring/contract';
import { DAY } from '../../../kernel/clock.ts';
import { cutText } from '../../../kernel/cut-text.ts';
import { parseLogTime } from './log-time.ts';

export type InvalidReason = (typeof invalidReasons)[number];

export interface InvalidLog {
  reason: InvalidReason;
  /** The beginning of it, as JSON. */
  log: string;
}

/** From where logs come, as far as they say so. */
export interface Sender {
  sdk: string;
  sdkVersion: string;
  appVersion: string;
}

/** What one pass over the logs of a request has found. */
export interface Judged {
  /** Those that are kept; the very array that came if none is left out. */
  valid: readonly unknown[];
  /** Of those. */
  types: ReadonlySet<string>;
  /** The first few of those that nobody can read. */
  invalid: InvalidLog[];
  invalidCount: number;
  /** Why logs are invalid, each reason once; of all of them, not only of the first few. */
  reasons: InvalidReason[];
  /** Too old or too far ahead. */
  droppedCount: number;
  sender: Sender | undefined;
}

const known: ReadonlySet<unknown> = new Set(logTypes);

type Verdict = 'valid' | 'dropped' | InvalidReason;

interface Window {
  oldest: number;
  latest: number;
}

type Shown = Record<string, unknown>;

const isObject = (value: unknown): value is Shown =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An exception with sixteen causes has some forty levels; whoever takes a log may call itself for each. */
const MAX_DEPTH = 200;

type Excess = 'too_deep' | 'too_large';

/** Values counted so far in the log that is looked at. */
let counted = 0;

/** Walks through a value until it has more levels, keys or values than a log may have. */
function findExcess(value: object, levels: number): Excess | undefined {
  if (levels === 0) return 'too_deep';
  if (Array.isArray(value)) {
    counted += value.length;
    if (counted > LOG_MAX_VALUES) return 'too_large';
    for (const item of value) {
      const excess = typeof item === 'object' && item !== null ? findExcess(item, levels - 1) : undefined;
      if (excess !== undefined) return excess;
    }
    return undefined;
  }
  let keys = 0;
  for (const key in value) {
    keys += 1;
    if (keys > LOG_MAX_KEYS) return 'too_large';
    const item = (value as Shown)[key];
    const excess = typeof item === 'object' && item !== null ? findExcess(item, levels - 1) : undefined;
    if (excess !== undefined) return excess;
  }
  counted += keys;
  return counted > LOG_MAX_VALUES ? 'too_large' : undefined;
}

function excessOfLog(log: object): Excess | undefined {
  counted = 0;
  return findExcess(log, MAX_DEPTH);
}

/** Nothing is asked of a log but what all of them have; the rest is for those who take it. */
function judge(log: unknown, { oldest, latest }: Window): Verdict {
  if (!isObject(log)) return 'not_an_object';
  if (!known.has(log.type)) return 'unknown_type';
  if (!isObject(log.device)) return 'no_device';
  const excess = excessOfLog(log);
  if (excess !== undefined) return excess;
  const { timestamp } = log;
  // The documents of the SDKs call it optional: then the time of arrival counts.
  if (timestamp === undefined || timestamp === null) return 'valid';
  const at = typeof timestamp === 'string' ? parseLogTime(timestamp) : undefined;
  if (at === undefined) return 'bad_timestamp';
  return at < oldest || at > latest ? 'dropped' : 'valid';
}

const MOST_SHOWN = 10;
export const SHOWN_LENGTH = 2000;

/** As much of something as a person needs to see what is invalid about it. */
export function showLog(log: unknown): string {
  if (typeof log === 'object' && log !== null && excessOfLog(log) === 'too_deep') return '';
  return (JSON.stringify(log, shorten) ?? '').slice(0, SHOWN_LENGTH);
}

/** Long texts would be written whole, only to be cut. */
const shorten = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > SHOWN_LENGTH ? value.slice(0, SHOWN_LENGTH) : value;

const word = (value: unknown): string => (typeof value === 'string' ? cutText(value, 100) : '');

function senderOf({ device }: Shown): Sender {
  const { sdkName, sdkVersion, appVersion, wrapperSdkName } = device as Shown;
  const wrapper = word(wrapperSdkName);
  return {
    sdk: wrapper ? `${word(sdkName)} (${wrapper})` : word(sdkName),
    sdkVersion: word(sdkVersion),
    appVersion: word(appVersion),
  };
}

/** Judges the logs of one request, one after the other. */
export function createJudge(now: number, oldestDays = LOGS_OLDEST_DAYS) {
  const window = { oldest: now - oldestDays * DAY, latest: now + LOGS_AHEAD_DAYS * DAY };
  const judged = { invalid: [] as InvalidLog[], invalidCount: 0, droppedCount: 0 };
  const reasons = new Set<InvalidReason>();
  let sender: Sender | undefined;

  /** Sets logs aside, of which the first is shown. */
  function setAside(reason: InvalidReason, show: () => string, count = 1): void {
    judged.invalidCount += count;
    reasons.add(reason);
    if (judged.invalid.length < MOST_SHOWN) judged.invalid.push({ reason, log: show() });
  }

  /** On its own, so that a valid log costs no closure. */
  const refuse = (reason: InvalidReason, log: unknown, count?: number): void =>
    setAside(reason, () => showLog(log), count);

  return {
    setAside,
    refuse,
    /** Says whether a log is kept. */
    keeps(log: unknown): log is Shown {
      const verdict = judge(log, window);
      if (verdict === 'valid') sender ??= senderOf(log as Shown);
      else if (verdict === 'dropped') judged.droppedCount += 1;
      else refuse(verdict, log);
      return verdict === 'valid';
    },
    result: () => ({ ...judged, reasons: [...reasons], sender }),
  };
}

/** Sorts the logs of a request into valid, invalid and dropped ones. */
export function judgeLogs(
  logs: readonly unknown[],
  now: number,
  { oldestDays, most = LOGS_MAX_PER_REQUEST }: { oldestDays?: number | undefined; most?: number | undefined } = {},
): Judged {
  const judge = createJudge(now, oldestDays);
  const types = new Set<string>();
  const count = Math.min(logs.length, most);
  let kept: unknown[] | undefined = count < logs.length ? [] : undefined;
  for (let at = 0; at < count; at += 1) {
    const log = logs[at];
    if (judge.keeps(log)) {
      types.add(log.type as string);
      kept?.push(log);
    } else kept ??= logs.slice(0, at);
  }
  if (count < logs.length) judge.refuse('too_many_logs', logs[count], logs.length - count);
  return { ...judge.result(), valid: kept ?? logs, types };
}
