import type { Subscription } from '../../subscriptions/index.ts';
import type { Event } from '../events/rendering.ts';
import { sanitiseText } from '../events/sanitise.ts';
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
const urlOf = ({ publicUrl, subscription }: FeedContent, { id }: Event): string =>
  `${publicUrl}/subscriptions/${subscription.id}${id}?api-version=2024-02-01`;

const regionsOf = ({ properties: { impact = [] } }: Event): string[] => [
  ...new Set(impact.flatMap(({ impactedRegions = [] }) => impactedRegions.map(({ impactedRegion }) => impactedRegion))),
];

const servicesOf = ({ properties: { impact = [] } }: Event): string[] =>
  impact.map(({ impactedService }) => impactedService);

/** What people read of it: text that may have tags in it. */
const textOf = ({ properties }: Event): string | undefined =>
  properties.summary ?? properties.description ?? properties.header;

/** An article was made safe when it was written. */
const articleOf = ({ properties }: Event): string => properties.article?.articleContent ?? '';

export async function toAtom(content: FeedContent): Promise<string> {
  const { publicUrl, selfUrl, subscription, events, createdAt } = content;
  const summaries: string[] = [];
  for (const event of events) {
    const text = textOf(event);
    summaries.push(text === undefined ? articleOf(event) : await sanitiseText(text));
  }
  return renderAtom({
    id: `urn:uuid:${subscription.id}`,
    title: titleOf(subscription),
    author: 'Mooring',
    selfUrl,
    updatedAt: Math.max(createdAt, ...events.map(({ properties }) => Date.parse(properties.lastUpdateTime))),
    entries: events.map((event, at) => ({
      id: tagUri(publicUrl, 'health', event.name),
      title: event.properties.title,
      url: urlOf(content, event),
      publishedAt: Date.parse(event.systemData.createdAt),
      updatedAt: Date.parse(event.properties.lastUpdateTime),
      summaryHtml: summaries[at] ?? '',
      categories: [event.properties.eventType, event.properties.status ?? 'Active', ...servicesOf(event)],
    })),
  });
}

/** From each `<` to the next `>`; without that, the rest is text. */
export function withoutTags(html: string): string {
  let text = '';
  for (let from = 0; ; ) {
    const begin = html.indexOf('<', from);
    const end = begin === -1 ? -1 : html.indexOf('>', begin);
    if (end === -1) return (text + html.slice(from)).trim();
    text += html.slice(from, begin);
    from = end + 1;
  }
}

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
        description: withoutTags(textOf(event) ?? articleOf(event)),
        location: regionsOf(event).join(', '),
        url: urlOf(content, event),
        categories: servicesOf(event),
      };
    }),
  });
}
