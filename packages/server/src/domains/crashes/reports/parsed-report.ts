import { hash } from 'node:crypto';
import type { Stack } from '../stacks/stack.ts';
import { readLogStack } from './log-stack.ts';
import { cut, type Fields, isObject, objectOf, textOf } from './values.ts';

/** A crash ended the app; an error was caught by it and told. */
export type ReportKind = 'crash' | 'error';

/** What a device says of itself with every log. */
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
  /** The version that was put over the air, if one was. */
  liveUpdate: string;
}

/** A log of a crash or an error, once it was read. */
export interface ParsedReport {
  kind: ReportKind;
  /** The id that the device gave it, or one that is made of what it says. */
  sentId: string;
  at: number;
  device: ReportDevice;
  userId: string | undefined;
  sessionId: string | undefined;
  launchedAt: number | undefined;
  properties: Record<string, string>;
  stack: Stack;
}

/** Nothing can be made of a log, and why. */
export class UnreadableLog extends Error {
  override name = 'UnreadableLog';
}

const MOST_PROPERTIES = 20;
const LONGEST_PROPERTY = 125;
const LONGEST_ID = 64;

const word = (value: unknown): string => textOf(value, 256)?.trim() ?? '';

function deviceOf(log: Fields): ReportDevice {
  const device = objectOf(log.device);
  return {
    version: word(device.appVersion),
    build: word(device.appBuild),
    model: word(device.model),
    oem: word(device.oemName),
    osName: word(device.osName),
    osVersion: word(device.osVersion),
    osBuild: word(device.osBuild),
    country: word(device.carrierCountry).toUpperCase(),
    language: word(device.locale).replaceAll('_', '-'),
    carrier: word(device.carrierName),
    screen: word(device.screenSize),
    isRooted: device.jailbreak === true,
    liveUpdate: word(device.liveUpdateReleaseLabel),
  };
}

function propertiesOf({ properties }: Fields): Record<string, string> {
  const kept: [string, string][] = [];
  for (const [name, value] of Object.entries(objectOf(properties))) {
    const text = textOf(value, LONGEST_PROPERTY);
    if (text !== undefined) kept.push([cut(name, LONGEST_PROPERTY), text]);
    if (kept.length === MOST_PROPERTIES) break;
  }
  return Object.fromEntries(kept);
}

/** What tells a log from others when it comes again; ids are UUIDs in either case. */
export function sentIdOf(log: Fields): string {
  const id = textOf(log.id, LONGEST_ID)?.trim().toLowerCase();
  if (id && /^[0-9a-z._-]+$/.test(id)) return id;
  return hash('sha256', JSON.stringify(log), 'hex').slice(0, 32);
}

const timeOf = (value: unknown): number | undefined => {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
};

/** Reads a log of a crash or an error. Throws what a person should know if nothing in it tells what went wrong. */
export function parseReport(type: string, at: number, log: Fields): ParsedReport {
  const stack = readLogStack(log);
  const says = stack.exceptions.some(({ type, message, frames }) => type || message || frames.length > 0);
  if (!says && stack.threads.every(({ frames }) => frames.length === 0)) {
    const what = isObject(log.exception) ? 'an exception without a type, a message or a frame' : 'no exception';
    throw new UnreadableLog(
      `The log of type ${type} has ${what} and no thread with frames, so it does not tell what went wrong.`,
    );
  }
  return {
    kind: type === 'handledError' || log.fatal === false ? 'error' : 'crash',
    sentId: sentIdOf(log),
    at,
    device: deviceOf(log),
    userId: textOf(log.userId, 256),
    sessionId: textOf(log.sid, LONGEST_ID)?.toLowerCase(),
    launchedAt: timeOf(log.appLaunchTimestamp),
    properties: propertiesOf(log),
    stack,
  };
}

/** What is known of a log that cannot be read, so that it can be kept. */
export const bareReport = (type: string, at: number, log: Fields): Omit<ParsedReport, 'stack'> => ({
  kind: type === 'handledError' ? 'error' : 'crash',
  sentId: sentIdOf(log),
  at,
  device: deviceOf(log),
  userId: textOf(log.userId, 256),
  sessionId: textOf(log.sid, LONGEST_ID)?.toLowerCase(),
  launchedAt: undefined,
  properties: propertiesOf(log),
});
