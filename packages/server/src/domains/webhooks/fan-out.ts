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

/** The webhooks of an app and its organization that are told of such; with what is told of it, if there are any. */
async function findListening(ctx: Ctx, { id, type, appId = '', ownerId }: Announced) {
  const listening = await listListening.all(ctx.db, { appId, ownerId });
  const wanted = listening.filter((webhook) => eventTypesOf(webhook).includes(type));
  const announcement = wanted.length > 0 ? await findAnnouncement(ctx, id) : undefined;
  if (!announcement) return undefined;
  const endpointIds = wanted.filter(({ filter }) => passes(filter, announcement)).map((webhook) => webhook.id);
  return { announcement, endpointIds };
}

export const countToldWebhooks = async (ctx: Ctx, announced: Announced): Promise<number> =>
  (await findListening(ctx, announced))?.endpointIds.length ?? 0;

/** In the transaction of what happened: a delivery for each of them. */
export async function fanOut(ctx: Ctx, announced: Announced): Promise<void> {
  const told = await findListening(ctx, announced);
  if (!told) return;
  const { announcement, endpointIds } = told;
  const { id, type } = announcement;
  const subject = wordsOf(announcement).title;
  await addDeliveries(ctx, { endpointIds, sourceId: id, kind: type, subject });
}

/** Organizations that want to be told of something, for whoever would have to find out for each what concerns it. */
export async function listOrgsAwaiting(ctx: Pick<Ctx, 'db'>, type: AnnouncementType): Promise<string[]> {
  const rows = await listListeningOrgs.all(ctx.db);
  return [...new Set(rows.filter((row) => eventTypesOf(row).includes(type)).map((row) => row.org_id ?? ''))];
}
