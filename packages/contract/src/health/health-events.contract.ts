import type { TSchema } from 'typebox';
import { empty, endpoint, file, json, lines } from '../endpoint/index.ts';
import { Time } from '../fields.ts';
import { LiveQuery, liveEvents } from '../live.ts';
import { searchIn } from '../paging.ts';
import { healthFamily } from '../subscriptions/health.family.ts';
import { ApiVersion, SubscriptionPath } from '../subscriptions/subscriptions.contract.ts';
import { Type } from '../type.ts';

export const eventTypes = [
  'EmergingIssues',
  'HealthAdvisory',
  'PlannedMaintenance',
  'RCA',
  'SecurityAdvisory',
  'ServiceIssue',
] as const;
export const eventSources = ['ResourceHealth', 'ServiceHealth'] as const;
export const eventStatuses = ['Active', 'Resolved'] as const;
export const eventLevels = ['Critical', 'Error', 'Informational', 'Warning'] as const;
export const levels = ['Critical', 'Warning'] as const;

const text = (maxLength: number, description?: string) =>
  Type.Optional(Type.String({ maxLength, ...(description ? { description } : {}) }));
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));
const list = <T extends TSchema>(item: T, maxItems: number) => Type.Optional(Type.Array(item, { maxItems }));

/** Names that filters compare: one line each. */
const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[^\\u0000-\\u001f\\u007f]*\\S[^\\u0000-\\u001f\\u007f]*$',
  description: 'One line, not blank.',
});
const Guid = Type.String({ format: 'uuid' });
const Locale = text(35, 'Locale.');
const Parameters = Type.Optional(
  Type.Record(Type.String({ maxLength: 200 }), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
    maxProperties: 100,
    description: 'Map of parameter name to value.',
  }),
);

const Status = Type.Enum([...eventStatuses]);

const Update = Type.Object({
  summary: Type.String({ maxLength: 20_000, description: 'Summary text of the update.' }),
  updateDateTime: Type.Optional(Time),
});

const region = {
  impactedRegion: Name,
  status: Type.Optional(Status),
  impactedSubscriptions: list(Guid, 1000),
  impactedTenants: list(Guid, 1000),
  lastUpdateTime: Type.Optional(Time),
  updates: list(Update, 500),
};

const Impact = Type.Object({
  impactedService: Name,
  impactedServiceGuid: text(64, 'Permanent identifier of the impacted service.'),
  impactedRegions: list(Type.Object(region), 100),
});

const Link = Type.Object({
  type: Type.Optional(Type.Enum(['Button', 'Hyperlink'])),
  displayText: Type.Optional(Type.Object({ value: text(1000), localizedValue: text(1000) })),
  extensionName: text(200),
  bladeName: text(200),
  parameters: Parameters,
});

/** What an operator says about an event; the rest follows from it. */
const eventFields = {
  eventSource: Type.Optional(Type.Enum([...eventSources])),
  status: Type.Optional(Type.Enum([...eventStatuses], { description: 'Follows the regions, if there are any.' })),
  title: Type.String({ minLength: 1, maxLength: 1000 }),
  summary: text(20_000),
  header: text(1000),
  description: text(100_000, 'Communication message: summary, root cause and other details.'),
  article: Type.Optional(
    Type.Object({
      articleContent: text(200_000, 'May hold HTML.'),
      articleId: text(200),
      parameters: Parameters,
    }),
  ),
  links: list(Link, 50),
  level: Type.Optional(Type.Enum([...levels], { description: 'Level of insight.' })),
  eventLevel: Type.Optional(Type.Enum([...eventLevels], { description: 'Level of event.' })),
  externalIncidentId: text(200),
  reason: text(1000),
  impactType: text(200),
  impactStartTime: Type.Optional(Time),
  impactMitigationTime: Type.Optional(Time),
  impact: list(Impact, 200),
  recommendedActions: Type.Optional(
    Type.Object({
      actions: list(
        Type.Object({
          actionText: text(10_000),
          groupId: Type.Optional(Type.Integer({ minimum: -2_147_483_648, maximum: 2_147_483_647 })),
        }),
        100,
      ),
      localeCode: Locale,
      message: text(1000),
    }),
  ),
  faqs: list(Type.Object({ question: text(10_000), answer: text(10_000), localeCode: Locale }), 100),
  additionalInformation: Type.Optional(Type.Object({ message: text(10_000) })),
  isHIR: flag('True when the event is a high incident rate event.'),
  enableVendorSupport: flag('Enables or disables vendor support for the event.'),
  enableChatWithUs: flag('Enables or disables vendor support for the event.'),
  platformInitiated: flag('True when the event is platform initiated.'),
  hirStage: text(100, 'Stage for the high-incident-rate document.'),
};

const EventType = Type.Enum([...eventTypes]);

export const EventInput = Type.Object({ eventType: EventType, ...eventFields });

const createdByTypes = ['Application', 'Key', 'ManagedIdentity', 'User'] as const;
const EventProperties = Type.Object({
  eventType: EventType,
  ...eventFields,
  priority: Type.Integer({ minimum: 0, maximum: 23, description: '0 is highest.' }),
  duration: Type.Optional(Type.Integer({ minimum: 0, description: 'In seconds.' })),
  lastUpdateTime: Time,
});

const SystemData = Type.Object({
  createdAt: Time,
  createdBy: Type.String(),
  createdByType: Type.Enum([...createdByTypes]),
  lastModifiedAt: Time,
  lastModifiedBy: Type.String(),
  lastModifiedByType: Type.Enum([...createdByTypes]),
});

export const HealthEvent = Type.Object(
  {
    id: Type.String({ description: 'Fully qualified resource ID.' }),
    name: Type.String({ description: 'The tracking id.' }),
    type: Type.String(),
    systemData: SystemData,
    properties: EventProperties,
  },
  { $id: 'HealthEvent' },
);

export const EventsPage = Type.Object(
  {
    value: Type.Array(HealthEvent),
    nextLink: Type.Optional(Type.String({ description: 'GET it for the next page; absent on the last one.' })),
  },
  { $id: 'EventsPage' },
);

export const TrackingId = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  description: 'Letters, digits, "-" and "_"; at most 64; unique without regard to case.',
});

const TrackingPath = { trackingId: TrackingId };

const ListQuery = Type.Object({
  ...ApiVersion,
  $filter: Type.Optional(
    Type.String({
      maxLength: 8192,
      description:
        "For example `service eq 'Virtual Machines' or region eq 'West US'`; with and, or, not, parentheses, eq and ne, over service, region, eventType, eventSource, status, eventLevel, level, trackingId, isHIR; also lt, le, gt and ge over priority, lastUpdateTime and impactStartTime.",
    }),
  ),
  queryStartTime: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'Events from this time on, compared with lastUpdateTime: month/day/year, or ISO 8601 (UTC if no zone).',
    }),
  ),
  search: Type.Optional(searchIn('the title, the tracking id, the services or the regions')),
  $skipToken: Type.Optional(Type.String({ maxLength: 16_384, description: 'From the nextLink of the page before.' })),
});

const IfMatch = {
  'if-match': Type.Optional(
    Type.String({ maxLength: 100, description: 'The ETag that was read; 412 if the event has changed since.' }),
  ),
};

export const provider = '/providers/Vendor.ResourceHealth/events';
const one = `${provider}/{trackingId}` as const;

export const Events_ListBySubscriptionId = endpoint({
  id: 'Events_ListBySubscriptionId',
  method: 'GET',
  path: `/subscriptions/{subscriptionId}${provider}`,
  family: healthFamily,
  tag: 'health events',
  summary: 'Lists the service health events of a subscription',
  description:
    'Newest lastUpdateTime first. Events of which no region names a subscription or tenant are for everyone.',
  access: 'subscription:reader',
  effect: 'read',
  params: Type.Object(SubscriptionPath),
  query: ListQuery,
  response: json(EventsPage, { description: 'A page of events.', isWritten: true }),
  errors: [404],
});

export const Event_GetBySubscriptionIdAndTrackingId = endpoint({
  id: 'Event_GetBySubscriptionIdAndTrackingId',
  method: 'GET',
  path: `/subscriptions/{subscriptionId}${one}`,
  family: healthFamily,
  tag: 'health events',
  summary: 'Returns one event of a subscription',
  access: 'subscription:reader',
  effect: 'read',
  params: Type.Object({ ...SubscriptionPath, ...TrackingPath }),
  query: Type.Object(ApiVersion),
  response: json(HealthEvent, { description: 'The event.', isWritten: true }),
  errors: [404],
});

export const Events_ListByTenantId = endpoint({
  id: 'Events_ListByTenantId',
  method: 'GET',
  path: provider,
  family: healthFamily,
  tag: 'health events',
  summary: 'Lists the events of every subscription that the caller may read',
  description: 'And those for everyone. Administrators and operators see every event, with all that it names.',
  access: 'user',
  effect: 'read',
  query: ListQuery,
  response: json(EventsPage, { description: 'A page of events.', isWritten: true }),
});

export const Event_GetByTenantIdAndTrackingId = endpoint({
  id: 'Event_GetByTenantIdAndTrackingId',
  method: 'GET',
  path: one,
  family: healthFamily,
  tag: 'health events',
  summary: 'Returns one event, with its ETag',
  access: 'user',
  effect: 'read',
  params: Type.Object(TrackingPath),
  query: Type.Object(ApiVersion),
  response: json(HealthEvent, { description: 'The event.', isWritten: true }),
  errors: [404],
});

export const HealthEvent_Publish = endpoint({
  id: 'HealthEvent_Publish',
  method: 'PUT',
  path: one,
  family: healthFamily,
  tag: 'health events',
  summary: 'Publishes an event, or replaces it',
  description:
    'priority, duration, lastUpdateTime and systemData are set by the server. Status follows the regions: when every one is Resolved, the event is.',
  access: 'operator',
  effect: 'change',
  params: Type.Object(TrackingPath),
  query: Type.Object(ApiVersion),
  headers: Type.Object({
    ...IfMatch,
    'if-none-match': Type.Optional(Type.Enum(['*'], { description: '`*`: only if there is no such event yet.' })),
  }),
  request: json(Type.Object({ properties: EventInput })),
  response: json(HealthEvent, { description: 'The event after the change.', mayCreate: true, isWritten: true }),
  errors: [412],
});

export const HealthEvent_Change = endpoint({
  id: 'HealthEvent_Change',
  method: 'PATCH',
  path: one,
  family: healthFamily,
  tag: 'health events',
  summary: 'Changes an event by JSON merge patch',
  description: 'Objects are merged, null removes, arrays are replaced whole.',
  access: 'operator',
  effect: 'change',
  params: Type.Object(TrackingPath),
  query: Type.Object(ApiVersion),
  headers: Type.Object(IfMatch),
  request: json(Type.Object({ properties: Type.Object({}, { description: 'The properties that change.' }) })),
  response: json(HealthEvent, { description: 'The event after the change.', isWritten: true }),
  errors: [404, 412],
});

export const HealthEvent_Withdraw = endpoint({
  id: 'HealthEvent_Withdraw',
  method: 'DELETE',
  path: one,
  family: healthFamily,
  tag: 'health events',
  summary: 'Withdraws an event',
  access: 'operator',
  effect: 'change',
  params: Type.Object(TrackingPath),
  query: Type.Object(ApiVersion),
  headers: Type.Object(IfMatch),
  response: empty({ description: 'It is gone.' }),
  errors: [404, 412],
});

export const HealthEvents_Watch = endpoint({
  id: 'HealthEvents_Watch',
  method: 'GET',
  path: '/v0.1/health/live',
  tag: 'health events',
  summary: 'Tells when health events changed, as server-sent events',
  description: 'It tells that some event changed, also one that the caller cannot read; the list says which.',
  access: 'user',
  effect: 'read',
  query: Type.Object(LiveQuery),
  response: liveEvents(['events']),
});

export const HealthEvent_Update = endpoint({
  id: 'HealthEvent_Update',
  method: 'POST',
  path: `${one}/updates`,
  family: healthFamily,
  tag: 'health events',
  summary: "Adds an update to a service's region",
  description: 'Moves lastUpdateTime of the region and the event; with a status, that of the region changes too.',
  access: 'operator',
  effect: 'change',
  params: Type.Object(TrackingPath),
  query: Type.Object(ApiVersion),
  headers: Type.Object(IfMatch),
  request: json(
    Type.Object({
      service: Name,
      region: Name,
      summary: Type.String({ minLength: 1, maxLength: 20_000 }),
      status: Type.Optional(Status),
    }),
  ),
  response: json(HealthEvent, { description: 'The event after the change.', isWritten: true }),
  errors: [404, 409, 412],
});

/** Names, times and text as they are in the list; what the server computes is left out of account. */
const ImportedEvent = Type.Object({
  name: Type.String({ description: 'The tracking id.' }),
  properties: Type.Object({ eventType: EventType, ...eventFields, lastUpdateTime: Type.Optional(Time) }),
});

const count = (description: string) => Type.Integer({ minimum: 0, description });

const Progress = Type.Object({
  bytes: count('How far in the file.'),
  totalBytes: count('How long the file is.'),
  read: count('Events read so far.'),
  imported: count('New ones.'),
  replaced: count('Those that were there and are changed.'),
  unchanged: count('Those that were there already, as they are in the file.'),
  refusedCount: count('Those that were not taken.'),
});

export const ImportReport = Type.Object(
  {
    id: Type.String({ description: 'Names the import in the audit log.' }),
    sha256: Type.String({ description: 'Of the file, in hexadecimal.' }),
    ...Progress.properties,
    refused: Type.Array(
      Type.Object({
        index: count('Which event of the file, from 0 on.'),
        trackingId: Type.Optional(Type.String()),
        code: Type.String({ description: 'As the same event alone would have been answered.' }),
        message: Type.String(),
      }),
      { description: 'The first 1,000.' },
    ),
  },
  { $id: 'HealthImportReport' },
);

export const HealthEvents_Import = endpoint({
  id: 'HealthEvents_Import',
  method: 'POST',
  path: `${provider}/import`,
  family: healthFamily,
  tag: 'health events',
  summary: 'Imports a file of events',
  description:
    'A page of events as the list gives it, an array of events, or one event on each line. Each event is published or replaced by itself, with the times that it has; systemData says who imported it. Doing it again changes nothing.',
  access: 'operator',
  effect: 'change',
  query: Type.Object(ApiVersion),
  request: file({
    types: ['application/json', 'application/x-ndjson'],
    maxBytes: 104_857_600,
    content: Type.Object({ value: Type.Array(ImportedEvent) }),
  }),
  response: lines(ImportReport, { progress: Progress, description: 'What became of the events.' }),
});
