import { hash } from 'node:crypto';
import { FEEDBACK_MAX_LENGTH } from '@mooring/contract';
import { findEventInstall, findEventUser } from './event-log.ts';
import { readEventDevice, type Sdk } from './sentry-device.ts';
import { type Fields, toFields, toHexId, toIsoTime, toText, UNKNOWN_INSTALL } from './sentry-values.ts';

export const feedbackTypes = ['feedback', 'user_report'] as const;
export type FeedbackType = (typeof feedbackTypes)[number];

export const isFeedbackType = (type: string): type is FeedbackType =>
  (feedbackTypes as readonly string[]).includes(type);

/** Screenshots of one message; attachments of other types are not stored with it. */
const pictureTypes = /^image\/(?:png|jpe?g|webp|gif)$/i;
const pictureNames = /\.(?:png|jpe?g|webp|gif)$/i;

export interface FeedbackOptions {
  /** In the envelope header. */
  eventId: string | undefined;
  sdk: Sdk;
  /** The install and session of the sessions in the same envelope. */
  installId: string | undefined;
  sessionId: string | undefined;
  drift: number;
  now: number;
}

export interface FeedbackLog {
  id: string;
  installId: string;
  log: Fields;
}

/** An event whose context `feedback` has the message. */
function toNewFeedback(event: Fields, { eventId, sdk, installId, sessionId, drift, now }: FeedbackOptions) {
  const sent = toFields(toFields(event.contexts).feedback);
  const text = toText(sent.message, FEEDBACK_MAX_LENGTH);
  if (text === undefined) return undefined;
  const id = eventId ?? toHexId(event.event_id) ?? hash('md5', JSON.stringify(event), 'hex');
  const install = installId ?? findEventInstall(event);
  const log = {
    type: 'feedback',
    id,
    timestamp: toIsoTime(event.timestamp, { drift, now }),
    ...(sessionId === undefined ? {} : { sid: sessionId }),
    userId: findEventUser(event, install),
    device: readEventDevice(event, sdk),
    feedback: {
      text,
      name: toText(sent.name),
      contact: toText(sent.contact_email),
      eventId: toHexId(sent.associated_event_id),
      url: toText(sent.url, 2000),
    },
  };
  return { id, installId: install, log };
}

/** The form of older SDKs: a message about one event, without a device. */
function toOldFeedback(report: Fields, { sdk, installId, sessionId, now }: FeedbackOptions): FeedbackLog | undefined {
  const text = toText(report.comments, FEEDBACK_MAX_LENGTH);
  if (text === undefined) return undefined;
  const eventId = toHexId(report.event_id);
  const [name, contact] = [toText(report.name), toText(report.email)];
  // The same if it is sent again.
  const id = hash('md5', JSON.stringify(['user_report', eventId, name, contact, text]), 'hex');
  const log = {
    type: 'feedback',
    id,
    timestamp: new Date(now).toISOString(),
    ...(sessionId === undefined ? {} : { sid: sessionId }),
    device: { sdkName: sdk.name || 'sentry', sdkVersion: sdk.version },
    feedback: { text, name, contact, eventId },
  };
  return { id, installId: installId ?? UNKNOWN_INSTALL, log };
}

/** Converts a message; undefined if it has no text. */
export const toFeedbackLog = (type: FeedbackType, payload: Fields, options: FeedbackOptions): FeedbackLog | undefined =>
  (type === 'feedback' ? toNewFeedback : toOldFeedback)(payload, options);

interface Attachment {
  header: Fields;
  bytes: Uint8Array;
}

export const isPicture = ({ header }: Attachment): boolean =>
  pictureTypes.test(toText(header.content_type) ?? '') || pictureNames.test(toText(header.filename) ?? '');

/** Converts a screenshot in the envelope of a message. */
export const toPictureLog = ({ bytes }: Attachment, { id, log }: FeedbackLog, number: number): Fields => ({
  type: 'feedbackPicture',
  id: String(number),
  feedbackId: id,
  timestamp: log.timestamp,
  device: log.device,
  data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64'),
});
