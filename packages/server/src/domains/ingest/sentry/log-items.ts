import { hash } from 'node:crypto';
import { type LogDevice, readLogDevice, type Sdk } from './sentry-device.ts';
import { type Fields, toFields, toIsoTime, toText, toUuid, UNKNOWN_INSTALL } from './sentry-values.ts';
import type { InstallLogs } from './session-logs.ts';

export interface LogItemOptions {
  sdk: Sdk;
  /** The install of the sessions in the same envelope. */
  installId?: string | undefined;
  drift: number;
  now: number;
}

/** Attributes that become fields of the event instead of its properties. */
const ownAttributes = /^(?:sentry\.(?:message\.|sdk\.|origin$|release$|trace)|user\.|device\.|os\.)/;
/** Events have 20 properties; two more are of the log itself. */
const MAX_PROPERTIES = 18;

/** Attributes have a value and its type; old SDKs send the value alone. */
const readAttributes = (value: unknown): Fields =>
  Object.fromEntries(
    Object.entries(toFields(value)).map(([name, one]) => [name, typeof one === 'object' ? toFields(one).value : one]),
  );

function toEvent(item: Fields, { sdk, installId, drift, now }: LogItemOptions, number: number) {
  const attributes = readAttributes(item.attributes);
  const body = toText(item.body, 1000) ?? '';
  const template = toText(attributes['sentry.message.template']);
  const name = template ?? body;
  if (name === '') return undefined;
  const userId = toText(attributes['user.id']) ?? toText(attributes['user.email']) ?? toText(attributes['user.name']);
  const install = installId ?? (userId === undefined ? UNKNOWN_INSTALL : toUuid(userId));
  const device: LogDevice = readLogDevice(attributes, sdk);
  const timestamp = toIsoTime(item.timestamp, { drift, now });
  const others = Object.entries(attributes).flatMap(([key, value]) => {
    const text = ownAttributes.test(key) ? undefined : toText(value);
    return text === undefined ? [] : [[key.slice(0, 125), text] as const];
  });
  const log = {
    type: 'event',
    // Logs have no ID; the same one that is sent again gets the same.
    id: toUuid(hash('md5', JSON.stringify([item.trace_id, item.timestamp, body, number]), 'hex')),
    timestamp,
    name: name.slice(0, 256),
    ...(userId === undefined || toUuid(userId) === install ? {} : { userId }),
    properties: Object.fromEntries([
      ['level', toText(item.level, 20) ?? 'info'],
      ...(template === undefined || template === body ? [] : [['message', body]]),
      ...others.slice(0, MAX_PROPERTIES),
    ]),
    device,
  };
  return { install, log };
}

/** Converts an item with structured logs: each is an event with its attributes as properties. */
export function toLogEvents(
  item: Fields,
  mostLogs: number,
  options: LogItemOptions,
): { installs: InstallLogs[]; stored: number; omitted: number; invalid: number } {
  const all = Array.isArray(item.items) ? item.items : [];
  const converted = all.slice(0, mostLogs).flatMap((one, at) => toEvent(toFields(one), options, at) ?? []);
  const byInstall = Map.groupBy(converted, ({ install }) => install);
  const taken = Math.min(all.length, mostLogs);
  return {
    installs: [...byInstall].map(([installId, some]) => ({ installId, logs: some.map(({ log }) => log) })),
    stored: converted.length,
    omitted: all.length - taken,
    invalid: taken - converted.length,
  };
}
