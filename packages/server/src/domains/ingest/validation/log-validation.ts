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
import { cutText } from '../../../kernel/text/cut-text.ts';
import { parseLogTime } from './log-time.ts';

export type InvalidReason = (typeof invalidReasons)[number];

export interface InvalidLog {
  reason: InvalidReason;
  /** JSON, truncated. */
  log: string;
}

/** The known properties of the source of logs. */
export interface Source {
  sdk: string;
  sdkVersion: string;
  appVersion: string;
  /** Undefined for test logs of the console and the command line. */
  device?: { model: string; os: string } | undefined;
}

/** Result of one pass over the logs of a request. */
export interface ValidationResult {
  /** Valid logs; the original array if all are valid. */
  valid: readonly unknown[];
  /** Types of the valid logs. */
  types: ReadonlySet<string>;
  /** The first few invalid logs. */
  invalid: InvalidLog[];
  invalidCount: number;
  /** Reasons of all invalid logs, each once. */
  reasons: InvalidReason[];
  /** Too old or too far in the future. */
  droppedCount: number;
  source: Source | undefined;
}

/** Names of types of logs. */
export type LogTypes = ReadonlySet<unknown>;

const supportedTypes: LogTypes = new Set(logTypes);

type Verdict = 'valid' | 'dropped' | InvalidReason;

interface Window {
  oldest: number;
  latest: number;
}

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An exception with sixteen causes has about forty levels; consumers may recurse for each level. */
const MAX_DEPTH = 200;

type Excess = 'too_deep' | 'too_large';

/** Values counted so far in the current log. */
let counted = 0;

/** Walks through a value until it exceeds the allowed levels, keys or values. */
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
    const item = (value as Fields)[key];
    const excess = typeof item === 'object' && item !== null ? findExcess(item, levels - 1) : undefined;
    if (excess !== undefined) return excess;
  }
  counted += keys;
  return counted > LOG_MAX_VALUES ? 'too_large' : undefined;
}

function findLogExcess(log: object): Excess | undefined {
  counted = 0;
  return findExcess(log, MAX_DEPTH);
}

/** Checks only the fields that all logs share; consumers check the rest. */
function classifyLog(log: unknown, { oldest, latest }: Window, types: LogTypes): Verdict {
  if (!isObject(log)) return 'not_an_object';
  if (!types.has(log.type)) return 'unknown_type';
  if (!isObject(log.device)) return 'no_device';
  const excess = findLogExcess(log);
  if (excess !== undefined) return excess;
  const { timestamp } = log;
  // The SDK documentation calls it optional: then the arrival time counts.
  if (timestamp === undefined || timestamp === null) return 'valid';
  const at = typeof timestamp === 'string' ? parseLogTime(timestamp) : undefined;
  if (at === undefined) return 'bad_timestamp';
  return at < oldest || at > latest ? 'dropped' : 'valid';
}

const MAX_VISIBLE_LOGS = 10;
export const VISIBLE_LENGTH = 2000;

/** Returns the beginning of a log, enough to see why it is invalid. */
export function showLog(log: unknown): string {
  if (typeof log === 'object' && log !== null && findLogExcess(log) === 'too_deep') return '';
  return (JSON.stringify(log, shorten) ?? '').slice(0, VISIBLE_LENGTH);
}

/** Shortens long texts before serializing them. */
const shorten = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > VISIBLE_LENGTH ? value.slice(0, VISIBLE_LENGTH) : value;

const toShortText = (value: unknown): string => (typeof value === 'string' ? cutText(value, 100) : '');

function getSource({ device }: Fields): Source {
  const { sdkName, sdkVersion, appVersion, wrapperSdkName } = device as Fields;
  const wrapper = toShortText(wrapperSdkName);
  return {
    sdk: wrapper ? `${toShortText(sdkName)} (${wrapper})` : toShortText(sdkName),
    sdkVersion: toShortText(sdkVersion),
    appVersion: toShortText(appVersion),
    device: isTestSdk(sdkName) ? undefined : describeDevice(device as Fields),
  };
}

/** SDKs of this project only send test logs. */
const isTestSdk = (sdk: unknown): boolean => typeof sdk === 'string' && sdk.startsWith('mooring.');

/** A device by its model and operating system. */
export const describeDevice = ({ model, osName, osVersion }: Fields): { model: string; os: string } => ({
  model: toShortText(model),
  os: `${toShortText(osName)} ${toShortText(osVersion)}`.trim(),
});

/** Creates a validator for the logs of one request. */
export function createLogValidator(
  now: number,
  { oldestDays = LOGS_OLDEST_DAYS, types = supportedTypes }: { oldestDays?: number | undefined; types?: LogTypes } = {},
) {
  const window = { oldest: now - oldestDays * DAY, latest: now + LOGS_AHEAD_DAYS * DAY };
  const found = { invalid: [] as InvalidLog[], invalidCount: 0, droppedCount: 0 };
  const reasons = new Set<InvalidReason>();
  let source: Source | undefined;

  /** Records invalid logs, with the first as a sample. */
  function setAside(reason: InvalidReason, show: () => string, count = 1): void {
    found.invalidCount += count;
    reasons.add(reason);
    if (found.invalid.length < MAX_VISIBLE_LOGS) found.invalid.push({ reason, log: show() });
  }

  /** A separate function, so that valid logs create no closure. */
  const refuse = (reason: InvalidReason, log: unknown, count?: number): void =>
    setAside(reason, () => showLog(log), count);

  return {
    setAside,
    refuse,
    /** True if a log is valid; counts and samples it otherwise. */
    accepts(log: unknown): log is Fields {
      const verdict = classifyLog(log, window, types);
      if (verdict === 'valid') source ??= getSource(log as Fields);
      else if (verdict === 'dropped') found.droppedCount += 1;
      else refuse(verdict, log);
      return verdict === 'valid';
    },
    result: () => ({ ...found, reasons: [...reasons], source }),
  };
}

/** Sorts the logs of a request into valid, invalid and dropped ones. */
export function validateLogs(
  logs: readonly unknown[],
  now: number,
  {
    oldestDays,
    maxLogs = LOGS_MAX_PER_REQUEST,
  }: { oldestDays?: number | undefined; maxLogs?: number | undefined } = {},
): ValidationResult {
  const validator = createLogValidator(now, { oldestDays });
  const types = new Set<string>();
  const count = Math.min(logs.length, maxLogs);
  let valid: unknown[] | undefined = count < logs.length ? [] : undefined;
  for (let at = 0; at < count; at += 1) {
    const log = logs[at];
    if (validator.accepts(log)) {
      types.add(log.type as string);
      valid?.push(log);
    } else valid ??= logs.slice(0, at);
  }
  if (count < logs.length) validator.refuse('too_many_logs', logs[count], logs.length - count);
  return { ...validator.result(), valid: valid ?? logs, types };
}

const noLogs: ValidationResult = {
  valid: [],
  types: new Set(),
  invalid: [],
  invalidCount: 0,
  reasons: [],
  droppedCount: 0,
  source: undefined,
};

/** A body without a readable batch counts as one invalid log; only broken JSON is refused. */
export function validateBody(
  value: unknown,
  installId: string | undefined,
  now: number,
  options?: Parameters<typeof validateLogs>[2],
): ValidationResult & { count: number } {
  const logs: unknown = (value as { logs?: unknown } | null)?.logs;
  if (!Array.isArray(logs)) {
    const invalid = [{ reason: 'no_logs', log: showLog(value) } as const];
    return { ...noLogs, invalid, invalidCount: 1, reasons: ['no_logs'], count: 1 };
  }
  if (installId === undefined) {
    const invalid = logs.slice(0, 1).map((log) => ({ reason: 'no_install_id', log: showLog(log) }) as const);
    const reasons = invalid.map(({ reason }) => reason);
    return { ...noLogs, invalid, invalidCount: logs.length, reasons, count: logs.length };
  }
  return { ...validateLogs(logs, now, options), count: logs.length };
}
