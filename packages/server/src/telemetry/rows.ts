import { hash } from 'node:crypto';
import { cutText } from '../kernel/cut-text.ts';

/** One log as it is counted; short names, because millions of them are written as JSON on their way. */
export interface LogRow {
  /** Type. */
  k: string;
  /** Its own time, in ms. */
  t: number;
  /** Number of its sender. */
  d: number;
  /** What makes it the same log when it comes again, within its device. */
  x: string;
  /** Name of an event or a page. */
  n: string | null;
  u: string | null;
  p: Record<string, string> | null;
}

/** A device in a session, with what it says of itself in each log; the logs of a batch mostly share one. */
export interface SenderRow {
  /** Id of the install. */
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

/** The types that tell of how an app is used. Of an error only counts that it ended the app; what it says is others' matter. */
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
] as const;
const usage: ReadonlySet<unknown> = new Set(usageTypes);
const isUsage = (type: unknown): type is string => usage.has(type);

const MAX_ID = 64;
const MAX_NAME = 256;

/** How much of an event is kept. */
export interface RowLimits {
  nameLength: number;
  properties: number;
  propertyLength: number;
}

/** Where the SDKs cut; other senders may not. */
export const usualLimits: RowLimits = { nameLength: MAX_NAME, properties: 20, propertyLength: 125 };

/** How often each limit was passed. */
export type Cuts = Record<keyof RowLimits, number>;
export const noCuts = (): Cuts => ({ nameLength: 0, properties: 0, propertyLength: 0 });

/** Custom properties tell of the device, and have limits of their own. */
const MAX_CUSTOM_PROPERTIES = 60;
const MAX_CUSTOM_PROPERTY = 128;
export const UNKNOWN = 'unknown';

type Fields = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;

/** Ids have 36 characters. What is longer is told apart all the same, and what no file can hold is replaced. */
const idOf = (value: unknown): string | undefined => {
  const text = textOf(value)?.toLowerCase();
  return text !== undefined && text.length > MAX_ID ? hash('md5', text, 'hex') : text && cutText(text, MAX_ID);
};

const known = (value: unknown): string => {
  const text = textOf(value)?.trim();
  return text ? cutText(text, MAX_NAME) : UNKNOWN;
};

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Ids are UUIDs in either case; what is none becomes one. */
export function toUuid(id: string): string {
  const lower = id.toLowerCase();
  return uuid.test(lower) ? lower : hash('md5', lower, 'hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** The same text for the same content, in whatever order its keys came. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`;
}

/** A log that comes again has the same key; none may be "an id or nothing", or all without one would be the same. */
function keyOf(type: string, log: Fields, name: string | null): string {
  const id = type === 'event' || type === 'crash' ? idOf(log.id) : undefined;
  if (id) return `${type}\n${id}`;
  const session =
    type === 'startSession' || type === 'distributionStartSession' || type === 'page' ? idOf(log.sid) : '';
  if (session) return type === 'page' ? [type, session, idOf(log.timestamp), name].join('\n') : `${type}\n${session}`;
  return [type, idOf(log.timestamp), hash('md5', canonical(log), 'hex')].join('\n');
}

/** Values of a typed list win over those of a plain map. Custom properties keep their type in front of the value. */
function propertiesOf(type: string, log: Fields, limits: RowLimits, cuts: Cuts): Record<string, string> | null {
  const isCustom = type === 'customProperties';
  const most = isCustom ? MAX_CUSTOM_PROPERTIES : limits.properties;
  const longest = isCustom ? MAX_CUSTOM_PROPERTY : limits.propertyLength;
  const kept: [string, string][] = [];
  /** Says whether there is room for more. */
  const keep = (name: unknown, value: unknown, kind: unknown): boolean => {
    const [key, text] = [textOf(name), textOf(value)];
    if (key === undefined || text === undefined) return true;
    if (kept.length >= most) {
      cuts.properties += 1;
      return false;
    }
    if (key.length > longest || text.length > longest) cuts.propertyLength += 1;
    const prefix = isCustom ? `${cutText(textOf(kind) ?? '', 16)}:` : '';
    kept.push([cutText(key, longest), `${prefix}${cutText(text, longest)}`]);
    return true;
  };
  const { typedProperties, properties } = log;
  const list = Array.isArray(typedProperties) ? typedProperties : properties;
  if (Array.isArray(list)) {
    for (const one of list) {
      if (isObject(one) && !keep(one.name, isCustom ? (one.value ?? '') : one.value, one.type)) break;
    }
  } else if (isObject(list)) {
    for (const [name, value] of Object.entries(list)) if (!keep(name, value, undefined)) break;
  }
  return kept.length > 0 ? Object.fromEntries(kept) : null;
}

/** Of what a log says, all that tells who sent it. */
export function toSenderRow(installId: string, log: object): SenderRow {
  const { sid, device: value } = log as Fields;
  const device = isObject(value) ? value : {};
  const country = known(device.carrierCountry);
  return {
    i: toUuid(installId),
    s: idOf(sid) || null,
    v: known(device.appVersion),
    b: known(device.appBuild),
    c: country === UNKNOWN ? country : country.toUpperCase(),
    m: known(device.model),
    e: known(device.oemName),
    o: known([device.osName, device.osVersion].map((part) => textOf(part) ?? '').join(' ')),
    l: known(device.locale).replaceAll('_', '-'),
    a: known(device.carrierName),
    z: known(device.screenSize),
    g: known(device.osApiLevel),
  };
}

/** Whether two logs of an install have the same sender, so that one is converted for both. */
export const isSameSender = (one: object, other: object): boolean =>
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

/** A log as it is counted, or nothing if its type tells nothing of the use of an app. */
export function toRow(
  d: number,
  { at, value: log, isForgotten = false }: { at: number; value: object; isForgotten?: boolean },
  limits = usualLimits,
  cuts = noCuts(),
): LogRow | undefined {
  if (!isObject(log) || !isUsage(log.type)) return undefined;
  const isError = log.type === 'managedError' || log.type === 'appleError';
  if (isError && log.fatal === false) return undefined;
  const type = isError ? 'crash' : log.type;
  const isNamed = type === 'event' || type === 'page';
  const given = isNamed ? (textOf(log.name) ?? '') : null;
  const name = given && cutText(given, limits.nameLength);
  const x = keyOf(type, log, name);
  // What comes again stays forgotten, by its key.
  if (isForgotten) return { k: 'forgotten', t: at, d, x, n: null, u: null, p: null };
  if (given !== null && given.length > limits.nameLength) cuts.nameLength += 1;
  return {
    k: type,
    t: at,
    d,
    x,
    n: name,
    u: textOf(log.userId) === undefined ? null : cutText(String(log.userId), MAX_NAME),
    p: isError ? null : propertiesOf(type, log, limits, cuts),
  };
}
