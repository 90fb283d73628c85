import type { Ctx } from '../../../context.ts';
import { findAnnouncement, formatAnnouncement } from '../../webhooks/index.ts';
import { toKey } from './event-rows.ts';
import { findEvent } from './health-events.store.ts';
import { publishEvent } from './health-events.ts';

export const isAlert = ({ type }: { type: string }): boolean => type === 'alertStarted' || type === 'alertEnded';

/**
 * Publishes an alert of an app with a subscription as a health event for its readers, and resolves the event when the alert
 * ends.
 */
export async function publishAlert(ctx: Ctx, { id }: { id: string }): Promise<void> {
  const announcement = await findAnnouncement(ctx, id);
  if (announcement?.type !== 'alertStarted' && announcement?.type !== 'alertEnded') return;
  const { data } = announcement;
  const trackingId = data.tracking_id;
  if (trackingId === undefined) return;
  const texts = formatAnnouncement(announcement);
  const summary = texts.facts.map(([label, value]) => `${label}: ${value}`).join('. ');
  const isEnd = announcement.type === 'alertEnded';
  const known = await findEvent.first(ctx.db, { key: toKey(trackingId) });
  // An operator withdrew the event, or it was never published.
  if (isEnd && !known) return;
  const subscription = data.health_subscription_id;
  if (subscription === undefined) return;
  await publishEvent(ctx, {
    trackingId,
    draft: {
      eventType: 'ServiceIssue',
      status: isEnd ? 'Resolved' : 'Active',
      title: texts.title,
      summary,
      impactStartTime: data.started_at,
      impact: [
        {
          impactedService: data.app_display_name,
          impactedRegions: [
            { impactedRegion: 'Global', status: isEnd ? 'Resolved' : 'Active', impactedSubscriptions: [subscription] },
          ],
        },
      ],
    },
  });
}
