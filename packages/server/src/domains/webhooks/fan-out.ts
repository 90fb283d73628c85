import type { AnnouncementType } from '@mooring/contract';
import type { Ctx } from '../../context.ts';
import { addDeliveries } from '../../outbound/delivery/index.ts';
import { wordsOf } from './announcement-words.ts';
import { findAnnouncement } from './announcements.ts';
import { passes } from './webhook-filter.ts';
import { listListening, listListeningOrgs } from './webhooks.store.ts';
import { eventTypesOf } from './webhooks.ts';

interface Announced {
  id: string;
  type: AnnouncementType;
  appId?: string;
  ownerId: string;
}

/** In the transaction of what happened: a delivery for each webhook of the app and its organization that is told of such. */
export async function fanOut(ctx: Ctx, { id, type, appId = '', ownerId }: Announced): Promise<void> {
  const listening = await listListening.all(ctx.db, { appId, ownerId });
  const wanted = listening.filter((webhook) => eventTypesOf(webhook).includes(type));
  if (wanted.length === 0) return;
  const announcement = await findAnnouncement(ctx, id);
  if (!announcement) return;
  const endpointIds = wanted.filter(({ filter }) => passes(filter, announcement)).map((webhook) => webhook.id);
  const subject = wordsOf(announcement).title;
  await addDeliveries(ctx, { endpointIds, sourceId: id, kind: type, subject });
}

/** Organizations that want to be told of something, for whoever would have to find out for each what concerns it. */
export async function listOrgsAwaiting(ctx: Pick<Ctx, 'db'>, type: AnnouncementType): Promise<string[]> {
  const rows = await listListeningOrgs.all(ctx.db);
  return [...new Set(rows.filter((row) => eventTypesOf(row).includes(type)).map((row) => row.org_id ?? ''))];
}
