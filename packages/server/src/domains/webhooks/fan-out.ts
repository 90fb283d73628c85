import type { AnnouncementType } from '@mooring/contract';
import type { Ctx } from '../../context.ts';
import { addDeliveries } from '../../outbound/delivery/index.ts';
import { formatAnnouncement } from './announcement-text.ts';
import { findAnnouncement } from './announcements.ts';
import { passes } from './webhook-filter.ts';
import { listListening, listListeningOrgs } from './webhooks.store.ts';
import { parseEventTypes } from './webhooks.ts';

interface Announced {
  id: string;
  type: AnnouncementType;
  appId?: string;
  ownerId: string;
}

/** Finds the webhooks of an app and its organization that receive this type, and the announcement if there are any. */
async function findListening(ctx: Ctx, { id, type, appId = '', ownerId }: Announced) {
  const listening = await listListening.all(ctx.db, { appId, ownerId });
  const subscribed = listening.filter((webhook) => parseEventTypes(webhook).includes(type));
  const announcement = subscribed.length > 0 ? await findAnnouncement(ctx, id) : undefined;
  if (!announcement) return undefined;
  const endpointIds = subscribed.filter(({ filter }) => passes(filter, announcement)).map((webhook) => webhook.id);
  return { announcement, endpointIds };
}

export const countListeningWebhooks = async (ctx: Ctx, announced: Announced): Promise<number> =>
  (await findListening(ctx, announced))?.endpointIds.length ?? 0;

/** Creates a delivery for each of them, in the caller's transaction. */
export async function fanOut(ctx: Ctx, announced: Announced): Promise<void> {
  const target = await findListening(ctx, announced);
  if (!target) return;
  const { announcement, endpointIds } = target;
  const { id, type } = announcement;
  const subject = formatAnnouncement(announcement).title;
  await addDeliveries(ctx, { endpointIds, sourceId: id, kind: type, subject });
}

/** Lists organizations with a webhook for this type, so that callers check only these. */
export async function listOrgsAwaiting(ctx: Pick<Ctx, 'db'>, type: AnnouncementType): Promise<string[]> {
  const rows = await listListeningOrgs.all(ctx.db);
  return [...new Set(rows.filter((row) => parseEventTypes(row).includes(type)).map((row) => row.org_id ?? ''))];
}
