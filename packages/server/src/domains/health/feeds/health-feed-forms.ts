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

const formatTitle = ({ name }: Subscription): string => `Service health: ${name}`;

/** URL of the event for users with access. */
const getEventUrl = ({ publicUrl, subscription }: FeedContent, { id }: Event): string =>
  `${publicUrl}/subscriptions/${subscription.id}${id}?api-version=2024-02-01`;

const listRegions = ({ properties: { impact = [] } }: Event): string[] => [
  ...new Set(impact.flatMap(({ impactedRegions = [] }) => impactedRegions.map(({ impactedRegion }) => impactedRegion))),
];

const listServices = ({ properties: { impact = [] } }: Event): string[] =>
  impact.map(({ impactedService }) => impactedService);

/** The text of the event, which may contain tags. */
const getText = ({ properties }: Event): string | undefined =>
  properties.summary ?? properties.description ?? properties.header;

/** Articles were sanitized when they were written. */
const getArticle = ({ properties }: Event): string => properties.article?.articleContent ?? '';

export async function toAtom(content: FeedContent): Promise<string> {
  const { publicUrl, selfUrl, subscription, events, createdAt } = content;
  const summaries: string[] = [];
  for (const event of events) {
    const text = getText(event);
    summaries.push(text === undefined ? getArticle(event) : await sanitiseText(text));
  }
  return renderAtom({
    id: `urn:uuid:${subscription.id}`,
    title: formatTitle(subscription),
    author: 'Mooring',
    selfUrl,
    updatedAt: Math.max(createdAt, ...events.map(({ properties }) => Date.parse(properties.lastUpdateTime))),
    entries: events.map((event, at) => ({
      id: tagUri(publicUrl, 'health', event.name),
      title: event.properties.title,
      url: getEventUrl(content, event),
      publishedAt: Date.parse(event.systemData.createdAt),
      updatedAt: Date.parse(event.properties.lastUpdateTime),
      summaryHtml: summaries[at] ?? '',
      categories: [event.properties.eventType, event.properties.status ?? 'Active', ...listServices(event)],
    })),
  });
}

/** Removes everything from each `<` to the next `>`; a `<` without `>` is text. */
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
    name: formatTitle(subscription),
    events: events.map((event) => {
      const { properties, systemData } = event;
      const end = properties.impactMitigationTime;
      return {
        uid: `${event.name}@${hostname}`,
        // Seconds from the first write to the last: increases with every change.
        sequence: Math.floor((Date.parse(systemData.lastModifiedAt) - Date.parse(systemData.createdAt)) / 1000),
        startsAt: Date.parse(properties.impactStartTime ?? properties.lastUpdateTime),
        ...(end ? { endsAt: Date.parse(end) } : {}),
        updatedAt: Date.parse(properties.lastUpdateTime),
        summary: properties.title,
        description: withoutTags(getText(event) ?? getArticle(event)),
        location: listRegions(event).join(', '),
        url: getEventUrl(content, event),
        categories: listServices(event),
      };
    }),
  });
}
