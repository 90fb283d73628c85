import type { Ctx } from '../../../context.ts';
import { findAnnouncement, wordsOf } from '../../webhooks/index.ts';
import { keyOf } from './event-rows.ts';
import { findEvent } from './health-events.store.ts';
import { publishEvent } from './health-events.ts';

export const isAlert = ({ type }: { type: string }): boolean => type === 'alertStarted' || type === 'alertEnded';

/** An alert of an app that has a subscription is an event for its readers: published, and resolved when it ends. */
export async function publishAlert(ctx: Ctx, { id }: { id: string }): Promise<void> {
  const announcement = await findAnnouncement(ctx, id);
  if (announcement?.type !== 'alertStarted' && announcement?.type !== 'alertEnded') return;
  const { data } = announcement;
  const trackingId = data.tracking_id;
  if (trackingId === undefined) return;
  const words = wordsOf(announcement);
  const summary = words.facts.map(([label, value]) => `${label}: ${value}`).join('. ');
  const isEnd = announcement.type === 'alertEnded';
  const known = await findEvent.first(ctx.db, { key: keyOf(trackingId) });
  // Somebody withdrew it, or it was never there.
  if (isEnd && !known) return;
  const subscription = data.health_subscription_id;
  if (subscription === undefined) return;
  await publishEvent(ctx, {
    trackingId,
    draft: {
      eventType: 'ServiceIssue',
      status: isEnd ? 'Resolved' : 'Active',
      title: words.title,
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
