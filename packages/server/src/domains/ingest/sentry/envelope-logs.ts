import { setImmediate } from 'node:timers/promises';
import { ENVELOPE_MAX_ITEMS, ENVELOPE_MAX_SESSIONS, SENTRY_EVENT_MAX_BYTES } from '@mooring/contract';
import { badRequest } from '../../../kernel/errors.ts';
import { inflateChunks, type SentBytes } from '../../../kernel/files/inflate.ts';
import {
  convertEnvelope,
  type EnvelopeLogs,
  type EnvelopeOptions,
  isMinidump,
  parsePayload,
  type Read,
} from './convert-envelope.ts';
import { EnvelopeReader } from './envelope-reader.ts';
import { isFeedbackType } from './feedback-logs.ts';
import { createItemCounts, type ItemCounts, nameItem } from './item-counts.ts';
import { readMinidumpForm } from './minidump-form.ts';
import type { Fields } from './sentry-values.ts';

const MIB = 1024 * 1024;

/** Crash reports have the same limit. */
const ATTACHMENT_MAX_BYTES = 7 * MIB;
/** Maximum total size of an envelope's attachments, which stay in memory until the request is stored. */
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

const limitedTypes: ReadonlySet<string> = new Set(['session', 'sessions', 'log', 'attachment']);

/** A minidump is the only description of its crash. */
const isLimited = (type: string, header: Fields): boolean => limitedTypes.has(type) && !isMinidump({ header });

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

/** Reads an envelope. Throws if its structure is malformed; items that cannot be read are counted and dropped. */
export async function readEnvelope(body: SentBytes, options: EnvelopeOptions): Promise<EnvelopeLogs> {
  const counts = createItemCounts();
  return convertEnvelope(await readItems(body, counts, options.onlyEvents), counts, options);
}

async function readWhole(body: SentBytes): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of inflateChunks(body)) parts.push(chunk);
  return Buffer.concat(parts);
}

/** Reads the body of `/minidump/`: a form with a minidump and what was known about the app. */
export async function readMinidumpReport(body: SentBytes, options: EnvelopeOptions): Promise<EnvelopeLogs> {
  const counts = createItemCounts();
  const { eventId, event, isTooLarge, files } = readMinidumpForm(await readWhole(body));
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
  if (isLarge || isTooLarge) counts.dropped('event', 'too_large');
  const read = { sessions: [], counted: [], logs: [], attachments, feedback: [], hasMinidump: true };
  return convertEnvelope(
    { ...read, header: { event_id: eventId }, event: isLarge ? undefined : text },
    counts,
    options,
  );
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
  return convertEnvelope(read, counts, options);
}
