import { hash } from 'node:crypto';
import { ENVELOPE_MAX_COUNTED_SESSIONS, ENVELOPE_MAX_SESSIONS, LOGS_MAX_PER_REQUEST } from '@mooring/contract';
import { badRequest } from '../../../kernel/errors.ts';
import { isTooDeep, parseJson } from '../../../kernel/text/json.ts';
import { isObject } from './envelope-reader.ts';
import { type EventLog, toEventLog } from './event-log.ts';
import { type FeedbackLog, type FeedbackType, isPicture, toFeedbackLog, toPictureLog } from './feedback-logs.ts';
import type { ItemCounts } from './item-counts.ts';
import { toLogEvents } from './log-items.ts';
import { type SentFile, takeCrashpadFiles } from './minidump-form.ts';
import type { Sdk } from './sentry-device.ts';
import {
  type Fields,
  findDrift,
  parseClient,
  parseSentryTime,
  toFields,
  toHexId,
  toText,
  UNKNOWN_INSTALL,
} from './sentry-values.ts';
import {
  type InstallLogs,
  identifySession,
  type SessionOptions,
  toCountedSessions,
  toSessionLogs,
} from './session-logs.ts';

const MAX_DEPTH = 200;

/** The content of an envelope, as logs by install. */
export interface EnvelopeLogs {
  eventId: string | undefined;
  /** In the `dsn` of the envelope header. */
  sent: { publicKey: string; projectId: string } | undefined;
  installs: InstallLogs[];
  /** Converted one at a time, because each needs several times its size. */
  attachments: { installId: string; toLog(): Fields }[];
  counts: ItemCounts;
  sdk: { name: string; version: string };
}

/** Items of an envelope, before they are converted. */
export interface Read {
  header: Fields;
  event: Uint8Array | undefined;
  sessions: Uint8Array[];
  counted: Uint8Array[];
  logs: Uint8Array[];
  attachments: SentFile[];
  feedback: { type: FeedbackType; bytes: Uint8Array }[];
  /** Also if the minidump itself was too large to be stored. */
  hasMinidump: boolean;
}

export const isMinidump = ({ header }: { header: Fields }): boolean => header.attachment_type === 'event.minidump';

/** Parses the payload of an item; undefined if it is not a JSON object. */
export function parsePayload(bytes: Uint8Array): Fields | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  if (isTooDeep(text, MAX_DEPTH)) return undefined;
  try {
    const value = parseJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function readDsn(value: unknown): EnvelopeLogs['sent'] {
  if (value === undefined || value === null) return undefined;
  const text = typeof value === 'string' && value.length <= 500 ? value : '';
  const [, publicKey, projectId] = /^https?:\/\/(\w+)(?::\w*)?@[^/]+\/(?:.*\/)?(\d+)\/?$/i.exec(text) ?? [];
  if (!publicKey || !projectId)
    throw badRequest('The dsn in the envelope header is not a DSN. Copy the DSN of the app.');
  return { publicKey: publicKey.toLowerCase(), projectId };
}

/** Crash reports recognize minidumps by their names. */
function nameAttachment(header: Fields): string {
  const name = toText(header.filename, 200) ?? 'attachment';
  return isMinidump({ header }) && !/\.dmp$/i.test(name) ? `${name}.dmp` : name;
}

const toAttachmentLog = (
  { header, bytes }: SentFile,
  { eventId, number, base }: { eventId: string; number: number; base: Fields },
): Fields => ({
  ...base,
  type: 'errorAttachment',
  // The same if the envelope is sent again.
  id: hash('md5', `${eventId} ${number} ${nameAttachment(header)}`, 'hex'),
  errorId: eventId,
  contentType: toText(header.content_type, 100) ?? 'application/octet-stream',
  fileName: nameAttachment(header),
  data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64'),
});

export interface EnvelopeOptions {
  /** The SDK in the credentials of the request. */
  client: string | undefined;
  now: number;
  /** Near the limit of the hour only events are stored. */
  onlyEvents: boolean;
}

/** The items, and what is known about all of them. */
interface Content {
  read: Read;
  counts: ItemCounts;
  sdk: Sdk;
  event: Fields | undefined;
  eventId: string | undefined;
  /** The install and ID of the last session. */
  installId: string | undefined;
  sessionId: string | undefined;
  drift: number;
  now: number;
}

function convertEvent({ read, counts, event, eventId, ...known }: Content): EventLog | undefined {
  if (!event || eventId === undefined) return undefined;
  counts.stored('event');
  return toEventLog(event, { ...known, eventId, hasMinidump: read.hasMinidump });
}

const convertFeedback = ({ read, counts, ...known }: Content): FeedbackLog[] =>
  read.feedback.flatMap(({ type, bytes }) => {
    const payload = parsePayload(bytes);
    const converted = payload && toFeedbackLog(type, payload, known);
    if (!converted) counts.dropped(type, 'invalid');
    else counts.stored(type);
    return converted ?? [];
  });

/** Without an event, the files of an envelope belong to its message. */
function convertFiles(
  { counts, eventId, installId, now }: Content,
  files: readonly SentFile[],
  { eventLog, message }: { eventLog: EventLog | undefined; message: FeedbackLog | undefined },
): EnvelopeLogs['attachments'] {
  const { timestamp, device } = eventLog?.log ?? {
    timestamp: new Date(now).toISOString(),
    device: { sdkName: 'sentry' },
  };
  return files.flatMap((file, number) => {
    if (message && !eventLog) {
      if (isPicture(file)) {
        counts.stored('attachment');
        return { installId: message.installId, toLog: () => toPictureLog(file, message, number) };
      }
      counts.dropped('attachment', 'not_supported');
      return [];
    }
    if (eventId === undefined) {
      counts.dropped('attachment', 'no_event');
      return [];
    }
    counts.stored('attachment');
    return {
      installId: eventLog?.installId ?? installId ?? UNKNOWN_INSTALL,
      toLog: () => toAttachmentLog(file, { eventId, number, base: { timestamp, device } }),
    };
  });
}

function convertSessions({ counts }: Content, sessions: readonly Fields[], options: SessionOptions): InstallLogs[] {
  return sessions.flatMap((session) => {
    const converted = toSessionLogs(session, options);
    if (converted) counts.stored('session');
    return converted ?? [];
  });
}

const countStarts = (installs: readonly InstallLogs[]): number =>
  installs.reduce((sum, { logs }) => sum + logs.filter(({ type }) => type === 'startSession').length, 0);

function convertCountedSessions({ read, counts }: Content, options: SessionOptions): InstallLogs[] {
  let left = ENVELOPE_MAX_COUNTED_SESSIONS;
  return read.counted.flatMap((bytes) => {
    const item = parsePayload(bytes);
    if (!item || !Array.isArray(item.aggregates)) {
      counts.dropped('sessions', 'invalid');
      return [];
    }
    // Two items with the same counts are different sessions, unless they were sent at the same moment.
    const identity = `${hash('md5', bytes, 'hex')} ${parseSentryTime(read.header.sent_at) ?? ''}`;
    const limits = { identity, mostAggregates: ENVELOPE_MAX_SESSIONS, mostSessions: left };
    const counted = toCountedSessions(item, limits, options);
    left -= countStarts(counted.installs);
    counts.stored('sessions');
    if (counted.omitted > 0) counts.dropped('session', 'too_many', counted.omitted);
    return counted.installs;
  });
}

function convertLogs({ read, counts, installId }: Content, options: SessionOptions): InstallLogs[] {
  let left = LOGS_MAX_PER_REQUEST;
  return read.logs.flatMap((bytes) => {
    const item = parsePayload(bytes);
    const converted = toLogEvents(item ?? {}, left, { ...options, installId });
    if (!item) counts.dropped('log', 'not_json');
    // Logs that cannot be stored take time, too.
    left -= converted.stored + converted.invalid;
    if (converted.stored > 0) counts.stored('log', converted.stored);
    if (converted.omitted > 0) counts.dropped('log', 'too_many', converted.omitted);
    if (converted.invalid > 0) counts.dropped('log', 'invalid', converted.invalid);
    return converted.installs;
  });
}

/** Converts the items that were read. */
export function convertEnvelope(read: Read, counts: ItemCounts, { client, now }: EnvelopeOptions): EnvelopeLogs {
  const { header } = read;
  const named = toFields(header.sdk);
  const known = parseClient(client);
  const sdk = { name: toText(named.name, 100) ?? known.name, version: toText(named.version, 50) ?? known.version };
  const drift = findDrift(header.sent_at, now);
  const parsed = read.event && parsePayload(read.event);
  if (read.event && !parsed) counts.dropped('event', 'not_json');
  // A minidump alone is a crash, too.
  const sentEvent = parsed ?? (read.hasMinidump ? { platform: 'native', level: 'fatal' } : undefined);
  const { event, files } = takeCrashpadFiles(sentEvent, read.attachments);
  const eventId =
    toHexId(header.event_id) ??
    toHexId(event?.event_id) ??
    (read.event && parsed ? hash('md5', read.event, 'hex') : undefined);
  const sessions = read.sessions.flatMap((bytes) => {
    const session = parsePayload(bytes);
    const identity = session && identifySession(session);
    if (!identity) counts.dropped('session', 'invalid');
    return session && identity ? [{ session, ...identity }] : [];
  });
  const { installId, sessionId } = sessions.at(-1) ?? {};
  const content: Content = { read, counts, sdk, event, eventId, installId, sessionId, drift, now };
  const eventLog = convertEvent(content);
  const feedback = convertFeedback(content);
  const attachments = convertFiles(content, files, { eventLog, message: feedback[0] });
  const options = { sdk, ofEvent: eventLog?.device, drift, now };
  const installs: InstallLogs[] = [
    ...(eventLog ? [{ installId: eventLog.installId, logs: [eventLog.log] }] : []),
    ...feedback.map(({ installId, log }) => ({ installId, logs: [log] })),
    ...convertSessions(
      content,
      sessions.map(({ session }) => session),
      options,
    ),
    ...convertCountedSessions(content, options),
    ...convertLogs(content, options),
  ];
  return { eventId, sent: readDsn(header.dsn), installs, attachments, counts, sdk };
}
