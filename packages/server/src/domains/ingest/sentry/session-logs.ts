import { hash } from 'node:crypto';
import { DAY } from '../../../kernel/clock.ts';
import { type LogDevice, readSessionDevice, type Sdk } from './sentry-device.ts';
import {
  type Fields,
  parseSentryTime,
  toFields,
  toHexId,
  toIsoTime,
  toText,
  toUuid,
  UNKNOWN_INSTALL,
} from './sentry-values.ts';

/** Logs of one install. */
export interface InstallLogs {
  installId: string;
  logs: Fields[];
}

export interface SessionOptions {
  sdk: Sdk;
  /** The device of the event in the same envelope. */
  ofEvent?: LogDevice | undefined;
  drift: number;
  now: number;
}

const findInstall = (did: unknown): string | undefined => {
  const text = toText(did);
  return text === undefined ? undefined : toUuid(text);
};

/** The install and the ID of a session, or undefined if it has no ID. */
export function identifySession(session: Fields): { installId: string | undefined; sessionId: string } | undefined {
  const sid = toHexId(session.sid);
  return sid === undefined ? undefined : { installId: findInstall(session.did), sessionId: toUuid(sid) };
}

/** Of a session; see `findEnd`. */
const MAX_DURATION = DAY;

/**
 * When a session ended, in epoch ms; undefined if it continues, or lasted implausibly long: some SDKs end a session that the
 * system killed at the next start of the app.
 */
function findEnd(session: Fields, start: number, drift: number): number | undefined {
  const { status = 'ok', duration, timestamp } = session;
  if (status === 'ok') return undefined;
  const seconds = typeof duration === 'number' ? duration : Number.NaN;
  const end = seconds >= 0 ? start + Math.round(seconds * 1000) : (parseSentryTime(timestamp) ?? Number.NaN) + drift;
  return end >= start && end - start <= MAX_DURATION ? end : undefined;
}

/** The start of a session and, if it crashed, its crash. Both count once per session, however often they are sent. */
const describe = (sid: string, timestamp: string, device: LogDevice, isCrashed: boolean): Fields[] => [
  { type: 'startSession', timestamp, sid, device },
  ...(isCrashed ? [{ type: 'sessionCrash', timestamp, sid, device }] : []),
];

/**
 * Converts an update of a session. Every update has the whole state, so a lost first one does not matter. Start and crash have
 * the time of the start, because the same session must not count on two days; the end measures how long it lasted.
 */
export function toSessionLogs(session: Fields, { sdk, ofEvent, drift, now }: SessionOptions): InstallLogs | undefined {
  const identity = identifySession(session);
  if (!identity) return undefined;
  const device = readSessionDevice(toFields(session.attrs), sdk, ofEvent);
  const { sessionId: sid, installId = UNKNOWN_INSTALL } = identity;
  const started = toIsoTime(session.started ?? session.timestamp, { drift, now });
  const logs = describe(sid, started, device, session.status === 'crashed');
  const end = findEnd(session, Date.parse(started), drift);
  if (end === undefined) return { installId, logs };
  return { installId, logs: [...logs, { type: 'sessionEnd', timestamp: new Date(end).toISOString(), sid, device }] };
}

const toCount = (value: unknown): number =>
  Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : 0;

export interface CountedSessions {
  installs: InstallLogs[];
  /** Sessions beyond the limits. */
  omitted: number;
}

/**
 * Converts counts of sessions, as servers send them. `identity` is the same whenever the item is sent again, and makes the IDs of
 * its sessions.
 */
export function toCountedSessions(
  item: Fields,
  { identity, mostAggregates, mostSessions }: { identity: string; mostAggregates: number; mostSessions: number },
  { sdk, drift, now }: SessionOptions,
): CountedSessions {
  const device = readSessionDevice(toFields(item.attrs), sdk, undefined);
  const aggregates = Array.isArray(item.aggregates) ? item.aggregates : [];
  const installs = new Map<string, Fields[]>();
  let left = mostSessions;
  let omitted = 0;
  for (const [index, value] of aggregates.entries()) {
    const { started, did, exited, errored, crashed, abnormal } = toFields(value);
    const [crashes, others] = [toCount(crashed), toCount(exited) + toCount(errored) + toCount(abnormal)];
    const taken = index < mostAggregates ? Math.min(left, crashes + others) : 0;
    omitted += crashes + others - taken;
    left -= taken;
    // A small item can list tens of thousands of empty counts.
    if (taken === 0) continue;
    const timestamp = toIsoTime(started, { drift, now });
    const installId = findInstall(did) ?? UNKNOWN_INSTALL;
    const logs = installs.get(installId) ?? [];
    installs.set(installId, logs);
    for (let number = 0; number < taken; number += 1) {
      const sid = toUuid(hash('md5', `${identity} ${index} ${number}`, 'hex'));
      logs.push(...describe(sid, timestamp, device, number < crashes));
    }
  }
  return { installs: [...installs].map(([installId, logs]) => ({ installId, logs })), omitted };
}
