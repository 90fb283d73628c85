import type { HealthEvent } from '@mooring/contract';
import type { Static } from 'typebox';

/**
 * An event is written as JSON once, when it is published, and sent as text ever after. Where it differs from reader to
 * reader there are marks, which JSON itself cannot contain: around what a region names, and for the vendor's name.
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

/** The text that is stored. */
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

/** Whether all readers get the same, as it names nobody. */
export const isAlikeForAll = (text: string): boolean => !text.includes(OWN);

export const nameVendor = (text: string, vendor: string): string => text.replaceAll(VENDOR, vendor);

/** With everybody that it names: for operators, and for whoever changes it. */
export const forOperator = (text: string, vendor: string): string => nameVendor(text.replaceAll(OWN, ''), vendor);

export const parseStored = (text: string): Event => JSON.parse(forOperator(text, 'Vendor')) as Event;

/** Of whom it names, only the reader's own; one event, or several with whatever stands between them. */
export function forReader(text: string, vendor: string, own: ReadonlySet<string>): string {
  const ownIds = (ids: string) =>
    ids
      .split(',')
      .filter((id) => own.has(id.slice(1, -1)))
      .join(',');
  // What stands between two marks is every second part. Splitting is several times faster than a regular expression.
  const seen = isAlikeForAll(text)
    ? text
    : text
        .split(OWN)
        .map((part, at) => (at % 2 === 1 ? ownIds(part) : part))
        .join('');
  return nameVendor(seen, vendor);
}
