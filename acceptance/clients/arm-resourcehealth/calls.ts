import type { HealthClient, HealthEvent } from './client.ts';

/** The caller, by its token: a reader, a user without access, or an invalid token. */
export type Who = 'reader' | 'browser' | 'stranger' | 'anonymous' | 'wrong' | 'expired' | 'elsewhere';

export const mine = '11111111-1111-4111-8111-111111111111';
export const other = '22222222-2222-4222-8222-222222222222';
export const nowhere = '99999999-9999-4999-8999-999999999999';
export const tenant = '33333333-3333-4333-8333-333333333333';

/** Events published before the calls, oldest first; a page has two. */
const impact = (service: string, region: string, more: object = {}) => [
  { impactedService: service, impactedRegions: [{ impactedRegion: region, ...more }] },
];
export const published: [trackingId: string, properties: object][] = [
  ['VM-1', { impact: impact('Virtual Machines', 'West US'), eventLevel: 'Critical' }],
  ['MAIL-1', { eventType: 'PlannedMaintenance', impact: impact('Mail', 'North'), enableMicrosoftSupport: true }],
  ['VM-2', { impact: impact('Virtual Machines', 'North', { impactedSubscriptions: [mine, other] }) }],
  ['SECRET', { impact: impact('Mail', 'West US', { impactedSubscriptions: [other] }) }],
  ['DB-1', { impact: impact("Söhne's Database", 'West US', { status: 'Resolved', impactedTenants: [tenant] }) }],
  ['VM-3', { impact: impact('Virtual Machines', 'South') }],
];

export interface Call {
  /** The code after `client.`. */
  line: string;
  /** The behavior that the call demonstrates. */
  shows: string;
  who?: Who;
  subscription?: string;
  /** `null`: the client's default version. */
  apiVersion?: string | null;
  run(client: HealthClient): Promise<unknown>;
  /** The minimum result of the call. */
  returns?: unknown;
  /** Or the error of the call. */
  fails?: { statusCode: number; code: string };
}

const names = (events: readonly HealthEvent[]) => events.map(({ name }) => name);

async function pages(paged: ReturnType<HealthClient['eventsOperations']['listByTenantId']>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const page of paged.byPage()) all.push(names(page));
  return all;
}

async function all(paged: AsyncIterable<HealthEvent>): Promise<HealthEvent[]> {
  const events: HealthEvent[] = [];
  for await (const event of paged) events.push(event);
  return events;
}

const filter = "service eq 'Virtual Machines' or region eq 'West US'";
const everything = (client: HealthClient) => all(client.eventsOperations.listBySubscriptionId()).then(names);
const list = 'eventsOperations.listBySubscriptionId()';

export const calls: Call[] = [
  {
    line: 'eventsOperations.listBySubscriptionId({ filter, queryStartTime }).byPage()',
    shows: 'Reads all pages, with a filter and a start time.',
    run: ({ eventsOperations }) =>
      pages(eventsOperations.listBySubscriptionId({ filter, queryStartTime: '7/24/2020' })),
    returns: [
      ['VM-3', 'DB-1'],
      ['VM-2', 'VM-1'],
    ],
  },
  {
    line: 'eventsOperations.listBySubscriptionId({ filter, queryStartTime }).byPage()',
    shows: 'The same with the default version of the client, which `MOORING_HEALTH_API_VERSIONS` allows.',
    apiVersion: null,
    run: ({ eventsOperations }) =>
      pages(eventsOperations.listBySubscriptionId({ filter, queryStartTime: '2020-07-24T00:00:00' })),
    returns: [
      ['VM-3', 'DB-1'],
      ['VM-2', 'VM-1'],
    ],
  },
  {
    line: list,
    shows: 'Returns exactly the events that apply to the subscription, newest first.',
    run: everything,
    returns: ['VM-3', 'DB-1', 'VM-2', 'MAIL-1', 'VM-1'],
  },
  {
    line: list,
    shows: 'The same with an access token of the implicit flow.',
    who: 'browser',
    run: everything,
    returns: ['VM-3', 'DB-1', 'VM-2', 'MAIL-1', 'VM-1'],
  },
  {
    line: `eventsOperations.listBySubscriptionId({ filter: "service eq 'söhne''s database'" })`,
    shows: 'Matches quotes and letters of any language, ignoring case.',
    run: ({ eventsOperations }) =>
      all(eventsOperations.listBySubscriptionId({ filter: "service eq 'söhne''s database'" })),
    returns: [
      {
        id: '/providers/Microsoft.ResourceHealth/events/DB-1',
        type: '/providers/Microsoft.ResourceHealth/events',
        name: 'DB-1',
        status: 'Resolved',
        impact: [{ impactedRegions: [{ impactedTenants: [tenant], impactedSubscriptions: [] }] }],
      },
    ],
  },
  {
    line: "eventsOperations.listBySubscriptionId({ queryStartTime: '12/31/2999' })",
    shows: 'Returns an empty list: no event since then.',
    run: ({ eventsOperations }) => all(eventsOperations.listBySubscriptionId({ queryStartTime: '12/31/2999' })),
    returns: [],
  },
  {
    line: "eventOperations.getBySubscriptionIdAndTrackingId('MAIL-1')",
    shows: 'Returns one event. The client knows `enableMicrosoftSupport`, so the vendor name is Microsoft.',
    run: ({ eventOperations }) => eventOperations.getBySubscriptionIdAndTrackingId('MAIL-1'),
    returns: { name: 'MAIL-1', eventType: 'PlannedMaintenance', enableMicrosoftSupport: true, priority: 14 },
  },
  {
    line: "eventOperations.getBySubscriptionIdAndTrackingId('SECRET')",
    shows: 'The event applies to another subscription.',
    run: ({ eventOperations }) => eventOperations.getBySubscriptionIdAndTrackingId('SECRET'),
    fails: { statusCode: 404, code: 'ResourceNotFound' },
  },
  {
    line: 'eventsOperations.listByTenantId({ filter }).byPage()',
    shows: 'Returns all events that the caller may read, in pages.',
    run: ({ eventsOperations }) => pages(eventsOperations.listByTenantId({ filter: "region eq 'North'" })),
    returns: [['VM-2', 'MAIL-1']],
  },
  {
    line: "eventOperations.getByTenantIdAndTrackingId('vm-1')",
    shows: 'Returns one of these; the tracking ID ignores case.',
    run: ({ eventOperations }) => eventOperations.getByTenantIdAndTrackingId('vm-1'),
    returns: { name: 'VM-1', eventLevel: 'Critical', priority: 0, isHIR: false },
  },
  {
    line: `eventsOperations.listBySubscriptionId({ filter: "colour eq 'red'" })`,
    shows: 'The filter is invalid.',
    run: ({ eventsOperations }) => all(eventsOperations.listBySubscriptionId({ filter: "colour eq 'red'" })),
    fails: { statusCode: 400, code: 'InvalidFilterInQueryString' },
  },
  {
    line: "eventsOperations.listBySubscriptionId({ queryStartTime: '2/30/2020' })",
    shows: 'The day does not exist.',
    run: ({ eventsOperations }) => all(eventsOperations.listBySubscriptionId({ queryStartTime: '2/30/2020' })),
    fails: { statusCode: 400, code: 'InvalidQueryStartTime' },
  },
  {
    line: list,
    shows: 'The version is not supported.',
    apiVersion: '2015-01-01',
    run: everything,
    fails: { statusCode: 400, code: 'InvalidApiVersionParameter' },
  },
  {
    line: list,
    shows: 'The token is empty. Without a credential, the client sends no request.',
    who: 'anonymous',
    run: everything,
    fails: { statusCode: 401, code: 'InvalidAuthenticationToken' },
  },
  {
    line: list,
    shows: 'The token is unknown.',
    who: 'wrong',
    run: everything,
    fails: { statusCode: 401, code: 'InvalidAuthenticationToken' },
  },
  {
    line: list,
    shows: 'The token has expired.',
    who: 'expired',
    run: everything,
    fails: { statusCode: 401, code: 'ExpiredAuthenticationToken' },
  },
  {
    line: list,
    shows: 'The token is for another server.',
    who: 'elsewhere',
    run: everything,
    fails: { statusCode: 401, code: 'InvalidAuthenticationTokenAudience' },
  },
  {
    line: list,
    shows: 'The caller may not read the subscription.',
    who: 'stranger',
    run: everything,
    fails: { statusCode: 403, code: 'AuthorizationFailed' },
  },
  {
    line: list,
    shows: 'The subscription does not exist.',
    subscription: nowhere,
    run: everything,
    fails: { statusCode: 404, code: 'SubscriptionNotFound' },
  },
  {
    line: list,
    shows: 'The subscription ID is not a GUID.',
    subscription: 'mine',
    run: everything,
    fails: { statusCode: 400, code: 'InvalidSubscriptionId' },
  },
];

/** A separate test covers it. */
export const throttled = 'Continues a list after 429, when `Retry-After` has passed.';
