import type { HealthEvent } from '@mooring/contract';
import type { Static } from 'typebox';
import { parseOwnJson } from '../../../kernel/text/json.ts';

/**
 * The JSON of an event is rendered once, when it is published, and later sent as text. Marks, which JSON cannot contain,
 * surround the names of audiences and replace the vendor name, the only parts that differ between readers.
 */
const OWN = '\u0001';
const VENDOR = '\u0002';

export type Event = Static<typeof HealthEvent>;
export type EventProperties = Event['properties'];
export type Impact = NonNullable<EventProperties['impact']>[number];
export type Region = NonNullable<Impact['impactedRegions']>[number];

const order: readonly (keyof EventProperties)[] = [
  'eventType',
  'eventSource',
  'status',
  'title',
  'summary',
  'header',
  'description',
  'article',
  'links',
  'level',
  'eventLevel',
  'externalIncidentId',
  'reason',
  'impactType',
  'impactStartTime',
  'impactMitigationTime',
  'impact',
  'recommendedActions',
  'faqs',
  'additionalInformation',
  'isHIR',
  'enableVendorSupport',
  'enableChatWithUs',
  'platformInitiated',
  'priority',
  'duration',
  'lastUpdateTime',
  'hirStage',
];

type Member = [name: string, json: string | undefined];

const object = (members: Member[]): string =>
  `{${members.flatMap(([name, json]) => (json === undefined ? [] : [`"${name}":${json}`])).join(',')}}`;
const array = (items: string[]): string => `[${items.join(',')}]`;
const plain = (value: unknown): string | undefined => JSON.stringify(value);

const nameAll = (ids: readonly string[] = []): string =>
  ids.length === 0 ? '[]' : `[${OWN}${ids.map((id) => `"${id}"`).join(',')}${OWN}]`;

const renderRegion = (region: Region): string =>
  object([
    ['impactedRegion', plain(region.impactedRegion)],
    ['status', plain(region.status)],
    ['impactedSubscriptions', nameAll(region.impactedSubscriptions)],
    ['impactedTenants', nameAll(region.impactedTenants)],
    ['lastUpdateTime', plain(region.lastUpdateTime)],
    ['updates', plain(region.updates)],
  ]);

const renderImpact = (impact: Impact): string =>
  object([
    ['impactedService', plain(impact.impactedService)],
    ['impactedServiceGuid', plain(impact.impactedServiceGuid)],
    ['impactedRegions', array((impact.impactedRegions ?? []).map(renderRegion))],
  ]);

function renderMember(properties: EventProperties, name: keyof EventProperties): Member {
  if (name === 'enableVendorSupport') return [`enable${VENDOR}Support`, plain(properties[name])];
  if (name !== 'impact') return [name, plain(properties[name])];
  return [name, properties.impact && array(properties.impact.map(renderImpact))];
}

/** Renders the stored text. */
export function render(name: string, systemData: Event['systemData'], properties: EventProperties): string {
  const path = `/providers/${VENDOR}.ResourceHealth/events`;
  return object([
    ['id', `"${path}/${name}"`],
    ['name', plain(name)],
    ['type', `"${path}"`],
    ['systemData', plain(systemData)],
    ['properties', object(order.map((member) => renderMember(properties, member)))],
  ]);
}

/** True if the event names no audience, so that all readers get the same text. */
export const isAlikeForAll = (text: string): boolean => !text.includes(OWN);

export const nameVendor = (text: string, vendor: string): string => text.replaceAll(VENDOR, vendor);

/** Renders all audiences: for operators and for changes. */
export const forOperator = (text: string, vendor: string): string => nameVendor(text.replaceAll(OWN, ''), vendor);

export const parseStored = (text: string): Event => parseOwnJson<Event>(forOperator(text, 'Vendor'));

/** Renders only the reader's own audiences; for one event, or several with text between them. */
export function forReader(text: string, vendor: string, own: ReadonlySet<string>): string {
  const ownIds = (ids: string) =>
    ids
      .split(',')
      .filter((id) => own.has(id.slice(1, -1)))
      .join(',');
  // Every second part lies between two marks. Splitting is several times faster than a regular expression.
  const seen = isAlikeForAll(text)
    ? text
    : text
        .split(OWN)
        .map((part, at) => (at % 2 === 1 ? ownIds(part) : part))
        .join('');
  return nameVendor(seen, vendor);
}
