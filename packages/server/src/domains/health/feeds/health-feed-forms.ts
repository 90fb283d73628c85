import type { Subscription } from '../../subscriptions/index.ts';
import type { Event } from '../events/rendering.ts';
import { renderAtom, tagUri } from './atom.ts';
import { renderCalendar } from './icalendar.ts';

export interface FeedContent {
  publicUrl: string;
  selfUrl: string;
  subscription: Subscription;
  events: readonly Event[];
  createdAt: number;
}

const titleOf = ({ name }: Subscription): string => `Service health: ${name}`;

/** Where a person with access reads the event itself. */
const addressOf = ({ publicUrl, subscription }: FeedContent, { id }: Event): string =>
  `${publicUrl}/subscriptions/${subscription.id}${id}?api-version=2024-02-01`;

const regionsOf = ({ properties: { impact = [] } }: Event): string[] => [
  ...new Set(impact.flatMap(({ impactedRegions = [] }) => impactedRegions.map(({ impactedRegion }) => impactedRegion))),
];

const servicesOf = ({ properties: { impact = [] } }: Event): string[] =>
  impact.map(({ impactedService }) => impactedService);

/** What people read of it; the article is HTML, the rest is text that may have tags in it. */
const summaryOf = ({ properties }: Event): string =>
  properties.summary ?? properties.description ?? properties.header ?? properties.article?.articleContent ?? '';

export function toAtom(content: FeedContent): string {
  const { publicUrl, selfUrl, subscription, events, createdAt } = content;
  return renderAtom({
    id: `urn:uuid:${subscription.id}`,
    title: titleOf(subscription),
    author: 'Mooring',
    selfUrl,
    updatedAt: Math.max(createdAt, ...events.map(({ properties }) => Date.parse(properties.lastUpdateTime))),
    entries: events.map((event) => ({
      id: tagUri(publicUrl, 'health', event.name),
      title: event.properties.title,
      url: addressOf(content, event),
      publishedAt: Date.parse(event.systemData.createdAt),
      updatedAt: Date.parse(event.properties.lastUpdateTime),
      summaryHtml: summaryOf(event),
      categories: [event.properties.eventType, event.properties.status ?? 'Active', ...servicesOf(event)],
    })),
  });
}

const withoutTags = (html: string): string => html.replaceAll(/<[^>]*>/g, '').trim();

export function toCalendar(content: FeedContent): string {
  const { publicUrl, subscription, events } = content;
  const { hostname } = new URL(publicUrl);
  return renderCalendar({
    name: titleOf(subscription),
    events: events.map((event) => {
      const { properties, systemData } = event;
      const end = properties.impactMitigationTime;
      return {
        uid: `${event.name}@${hostname}`,
        // Seconds from its first writing to its last: grows with every change.
        sequence: Math.floor((Date.parse(systemData.lastModifiedAt) - Date.parse(systemData.createdAt)) / 1000),
        startsAt: Date.parse(properties.impactStartTime ?? properties.lastUpdateTime),
        ...(end ? { endsAt: Date.parse(end) } : {}),
        updatedAt: Date.parse(properties.lastUpdateTime),
        summary: properties.title,
        description: withoutTags(summaryOf(event)),
        location: regionsOf(event).join(', '),
        url: addressOf(content, event),
        categories: servicesOf(event),
      };
    }),
  });
}
