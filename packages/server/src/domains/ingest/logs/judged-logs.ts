import { type invalidReasons, LOGS_AHEAD_DAYS, LOGS_OLDEST_DAYS, logTypes } from '@mooring/contract';
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

function isDeeper(value: object, levels: number): boolean {
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object' && item !== null && isDeeper(item, levels - 1)) return true;
    return false;
  }
  for (const key in value) {
    const item = (value as Shown)[key];
    if (typeof item === 'object' && item !== null && isDeeper(item, levels - 1)) return true;
  }
  return false;
}

/** Nothing is asked of a log but what all of them have; the rest is for those who take it. */
function judge(log: unknown, { oldest, latest }: Window): Verdict {
  if (!isObject(log)) return 'not_an_object';
  if (!known.has(log.type)) return 'unknown_type';
  if (!isObject(log.device)) return 'no_device';
  if (isDeeper(log, MAX_DEPTH)) return 'too_deep';
  const { timestamp } = log;
  // The documents of the SDKs call it optional: then the time of arrival counts.
  if (timestamp === undefined || timestamp === null) return 'valid';
  const at = typeof timestamp === 'string' ? parseLogTime(timestamp) : undefined;
  if (at === undefined) return 'bad_timestamp';
  return at < oldest || at > latest ? 'dropped' : 'valid';
}

const MOST_SHOWN = 10;
const SHOWN_LENGTH = 2000;

/** As much of something as a person needs to see what is invalid about it. */
export function showLog(log: unknown): string {
  if (typeof log === 'object' && log !== null && isDeeper(log, MAX_DEPTH)) return '';
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

/** What is kept, what is set aside, and what is dropped, of the logs of one request that comes now. */
export function judgeLogs(logs: readonly unknown[], now: number, oldestDays = LOGS_OLDEST_DAYS): Judged {
  const window = { oldest: now - oldestDays * DAY, latest: now + LOGS_AHEAD_DAYS * DAY };
  const judged = { invalid: [] as InvalidLog[], invalidCount: 0, droppedCount: 0 };
  const types = new Set<string>();
  let kept: unknown[] | undefined;
  let sender: Sender | undefined;
  for (let at = 0; at < logs.length; at += 1) {
    const log = logs[at];
    const verdict = judge(log, window);
    if (verdict === 'valid') {
      sender ??= senderOf(log as Shown);
      types.add((log as Shown).type as string);
      kept?.push(log);
      continue;
    }
    kept ??= logs.slice(0, at);
    if (verdict === 'dropped') judged.droppedCount += 1;
    else {
      judged.invalidCount += 1;
      if (judged.invalid.length < MOST_SHOWN) judged.invalid.push({ reason: verdict, log: showLog(log) });
    }
  }
  return { ...judged, valid: kept ?? logs, types, sender };
}
