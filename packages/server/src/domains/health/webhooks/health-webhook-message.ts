import { toIso } from '../../../kernel/clock.ts';
export interface Message {
  /** Identical in all attempts, so that receivers can drop duplicates. */
  id: string;
  change: 'published' | 'updated' | 'resolved' | 'withdrawn' | 'test';
  /** Increases with every change, so that receivers can order messages. */
  version: number;
  publicUrl: string;
  trackingId: string;
  subscriptionId: string;
  at: number;
  /** The event as the list shows it to this subscription. */
  event: unknown;
}

export const cloudEventType = 'application/cloudevents+json; charset=utf-8';

/** The body of a webhook: CloudEvents 1.0, structured JSON. */
export const cloudEvent = ({
  id,
  change,
  version,
  publicUrl,
  trackingId,
  subscriptionId,
  at,
  event,
}: Message): string =>
  JSON.stringify({
    specversion: '1.0',
    id,
    type: `mooring.health.event.${change}`,
    source: publicUrl,
    subject: trackingId,
    time: toIso(at),
    // A string in sort order, as the CloudEvents extension `sequence` requires.
    sequence: String(version).padStart(16, '0'),
    subscriptionid: subscriptionId,
    datacontenttype: 'application/json',
    data: event,
  });
