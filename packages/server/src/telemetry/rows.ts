import { hash } from 'node:crypto';
import { cutText } from '../kernel/text/cut-text.ts';

/** A log for counting. Names are short, because millions of rows are written as JSON. */
export interface LogRow {
  /** Type. */
  k: string;
  /** Time of the log, in ms. */
  t: number;
  /** Number of its source. */
  d: number;
  /** Key of the log within its device, which detects duplicates. */
  x: string;
  /** Name of an event or a page. */
  n: string | null;
  u: string | null;
  p: Record<string, string> | null;
}

/** A device in a session, with its properties. Most logs of a batch share one. */
export interface SourceRow {
  /** ID of the installation. */
  i: string;
  /** Session. */
  s: string | null;
  v: string;
  b: string;
  c: string;
  m: string;
  e: string;
  o: string;
  l: string;
  a: string;
  z: string;
  g: string;
}

/** Types of logs about the usage of an app. Errors count only if they ended the app; `crashes` reads their content. */
export const usageTypes = [
  'startSession',
  'page',
  'event',
  'startService',
  'distributionStartSession',
  'customProperties',
  'pushInstallation',
  'managedError',
  'appleError',
  'sessionCrash',
  'sessionEnd',
] as const;
const usage: ReadonlySet<unknown> = new Set(usageTypes);
const isUsage = (type: unknown): type is string => usage.has(type);

const MAX_ID = 64;
const MAX_NAME = 256;

/** Limits of an event. */
export interface RowLimits {
  nameLength: number;
  properties: number;
  propertyLength: number;
}

/** Limits of the SDKs; other clients may send more. */
export const usualLimits: RowLimits = { nameLength: MAX_NAME, properties: 20, propertyLength: 125 };

/** How often each limit was exceeded. */
export type Cuts = Record<keyof RowLimits, number>;
export const noCuts = (): Cuts => ({ nameLength: 0, properties: 0, propertyLength: 0 });

/** Custom properties describe the device, and have their own limits. */
const MAX_CUSTOM_PROPERTIES = 60;
const MAX_CUSTOM_PROPERTY = 128;
export const UNKNOWN = 'unknown';

type Fields = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const toText = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;

/** Normalizes an ID, which normally has 36 characters. Longer ones are hashed, so that they stay distinct. */
const toId = (value: unknown): string | undefined => {
  const text = toText(value)?.toLowerCase();
  return text !== undefined && text.length > MAX_ID ? hash('md5', text, 'hex') : text && cutText(text, MAX_ID);
};

const toTextOrUnknown = (value: unknown): string => {
  const text = toText(value)?.trim();
  return text ? cutText(text, MAX_NAME) : UNKNOWN;
};

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Converts an ID to a UUID: one in lower case, or a hash. */
export function toUuid(id: string): string {
  const lower = id.toLowerCase();
  return uuid.test(lower) ? lower : hash('md5', lower, 'hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Serializes content independently of the order of keys. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`;
}

/**
 * Key of a log; the same if the log is sent again. Logs without an ID need a hash, because otherwise all of them would
 * have the same key.
 */
function buildKey(type: string, log: Fields, name: string | null): string {
  const id = type === 'event' || type === 'crash' ? toId(log.id) : undefined;
  if (id) return `${type}\n${id}`;
  const session =
    type === 'startSession' || type === 'distributionStartSession' || type === 'page' ? toId(log.sid) : '';
  if (session) return type === 'page' ? [type, session, toId(log.timestamp), name].join('\n') : `${type}\n${session}`;
  return [type, toId(log.timestamp), hash('md5', canonical(log), 'hex')].join('\n');
}

/**
 * Reads properties. A list of typed ones takes precedence over a plain map. Custom properties are stored with their
 * type as a prefix.
 */
function readProperties(type: string, log: Fields, limits: RowLimits, cuts: Cuts): Record<string, string> | null {
  const isCustom = type === 'customProperties';
  const most = isCustom ? MAX_CUSTOM_PROPERTIES : limits.properties;
  const longest = isCustom ? MAX_CUSTOM_PROPERTY : limits.propertyLength;
  const entries: [string, string][] = [];
  /** Returns false if the limit is reached. */
  const add = (name: unknown, value: unknown, kind: unknown): boolean => {
    const [key, text] = [toText(name), toText(value)];
    if (key === undefined || text === undefined) return true;
    if (entries.length >= most) {
      cuts.properties += 1;
      return false;
    }
    if (key.length > longest || text.length > longest) cuts.propertyLength += 1;
    const prefix = isCustom ? `${cutText(toText(kind) ?? '', 16)}:` : '';
    entries.push([cutText(key, longest), `${prefix}${cutText(text, longest)}`]);
    return true;
  };
  const { typedProperties, properties } = log;
  const list = Array.isArray(typedProperties) ? typedProperties : properties;
  if (Array.isArray(list)) {
    for (const one of list) {
      if (isObject(one) && !add(one.name, isCustom ? (one.value ?? '') : one.value, one.type)) break;
    }
  } else if (isObject(list)) {
    for (const [name, value] of Object.entries(list)) if (!add(name, value, undefined)) break;
  }
  return entries.length > 0 ? Object.fromEntries(entries) : null;
}

/** Source of a log: its session and device. */
export function toSourceRow(installId: string, log: object): SourceRow {
  const { sid, device: value } = log as Fields;
  const device = isObject(value) ? value : {};
  const country = toTextOrUnknown(device.carrierCountry);
  return {
    i: toUuid(installId),
    s: toId(sid) || null,
    v: toTextOrUnknown(device.appVersion),
    b: toTextOrUnknown(device.appBuild),
    c: country === UNKNOWN ? country : country.toUpperCase(),
    m: toTextOrUnknown(device.model),
    e: toTextOrUnknown(device.oemName),
    o: toTextOrUnknown([device.osName, device.osVersion].map((part) => toText(part) ?? '').join(' ')),
    l: toTextOrUnknown(device.locale).replaceAll('_', '-'),
    a: toTextOrUnknown(device.carrierName),
    z: toTextOrUnknown(device.screenSize),
    g: toTextOrUnknown(device.osApiLevel),
  };
}

/** True if two logs of an installation have the same source, so that it is converted once. */
export const isSameSource = (one: object, other: object): boolean =>
  (one as Fields).sid === (other as Fields).sid && isSameDevice((one as Fields).device, (other as Fields).device);

function isSameDevice(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!isObject(one) || !isObject(other)) return false;
  let count = 0;
  for (const key in one) {
    if (one[key] !== other[key]) return false;
    count += 1;
  }
  for (const _key in other) count -= 1;
  return count === 0;
}

/** Converts a log for counting; undefined if its type is not about the usage of an app. */
export function toRow(
  d: number,
  { at, value: log, isErased = false }: { at: number; value: object; isErased?: boolean },
  limits = usualLimits,
  cuts = noCuts(),
): LogRow | undefined {
  if (!isObject(log) || !isUsage(log.type)) return undefined;
  const isError = log.type === 'managedError' || log.type === 'appleError';
  if (isError && log.fatal === false) return undefined;
  // Sentry SDKs report unhandled errors of apps that live on; their sessions say which ones crashed.
  if (isError && isObject(log.sentry)) return undefined;
  const isSessionCrash = log.type === 'sessionCrash';
  const type = isError || isSessionCrash ? 'crash' : log.type;
  const isNamed = type === 'event' || type === 'page';
  const sentName = isNamed ? (toText(log.name) ?? '') : null;
  const name = sentName && cutText(sentName, limits.nameLength);
  const x = buildKey(type, isSessionCrash ? { id: log.sid } : log, name);
  // Keeps the key, so that a log that is sent again stays erased.
  if (isErased) return { k: 'forgotten', t: at, d, x, n: null, u: null, p: null };
  if (sentName !== null && sentName.length > limits.nameLength) cuts.nameLength += 1;
  return {
    k: type,
    t: at,
    d,
    x,
    n: name,
    u: toText(log.userId) === undefined ? null : cutText(String(log.userId), MAX_NAME),
    p: type === 'crash' ? null : readProperties(type, log, limits, cuts),
  };
}
