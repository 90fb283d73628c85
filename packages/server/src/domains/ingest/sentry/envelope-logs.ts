import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import {
  ENVELOPE_MAX_COUNTED_SESSIONS,
  ENVELOPE_MAX_ITEMS,
  ENVELOPE_MAX_SESSIONS,
  LOGS_MAX_PER_REQUEST,
  SENTRY_EVENT_MAX_BYTES,
} from '@mooring/contract';
import { badRequest } from '../../../kernel/errors.ts';
import { inflateChunks, type SentBytes } from '../../../kernel/files/inflate.ts';
import { isTooDeep, parseJson } from '../../../kernel/text/json.ts';
import { EnvelopeReader, isObject } from './envelope-reader.ts';
import { type EventLog, toEventLog } from './event-log.ts';
import { type FeedbackType, isFeedbackType, isPicture, toFeedbackLog, toPictureLog } from './feedback-logs.ts';
import { createItemCounts, type ItemCounts, nameItem } from './item-counts.ts';
import { toLogEvents } from './log-items.ts';
import { readMinidumpForm, type SentFile, takeCrashpadFiles } from './minidump-form.ts';
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
import { type InstallLogs, identifySession, toCountedSessions, toSessionLogs } from './session-logs.ts';

const MIB = 1024 * 1024;

/** Crash reports have the same limit. */
const ATTACHMENT_MAX_BYTES = 7 * MIB;
/** Of all attachments of an envelope: they are in memory until the request is stored. */
const ATTACHMENTS_MAX_BYTES = 16 * MIB;
const MAX_ATTACHMENTS = 20;
/** SDKs send one message at a time. */
const MAX_FEEDBACK = 10;
const SMALL_ITEM_BYTES = 256 * 1024;
const SESSION_MAX_BYTES = 16 * 1024;
/** Of all sessions of an envelope. */
const SESSIONS_MAX_BYTES = 4 * MIB;
/** Bytes that are read before other work gets a turn. */
const READ_AT_ONCE = 1024 * 1024;
/** Of all items with logs in an envelope. */
const LOGS_MAX_BYTES = 4 * MIB;
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
interface Read {
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

const maxBytesByType: Readonly<Record<string, number>> = {
  event: SENTRY_EVENT_MAX_BYTES,
  session: SESSION_MAX_BYTES,
  sessions: SMALL_ITEM_BYTES,
  client_report: SMALL_ITEM_BYTES,
  attachment: ATTACHMENT_MAX_BYTES,
  feedback: SMALL_ITEM_BYTES,
  user_report: SMALL_ITEM_BYTES,
  log: MIB,
};

const isMinidump = ({ header }: { header: Fields }): boolean => header.attachment_type === 'event.minidump';

const limitedTypes: ReadonlySet<string> = new Set(['session', 'sessions', 'log', 'attachment']);

/** A minidump is the only description of its crash. */
const isLimited = (type: string, header: Fields): boolean => limitedTypes.has(type) && !isMinidump({ header });

/** Parses the payload of an item; undefined if it is not a JSON object. */
function parsePayload(bytes: Uint8Array): Fields | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  if (isTooDeep(text, MAX_DEPTH)) return undefined;
  try {
    const value = parseJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the items, and keeps those that are stored. */
async function readItems(body: SentBytes, counts: ItemCounts, onlyEvents: boolean): Promise<Read> {
  const read: Omit<Read, 'header'> = {
    event: undefined,
    sessions: [],
    counted: [],
    logs: [],
    attachments: [],
    feedback: [],
    hasMinidump: false,
  };
  let attached = 0;
  let inSessions = 0;
  let inLogs = 0;
  const reader = new EnvelopeReader({
    maxItems: ENVELOPE_MAX_ITEMS,
    getMaxBytes(type) {
      const most = Object.hasOwn(maxBytesByType, type) ? (maxBytesByType[type] ?? 0) : 0;
      if (type === 'attachment') return Math.min(most, ATTACHMENTS_MAX_BYTES - attached);
      if (type === 'log') return Math.min(most, LOGS_MAX_BYTES - inLogs);
      return type === 'session' || type === 'sessions' ? Math.min(most, SESSIONS_MAX_BYTES - inSessions) : most;
    },
    onItem({ type, header, payload }) {
      const name = nameItem(type);
      if (type === 'attachment' && isMinidump({ header })) read.hasMinidump = true;
      if (!Object.hasOwn(maxBytesByType, type)) counts.dropped(name, 'not_supported');
      else if (onlyEvents && isLimited(type, header)) counts.dropped(name, 'rate_limited');
      else if (!payload) counts.dropped(name, 'too_large');
      else if (type === 'event') {
        // A second one is not an envelope of an SDK; the first one counts.
        if (read.event) counts.dropped(name, 'second_event');
        else read.event = payload;
      } else if (type === 'session') {
        inSessions += payload.length;
        if (read.sessions.length < ENVELOPE_MAX_SESSIONS) read.sessions.push(payload);
        else counts.dropped(name, 'too_many');
      } else if (type === 'sessions') {
        inSessions += payload.length;
        read.counted.push(payload);
      } else if (isFeedbackType(type)) {
        if (read.feedback.length < MAX_FEEDBACK) read.feedback.push({ type, bytes: payload });
        else counts.dropped(name, 'too_many');
      } else if (type === 'log') {
        inLogs += payload.length;
        read.logs.push(payload);
      } else if (type === 'client_report') {
        counts.stored(name);
        counts.takeReport(parsePayload(payload));
      } else if (read.attachments.length < MAX_ATTACHMENTS) {
        attached += payload.length;
        read.attachments.push({ header, bytes: payload });
      } else counts.dropped(name, 'too_many');
    },
  });
  let unread = 0;
  for await (const chunk of inflateChunks(body)) {
    for (let at = 0; at < chunk.length; at += READ_AT_ONCE) {
      const part = chunk.subarray(at, at + READ_AT_ONCE);
      reader.push(part);
      unread += part.length;
      if (unread < READ_AT_ONCE) continue;
      unread = 0;
      await setImmediate();
    }
  }
  reader.end();
  if (reader.isCut) counts.dropped('unknown', 'too_many');
  return { ...read, header: reader.header ?? {} };
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

/** Converts the items that were read. */
function convert(read: Read, counts: ItemCounts, { client, now }: EnvelopeOptions): EnvelopeLogs {
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
  const current = sessions.at(-1);
  const installs: InstallLogs[] = [];
  const attachments: EnvelopeLogs['attachments'] = [];
  let eventLog: EventLog | undefined;
  if (event && eventId !== undefined) {
    eventLog = toEventLog(event, {
      eventId,
      sdk,
      installId: current?.installId,
      sessionId: current?.sessionId,
      hasMinidump: read.hasMinidump,
      drift,
      now,
    });
    installs.push({ installId: eventLog.installId, logs: [eventLog.log] });
    counts.stored('event');
  }
  const feedback = read.feedback.flatMap(({ type, bytes }) => {
    const payload = parsePayload(bytes);
    const of = { eventId, sdk, installId: current?.installId, sessionId: current?.sessionId, drift, now };
    const converted = payload && toFeedbackLog(type, payload, of);
    if (!converted) counts.dropped(type, 'invalid');
    else counts.stored(type);
    return converted ?? [];
  });
  for (const { installId, log } of feedback) installs.push({ installId, logs: [log] });
  const [message] = feedback;
  for (const [number, attachment] of files.entries()) {
    // Without an event, the files of an envelope belong to its message.
    if (message && !eventLog) {
      if (isPicture(attachment)) {
        const { installId } = message;
        attachments.push({ installId, toLog: () => toPictureLog(attachment, message, number) });
        counts.stored('attachment');
      } else counts.dropped('attachment', 'not_supported');
    } else if (eventId === undefined) counts.dropped('attachment', 'no_event');
    else {
      const { timestamp, device } = eventLog?.log ?? {
        timestamp: new Date(now).toISOString(),
        device: { sdkName: 'sentry' },
      };
      const installId = eventLog?.installId ?? current?.installId ?? UNKNOWN_INSTALL;
      const of = { eventId, number, base: { timestamp, device } };
      attachments.push({ installId, toLog: () => toAttachmentLog(attachment, of) });
      counts.stored('attachment');
    }
  }
  const options = { sdk, ofEvent: eventLog?.device, drift, now };
  for (const { session } of sessions) {
    const converted = toSessionLogs(session, options);
    if (!converted) continue;
    installs.push(converted);
    counts.stored('session');
  }
  let left = ENVELOPE_MAX_COUNTED_SESSIONS;
  for (const bytes of read.counted) {
    const item = parsePayload(bytes);
    if (!item || !Array.isArray(item.aggregates)) {
      counts.dropped('sessions', 'invalid');
      continue;
    }
    // Two items with the same counts are different sessions, unless they were sent at the same moment.
    const identity = `${hash('md5', bytes, 'hex')} ${parseSentryTime(header.sent_at) ?? ''}`;
    const limits = { identity, mostAggregates: ENVELOPE_MAX_SESSIONS, mostSessions: left };
    const counted = toCountedSessions(item, limits, options);
    left -= counted.installs.reduce(
      (sum, { logs }) => sum + logs.filter(({ type }) => type === 'startSession').length,
      0,
    );
    installs.push(...counted.installs);
    counts.stored('sessions');
    if (counted.omitted > 0) counts.dropped('session', 'too_many', counted.omitted);
  }
  let logsLeft = LOGS_MAX_PER_REQUEST;
  for (const bytes of read.logs) {
    const item = parsePayload(bytes);
    const converted = toLogEvents(item ?? {}, logsLeft, { ...options, installId: current?.installId });
    if (!item) counts.dropped('log', 'not_json');
    logsLeft -= converted.stored;
    installs.push(...converted.installs);
    if (converted.stored > 0) counts.stored('log', converted.stored);
    if (converted.omitted > 0) counts.dropped('log', 'too_many', converted.omitted);
    if (converted.invalid > 0) counts.dropped('log', 'invalid', converted.invalid);
  }
  return { eventId, sent: readDsn(header.dsn), installs, attachments, counts, sdk };
}

/** Reads an envelope. Throws if its structure is malformed; items that cannot be read are counted and dropped. */
export async function readEnvelope(body: SentBytes, options: EnvelopeOptions): Promise<EnvelopeLogs> {
  const counts = createItemCounts();
  return convert(await readItems(body, counts, options.onlyEvents), counts, options);
}

async function readWhole(body: SentBytes): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of inflateChunks(body)) parts.push(chunk);
  return Buffer.concat(parts);
}

/** Reads the body of `/minidump/`: a form with a minidump and what was known about the app. */
export async function readMinidumpReport(body: SentBytes, options: EnvelopeOptions): Promise<EnvelopeLogs> {
  const counts = createItemCounts();
  const { eventId, event, files } = readMinidumpForm(await readWhole(body));
  let left = ATTACHMENTS_MAX_BYTES;
  const attachments = files.filter(({ bytes }, at) => {
    const reason =
      at >= MAX_ATTACHMENTS ? 'too_many' : bytes.length > Math.min(left, ATTACHMENT_MAX_BYTES) ? 'too_large' : '';
    if (reason) counts.dropped('attachment', reason);
    else left -= bytes.length;
    return reason === '';
  });
  const text = Buffer.from(JSON.stringify(event));
  const isLarge = text.length > SENTRY_EVENT_MAX_BYTES;
  if (isLarge) counts.dropped('event', 'too_large');
  const read = { sessions: [], counted: [], logs: [], attachments, feedback: [], hasMinidump: true };
  return convert({ ...read, header: { event_id: eventId }, event: isLarge ? undefined : text }, counts, options);
}

/** Reads the body of `/store/`, which is one event. */
export async function readStoredEvent(body: SentBytes, options: EnvelopeOptions): Promise<EnvelopeLogs> {
  const counts = createItemCounts();
  const bytes = await readWhole(body);
  if (!parsePayload(bytes)) throw badRequest('The body is not a JSON object with an event.');
  const read = {
    ...{ header: {}, event: bytes, sessions: [], counted: [], logs: [], attachments: [], feedback: [] },
    hasMinidump: false,
  };
  return convert(read, counts, options);
}
