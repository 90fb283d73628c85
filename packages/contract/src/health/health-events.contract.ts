import type { TSchema } from 'typebox';
import { empty, endpoint, file, json, lines } from '../endpoint/index.ts';
import { Time } from '../fields.ts';
import { LiveQuery, liveEvents } from '../live.ts';
import { searchIn } from '../paging.ts';
import { healthSurface } from '../subscriptions/health.surface.ts';
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
const list = <T extends TSchema>(item: T, maxItems: number, description?: string) =>
  Type.Optional(Type.Array(item, { maxItems, ...(description ? { description } : {}) }));

/** Names that filters compare, on a single line each. */
const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[^\\u0000-\\u001f\\u007f]*\\S[^\\u0000-\\u001f\\u007f]*$',
  description: 'A single line, not blank.',
});
const Guid = Type.String({ format: 'uuid' });
const Locale = text(35, 'The language of the text, such as en-US.');
const time = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));
const Parameters = Type.Optional(
  Type.Record(Type.String({ maxLength: 200 }), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
    maxProperties: 100,
    description: 'Parameters by name.',
  }),
);

const Status = Type.Enum([...eventStatuses]);

const Update = Type.Object({
  summary: Type.String({ maxLength: 20_000, description: 'The text of the update.' }),
  updateDateTime: time('When the update was written; ISO 8601, UTC.'),
});

const region = {
  impactedRegion: Name,
  status: Type.Optional(Status),
  impactedSubscriptions: list(Guid, 1000, 'The affected subscriptions.'),
  impactedTenants: list(Guid, 1000, 'The affected tenants; all their subscriptions are affected.'),
  lastUpdateTime: time('When the region was last updated; ISO 8601, UTC.'),
  updates: list(Update, 500),
};

const Impact = Type.Object({
  impactedService: Name,
  impactedServiceGuid: text(64, 'A permanent ID of the affected service.'),
  impactedRegions: list(Type.Object(region), 100),
});

const Link = Type.Object({
  type: Type.Optional(Type.Enum(['Button', 'Hyperlink'])),
  displayText: Type.Optional(Type.Object({ value: text(1000), localizedValue: text(1000) })),
  extensionName: text(200, 'The extension of the portal that the link opens.'),
  bladeName: text(200, 'The page of that extension.'),
  parameters: Parameters,
});

/** The fields that an operator sets; the server computes the others. */
const eventFields = {
  eventSource: Type.Optional(Type.Enum([...eventSources])),
  status: Type.Optional(Type.Enum([...eventStatuses], { description: 'Derived from the regions, if there are any.' })),
  title: Type.String({ minLength: 1, maxLength: 1000 }),
  summary: text(20_000, 'A short summary of the event.'),
  header: text(1000, 'The header of the event.'),
  description: text(100_000, 'The message to readers: summary, root cause and other details.'),
  article: Type.Optional(
    Type.Object({
      articleContent: text(200_000, 'May contain HTML.'),
      articleId: text(200),
      parameters: Parameters,
    }),
  ),
  links: list(Link, 50),
  level: Type.Optional(Type.Enum([...levels], { description: 'How severe the insight is.' })),
  eventLevel: Type.Optional(Type.Enum([...eventLevels], { description: 'How severe the event is.' })),
  externalIncidentId: text(200, 'The ID of the incident in another system.'),
  reason: text(1000, 'The cause of the event.'),
  impactType: text(200, 'The type of the impact.'),
  impactStartTime: time('When the impact started; ISO 8601, UTC.'),
  impactMitigationTime: time('When the impact ended; ISO 8601, UTC.'),
  impact: list(Impact, 200, 'The affected services and their regions.'),
  recommendedActions: Type.Optional(
    Type.Object({
      actions: list(
        Type.Object({
          actionText: text(10_000),
          groupId: Type.Optional(
            Type.Integer({
              minimum: -2_147_483_648,
              maximum: 2_147_483_647,
              description: 'Actions with the same number belong together.',
            }),
          ),
        }),
        100,
      ),
      localeCode: Locale,
      message: text(1000),
    }),
  ),
  faqs: list(Type.Object({ question: text(10_000), answer: text(10_000), localeCode: Locale }), 100),
  additionalInformation: Type.Optional(Type.Object({ message: text(10_000) })),
  isHIR: flag('True for an event with a high incident rate.'),
  enableVendorSupport: flag('True if vendor support is available for the event.'),
  enableChatWithUs: flag('True if support chat is available for the event.'),
  platformInitiated: flag('True if the platform caused the event.'),
  hirStage: text(100, 'The stage of an event with a high incident rate.'),
};

const EventType = Type.Enum([...eventTypes]);

export const EventInput = Type.Object({ eventType: EventType, ...eventFields });

const createdByTypes = ['Application', 'Key', 'ManagedIdentity', 'User'] as const;
const EventProperties = Type.Object({
  eventType: EventType,
  ...eventFields,
  priority: Type.Integer({ minimum: 0, maximum: 23, description: '0 is the highest.' }),
  duration: Type.Optional(Type.Integer({ minimum: 0, description: 'The duration in seconds.' })),
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
    id: Type.String({ description: 'The full resource ID.' }),
    name: Type.String({ description: 'The tracking ID.' }),
    type: Type.String(),
    systemData: SystemData,
    properties: EventProperties,
  },
  { $id: 'HealthEvent' },
);

export const EventsPage = Type.Object(
  {
    value: Type.Array(HealthEvent),
    nextLink: Type.Optional(Type.String({ description: 'The URL of the next page. Absent on the last page.' })),
  },
  { $id: 'EventsPage' },
);

export const TrackingId = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  description: 'Letters, digits, "-" and "_". At most 64 characters, unique regardless of case.',
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
        'Only events whose lastUpdateTime is at or after this time: month/day/year, or ISO 8601 (UTC by default).',
    }),
  ),
  search: Type.Optional(searchIn('the title, the tracking ID, the services or the regions')),
  $skipToken: Type.Optional(Type.String({ maxLength: 16_384, description: 'From the nextLink of the previous page.' })),
});

const IfMatch = {
  'if-match': Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'The ETag of the event as you read it. Fails with 412 if the event has changed since.',
    }),
  ),
};

export const provider = '/providers/Vendor.ResourceHealth/events';
const one = `${provider}/{trackingId}` as const;

export const Events_ListBySubscriptionId = endpoint({
  id: 'Events_ListBySubscriptionId',
  method: 'GET',
  path: `/subscriptions/{subscriptionId}${provider}`,
  surface: healthSurface,
  tag: 'health events',
  summary: 'List the service health events of a subscription',
  description: 'Newest lastUpdateTime first. An event with no subscription or tenant in its regions is for everyone.',
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
  surface: healthSurface,
  tag: 'health events',
  summary: 'Get one event of a subscription',
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
  surface: healthSurface,
  tag: 'health events',
  summary: 'List the events of all subscriptions that the caller may read',
  description:
    'Also includes events for everyone. Administrators and operators see all events with all subscriptions and tenants.',
  access: 'user',
  effect: 'read',
  query: ListQuery,
  response: json(EventsPage, { description: 'A page of events.', isWritten: true }),
});

export const Event_GetByTenantIdAndTrackingId = endpoint({
  id: 'Event_GetByTenantIdAndTrackingId',
  method: 'GET',
  path: one,
  surface: healthSurface,
  tag: 'health events',
  summary: 'Get one event, with its ETag',
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
  surface: healthSurface,
  tag: 'health events',
  summary: 'Publish or replace an event',
  description:
    'The server sets priority, duration, lastUpdateTime and systemData. The status follows the regions: the event is Resolved when all its regions are.',
  access: 'operator',
  effect: 'change',
  params: Type.Object(TrackingPath),
  query: Type.Object(ApiVersion),
  headers: Type.Object({
    ...IfMatch,
    'if-none-match': Type.Optional(Type.Enum(['*'], { description: '`*`: fail if the event exists.' })),
  }),
  request: json(Type.Object({ properties: EventInput })),
  response: json(HealthEvent, { description: 'The updated event.', mayCreate: true, isWritten: true }),
  errors: [412],
});

export const HealthEvent_Change = endpoint({
  id: 'HealthEvent_Change',
  method: 'PATCH',
  path: one,
  surface: healthSurface,
  tag: 'health events',
  summary: 'Update an event by JSON merge patch',
  description: 'Objects are merged, null removes a field, arrays are replaced as a whole.',
  access: 'operator',
  effect: 'change',
  params: Type.Object(TrackingPath),
  query: Type.Object(ApiVersion),
  headers: Type.Object(IfMatch),
  request: json(Type.Object({ properties: Type.Object({}, { description: 'The properties to change.' }) })),
  response: json(HealthEvent, { description: 'The updated event.', isWritten: true }),
  errors: [404, 412],
});

export const HealthEvent_Withdraw = endpoint({
  id: 'HealthEvent_Withdraw',
  method: 'DELETE',
  path: one,
  surface: healthSurface,
  tag: 'health events',
  summary: 'Withdraw an event',
  access: 'operator',
  effect: 'change',
  params: Type.Object(TrackingPath),
  query: Type.Object(ApiVersion),
  headers: Type.Object(IfMatch),
  response: empty({ description: 'Deleted.' }),
  errors: [404, 412],
});

export const HealthEvents_Watch = endpoint({
  id: 'HealthEvents_Watch',
  method: 'GET',
  path: '/v0.1/health/live',
  tag: 'health events',
  summary: 'Watch health events for changes, as server-sent events',
  description: "Reports that any event changed, even one that the caller can't read; read the list for details.",
  access: 'user',
  effect: 'read',
  query: Type.Object(LiveQuery),
  response: liveEvents(['events']),
});

export const HealthEvent_Update = endpoint({
  id: 'HealthEvent_Update',
  method: 'POST',
  path: `${one}/updates`,
  surface: healthSurface,
  tag: 'health events',
  summary: 'Add an update to a region of a service',
  description:
    'Updates lastUpdateTime of the region and of the event. If set, `status` becomes the status of the region.',
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
  response: json(HealthEvent, { description: 'The updated event.', isWritten: true }),
  errors: [404, 409, 412],
});

/** The format of the list. Fields that the server computes are ignored. */
const ImportedEvent = Type.Object({
  name: Type.String({ description: 'The tracking ID.' }),
  properties: Type.Object({ eventType: EventType, ...eventFields, lastUpdateTime: Type.Optional(Time) }),
});

const count = (description: string) => Type.Integer({ minimum: 0, description });

const Progress = Type.Object({
  bytes: count('The number of bytes processed.'),
  totalBytes: count('The size of the file.'),
  read: count('The number of events read.'),
  imported: count('The number of new events.'),
  replaced: count('The number of existing events that were replaced.'),
  unchanged: count('The number of existing events that are the same as in the file.'),
  refusedCount: count('The number of rejected events.'),
});

export const ImportReport = Type.Object(
  {
    id: Type.String({ description: 'Identifies the import in the audit log.' }),
    sha256: Type.String({ description: 'The SHA-256 of the file, in hexadecimal.' }),
    ...Progress.properties,
    refused: Type.Array(
      Type.Object({
        index: count('The index of the event in the file, from 0.'),
        trackingId: Type.Optional(Type.String()),
        code: Type.String({ description: 'The error code for this event.' }),
        message: Type.String(),
      }),
      { description: 'The first 1,000 rejected events.' },
    ),
  },
  { $id: 'HealthImportReport' },
);

export const HealthEvents_Import = endpoint({
  id: 'HealthEvents_Import',
  method: 'POST',
  path: `${provider}/import`,
  surface: healthSurface,
  tag: 'health events',
  summary: 'Import a file of health events',
  description:
    'Accepts a page of events in the format of the list, an array of events, or one event per line. Each event is published or replaced separately and keeps its times; systemData shows who imported it. Importing the same file again has no effect.',
  access: 'operator',
  effect: 'change',
  query: Type.Object(ApiVersion),
  request: file({
    types: ['application/json', 'application/x-ndjson'],
    maxBytes: 104_857_600,
    content: Type.Object({ value: Type.Array(ImportedEvent) }),
  }),
  response: lines(ImportReport, { progress: Progress, description: 'The result of the import.' }),
});
