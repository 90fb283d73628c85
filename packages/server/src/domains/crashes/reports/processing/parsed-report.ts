import { hash } from 'node:crypto';
import type { Kind } from '../../crashes.tables.ts';
import type { Stack } from '../../stacks/stack.ts';
import { cut, type Fields, isObject, toObject, toText } from '../values.ts';
import { readLogStack } from './log-stack.ts';
import { getSentryEvent, readSentryStack } from './sentry-stack.ts';

/** A crash ended the app; an error was caught and reported by it; in a hang, the app did not respond. */
export type ReportKind = Kind;

/** Device properties of a log. */
export interface ReportDevice {
  version: string;
  build: string;
  model: string;
  oem: string;
  osName: string;
  osVersion: string;
  osBuild: string;
  country: string;
  language: string;
  carrier: string;
  screen: string;
  isRooted: boolean;
  /** The version of an over-the-air update, if any. */
  liveUpdate: string;
}

/** The content of a crash or error log. */
export interface ParsedReport {
  kind: ReportKind;
  /** ID that the device created, or one derived from the content. */
  sentId: string;
  at: number;
  device: ReportDevice;
  userId: string | undefined;
  sessionId: string | undefined;
  launchedAt: number | undefined;
  properties: Record<string, string>;
  stack: Stack;
}

/** A log that can't be parsed; the message is the reason. */
export class UnreadableLog extends Error {
  override name = 'UnreadableLog';
}

const MAX_PROPERTIES = 20;
const MAX_PROPERTY_LENGTH = 125;
const MAX_ID_LENGTH = 64;

const toTrimmedText = (value: unknown): string => toText(value, 256)?.trim() ?? '';

function parseDevice(log: Fields): ReportDevice {
  const device = toObject(log.device);
  return {
    version: toTrimmedText(device.appVersion),
    build: toTrimmedText(device.appBuild),
    model: toTrimmedText(device.model),
    oem: toTrimmedText(device.oemName),
    osName: toTrimmedText(device.osName),
    osVersion: toTrimmedText(device.osVersion),
    osBuild: toTrimmedText(device.osBuild),
    country: toTrimmedText(device.carrierCountry).toUpperCase(),
    language: toTrimmedText(device.locale).replaceAll('_', '-'),
    carrier: toTrimmedText(device.carrierName),
    screen: toTrimmedText(device.screenSize),
    isRooted: device.jailbreak === true,
    liveUpdate: toTrimmedText(device.liveUpdateReleaseLabel),
  };
}

function parseProperties({ properties }: Fields): Record<string, string> {
  const entries: [string, string][] = [];
  for (const [name, value] of Object.entries(toObject(properties))) {
    const text = toText(value, MAX_PROPERTY_LENGTH);
    if (text !== undefined) entries.push([cut(name, MAX_PROPERTY_LENGTH), text]);
    if (entries.length === MAX_PROPERTIES) break;
  }
  return Object.fromEntries(entries);
}

/** Identifies repeated logs; UUIDs may be in either case. */
export function getSentId(log: Fields): string {
  const id = toText(log.id, MAX_ID_LENGTH)?.trim().toLowerCase();
  if (id && /^[0-9a-z._-]+$/.test(id)) return id;
  return hash('sha256', JSON.stringify(log), 'hex').slice(0, 32);
}

const parseTime = (value: unknown): number | undefined => {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
};

function readKind(type: string, log: Fields): ReportKind {
  if (log.isHang === true && getSentryEvent(log)) return 'hang';
  return type === 'handledError' || log.fatal === false ? 'error' : 'crash';
}

/** Parses a log of a crash or an error. Throws an error for users if it contains neither. */
export function parseReport(type: string, at: number, log: Fields): ParsedReport {
  const event = getSentryEvent(log);
  const stack = event ? readSentryStack(log, event) : readLogStack(log);
  const says = stack.exceptions.some(({ type, message, frames }) => type || message || frames.length > 0);
  if (!says && stack.threads.every(({ frames }) => frames.length === 0)) {
    const what = isObject(log.exception) ? 'an exception without a type, a message or a frame' : 'no exception';
    throw new UnreadableLog(
      `The log of type ${type} has ${what} and no thread with frames, so it describes no crash or error.`,
    );
  }
  return {
    kind: readKind(type, log),
    sentId: getSentId(log),
    at,
    device: parseDevice(log),
    userId: toText(log.userId, 256),
    sessionId: toText(log.sid, MAX_ID_LENGTH)?.toLowerCase(),
    launchedAt: parseTime(log.appLaunchTimestamp),
    properties: parseProperties(log),
    stack,
  };
}

/** Known properties of a log that can't be parsed, so that it can be stored. */
export const bareReport = (type: string, at: number, log: Fields): Omit<ParsedReport, 'stack'> => ({
  kind: readKind(type, log),
  sentId: getSentId(log),
  at,
  device: parseDevice(log),
  userId: toText(log.userId, 256),
  sessionId: toText(log.sid, MAX_ID_LENGTH)?.toLowerCase(),
  launchedAt: undefined,
  properties: parseProperties(log),
});
