import type { HealthClient, HealthEvent } from './client.ts';

/** Who calls: somebody with a token of this server, a stranger, or one with a token that does not hold. */
export type Who = 'reader' | 'browser' | 'stranger' | 'nobody' | 'wrong' | 'expired' | 'elsewhere';

export const mine = '11111111-1111-4111-8111-111111111111';
export const other = '22222222-2222-4222-8222-222222222222';
export const nowhere = '99999999-9999-4999-8999-999999999999';
export const tenant = '33333333-3333-4333-8333-333333333333';

/** What is published before the calls, oldest first; two fit on a page. */
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
  /** What one writes after `client.`. */
  line: string;
  /** What it shows. */
  shows: string;
  who?: Who;
  subscription?: string;
  /** `null`: the version that the client asks for by itself. */
  apiVersion?: string | null;
  run(client: HealthClient): Promise<unknown>;
  /** What the call gives, at least. */
  gives?: unknown;
  /** Or with which error it fails. */
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
    shows: 'Pages are followed, with a filter and a start.',
    run: ({ eventsOperations }) =>
      pages(eventsOperations.listBySubscriptionId({ filter, queryStartTime: '7/24/2020' })),
    gives: [
      ['VM-3', 'DB-1'],
      ['VM-2', 'VM-1'],
    ],
  },
  {
    line: 'eventsOperations.listBySubscriptionId({ filter, queryStartTime }).byPage()',
    shows: 'The same with the version that the client asks for by itself, which `MOORING_HEALTH_API_VERSIONS` allows.',
    apiVersion: null,
    run: ({ eventsOperations }) =>
      pages(eventsOperations.listBySubscriptionId({ filter, queryStartTime: '2020-07-24T00:00:00' })),
    gives: [
      ['VM-3', 'DB-1'],
      ['VM-2', 'VM-1'],
    ],
  },
  {
    line: list,
    shows: 'All events that apply to the subscription, newest first, and no others.',
    run: everything,
    gives: ['VM-3', 'DB-1', 'VM-2', 'MAIL-1', 'VM-1'],
  },
  {
    line: list,
    shows: 'The same with an access token that a browser got by the implicit flow.',
    who: 'browser',
    run: everything,
    gives: ['VM-3', 'DB-1', 'VM-2', 'MAIL-1', 'VM-1'],
  },
  {
    line: `eventsOperations.listBySubscriptionId({ filter: "service eq 'söhne''s database'" })`,
    shows: 'Quotes, letters of any language and their case arrive.',
    run: ({ eventsOperations }) =>
      all(eventsOperations.listBySubscriptionId({ filter: "service eq 'söhne''s database'" })),
    gives: [
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
    shows: 'No event since then: an empty list.',
    run: ({ eventsOperations }) => all(eventsOperations.listBySubscriptionId({ queryStartTime: '12/31/2999' })),
    gives: [],
  },
  {
    line: "eventOperations.getBySubscriptionIdAndTrackingId('MAIL-1')",
    shows: 'One event; `enableMicrosoftSupport` is what the client knows, so the vendor is called Microsoft.',
    run: ({ eventOperations }) => eventOperations.getBySubscriptionIdAndTrackingId('MAIL-1'),
    gives: { name: 'MAIL-1', eventType: 'PlannedMaintenance', enableMicrosoftSupport: true, priority: 14 },
  },
  {
    line: "eventOperations.getBySubscriptionIdAndTrackingId('SECRET')",
    shows: 'An event of somebody else is not there.',
    run: ({ eventOperations }) => eventOperations.getBySubscriptionIdAndTrackingId('SECRET'),
    fails: { statusCode: 404, code: 'ResourceNotFound' },
  },
  {
    line: 'eventsOperations.listByTenantId({ filter }).byPage()',
    shows: 'Everything that the caller may read, in pages.',
    run: ({ eventsOperations }) => pages(eventsOperations.listByTenantId({ filter: "region eq 'North'" })),
    gives: [['VM-2', 'MAIL-1']],
  },
  {
    line: "eventOperations.getByTenantIdAndTrackingId('vm-1')",
    shows: 'One of those, in any spelling.',
    run: ({ eventOperations }) => eventOperations.getByTenantIdAndTrackingId('vm-1'),
    gives: { name: 'VM-1', eventLevel: 'Critical', priority: 0, isHIR: false },
  },
  {
    line: `eventsOperations.listBySubscriptionId({ filter: "colour eq 'red'" })`,
    shows: 'A filter that is not understood.',
    run: ({ eventsOperations }) => all(eventsOperations.listBySubscriptionId({ filter: "colour eq 'red'" })),
    fails: { statusCode: 400, code: 'InvalidFilterInQueryString' },
  },
  {
    line: "eventsOperations.listBySubscriptionId({ queryStartTime: '2/30/2020' })",
    shows: 'A day that does not exist.',
    run: ({ eventsOperations }) => all(eventsOperations.listBySubscriptionId({ queryStartTime: '2/30/2020' })),
    fails: { statusCode: 400, code: 'InvalidQueryStartTime' },
  },
  {
    line: list,
    shows: 'A version that is not served.',
    apiVersion: '2015-01-01',
    run: everything,
    fails: { statusCode: 400, code: 'InvalidApiVersionParameter' },
  },
  {
    line: list,
    shows: 'A credential that gives an empty token; without one the client sends nothing at all.',
    who: 'nobody',
    run: everything,
    fails: { statusCode: 401, code: 'InvalidAuthenticationToken' },
  },
  {
    line: list,
    shows: 'A token that nobody made.',
    who: 'wrong',
    run: everything,
    fails: { statusCode: 401, code: 'InvalidAuthenticationToken' },
  },
  {
    line: list,
    shows: 'A token that has expired.',
    who: 'expired',
    run: everything,
    fails: { statusCode: 401, code: 'ExpiredAuthenticationToken' },
  },
  {
    line: list,
    shows: 'A token for another server.',
    who: 'elsewhere',
    run: everything,
    fails: { statusCode: 401, code: 'InvalidAuthenticationTokenAudience' },
  },
  {
    line: list,
    shows: 'A subscription that the caller may not read.',
    who: 'stranger',
    run: everything,
    fails: { statusCode: 403, code: 'AuthorizationFailed' },
  },
  {
    line: list,
    shows: 'A subscription that does not exist.',
    subscription: nowhere,
    run: everything,
    fails: { statusCode: 404, code: 'SubscriptionNotFound' },
  },
  {
    line: list,
    shows: 'What is no GUID.',
    subscription: 'mine',
    run: everything,
    fails: { statusCode: 400, code: 'InvalidSubscriptionId' },
  },
];

/** Shown by a test of its own. */
export const throttled = 'A list that is refused with 429 in its middle goes on when `Retry-After` is over.';
