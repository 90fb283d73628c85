import type { Ctx } from '../../context.ts';
import { isReferenceGone } from '../../db/portable.ts';
import { tx } from '../../db/tx.ts';
import { Failure } from '../../kernel/errors.ts';
import { findDiskShortage } from '../../kernel/files/disk-space.ts';
import { getAppRef } from '../apps/index.ts';
import {
  type BatchRange,
  defineLogConsumer,
  type Log,
  listAppsWithNews,
  passBatches,
  readBatches,
} from '../ingest/index.ts';
import { findSentFeedback } from './feedback.store.ts';
import { claimPictures, type StoredPicture, storePictures } from './pictures.ts';
import { addFeedback, isWithinLimit, type NewFeedback, toEmail, toLine, toPlainText } from './receiving.ts';

/** Consumes the feedback of Sentry SDKs and its screenshots. */
export const feedbackLogs = defineLogConsumer('feedback', {
  types: ['feedback', 'feedbackPicture'],
  job: 'feedback.read',
});

/** Pictures of a read are stored before its transaction. */
const READ = { limit: 100, maxBytes: 8 * 1024 * 1024 };

type Fields = Readonly<Record<string, unknown>>;

const toFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const toText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const getSentId = ({ value }: Log): string => toText(value.id);

/** Undefined if the message has no text. */
function parseFeedback({ at, value }: Log, installId: string): NewFeedback | undefined {
  const [device, sent] = [toFields(value.device), toFields(value.feedback)];
  const text = toText(sent.text);
  if (toPlainText(text) === '') return undefined;
  const contact = toText(sent.contact);
  return {
    source: 'sentry',
    sent_id: toText(value.id),
    text,
    // Some people enter a telephone number instead of an address.
    name: toText(sent.name) || (toEmail(contact) === null ? contact : ''),
    email: contact,
    install_id: installId,
    user_id: toText(value.userId),
    session_id: toText(value.sid),
    event_id: toText(sent.eventId),
    version: toText(device.appVersion),
    build: toText(device.appBuild),
    model: toLine([device.oemName, device.model].map(toText).join(' ')),
    os: toLine([device.osName, device.osVersion].map(toText).join(' ')),
    locale: toText(device.locale),
    url: toText(sent.url),
    created_at: at,
  };
}

interface Arrived {
  installId: string;
  log: Log;
}

const ignoreNotFound = (error: unknown): undefined => {
  if (!(error instanceof Failure && error.code === 'NotFound')) throw error;
};

/** Stores the pictures of a read, by the message that they belong to. */
async function storeSentPictures(
  ctx: Ctx,
  appId: string,
  arrived: readonly Arrived[],
): Promise<Map<string, StoredPicture[]>> {
  const pictures = new Map<string, StoredPicture[]>();
  const app = arrived.length === 0 ? undefined : await getAppRef(ctx, appId).catch(ignoreNotFound);
  if (!app) return pictures;
  for (const { log } of arrived) {
    const bytes = Buffer.from(toText(log.value.data), 'base64');
    const feedbackId = toText(log.value.feedbackId);
    const [stored] = await storePictures(ctx, app, [{ sentId: getSentId(log), bytes }]);
    if (stored) pictures.set(feedbackId, [...(pictures.get(feedbackId) ?? []), stored]);
  }
  return pictures;
}

async function storeRange(ctx: Ctx, { appId, from, to, batches }: BatchRange): Promise<void> {
  const arrived = batches.flatMap(({ installId, logs }) => logs.map((log) => ({ installId, log })));
  const messages = arrived.filter(({ log }) => log.type === 'feedback');
  const pictures = await storeSentPictures(
    ctx,
    appId,
    arrived.filter(({ log }) => log.type === 'feedbackPicture'),
  );
  const dropped = await tx(ctx, async (ctx) => {
    let omitted = 0;
    const sentIds = [...new Set([...messages.map(({ log }) => getSentId(log)), ...pictures.keys()])];
    const known = new Set(
      sentIds.length === 0 ? [] : (await findSentFeedback(ctx.db, appId, sentIds)).map(({ sent_id }) => sent_id),
    );
    for (const { installId, log } of messages) {
      const parsed = parseFeedback(log, installId);
      if (!parsed || known.has(getSentId(log))) continue;
      known.add(getSentId(log));
      if (await isWithinLimit(ctx, appId)) await addFeedback(ctx, appId, parsed);
      else omitted += 1;
    }
    const stored = pictures.size === 0 ? [] : await findSentFeedback(ctx.db, appId, [...pictures.keys()]);
    // Pictures of messages that are not stored are deleted within an hour.
    for (const { id, sent_id } of stored) {
      await claimPictures(ctx, { appId, feedbackId: id }, pictures.get(sent_id) ?? []);
    }
    await passBatches(ctx, feedbackLogs, { appId, from, to });
    return omitted;
  });
  if (dropped > 0) ctx.log.warn({ app: appId, dropped }, 'feedback beyond the hourly limit was dropped');
}

/** Stores all waiting feedback of an app, even if the disk is almost full: exports and erasures need all of it. */
export async function readSentFeedback(ctx: Ctx, appId: string): Promise<void> {
  try {
    for (;;) {
      const range = await readBatches(ctx, feedbackLogs, appId, READ);
      if (range.to === range.from) return;
      try {
        await storeRange(ctx, range);
      } catch (error) {
        // Another process did it at the same time; continue with the remaining batches.
        if (!(error instanceof Failure && error.code === 'Conflict')) throw error;
      }
    }
  } catch (error) {
    // The app was deleted.
    if (!isReferenceGone(error)) throw error;
  }
}

/** Like `readSentFeedback`, when feedback arrives. It waits until the disk has space. */
export async function readNewFeedback(ctx: Ctx, appId: string): Promise<void> {
  if (!(await findDiskShortage(ctx))) await readSentFeedback(ctx, appId);
}

/** Catches up for apps whose feedback has waited. */
export async function readRest(ctx: Ctx): Promise<void> {
  if (await findDiskShortage(ctx)) return;
  for (const appId of await listAppsWithNews(ctx, feedbackLogs)) await readSentFeedback(ctx, appId);
}
