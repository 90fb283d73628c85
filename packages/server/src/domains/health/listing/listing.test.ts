import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anySign } from '../../../../../../test-support/hostile-text.ts';
import { type TestApp, testApp } from '../../../../test/harness/app.ts';
import { anyFilter } from '../../../../test/harness/references/filters.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { systemCtx } from '../../../context.ts';
import type { EventDraft } from '../events/event-rules.ts';
import { type Publication, publishEvents } from '../events/health-events.ts';
import { getPriority } from '../events/priority.ts';
import type { FilterFields } from '../filter/event-properties.ts';
import { formatFilter } from '../filter/filter.ts';
import { matchesFilter } from '../filter/filter-match.ts';

const mine = '11111111-1111-4111-8111-111111111111';
const other = '22222222-2222-4222-8222-222222222222';
const tenant = '33333333-3333-4333-8333-333333333333';
const foreign = '44444444-4444-4444-8444-444444444444';
const version = 'api-version=2024-02-01';
const base = `/subscriptions/${mine}/providers/Vendor.ResourceHealth/events`;

interface WireEvent {
  name: string;
  properties: EventDraft & { priority: number; lastUpdateTime: string };
}
interface WirePage {
  value: WireEvent[];
  nextLink?: string;
}

async function createFixtures(dialect: 'sqlite' | 'postgres', settings = {}) {
  const app = await testApp(dialect, settings);
  const ada = await app.addUser('ada');
  await app.addSubscription(mine, 'ada', tenant);
  await app.addSubscription(other, 'ada', foreign);
  return { app, token: await app.userToken(ada) };
}

/** Follows nextLink to the end; returns the names on each page. */
async function readAll(app: TestApp, token: string, url: string): Promise<WirePage[]> {
  const pages: WirePage[] = [];
  for (let next: string | undefined = url; next; next = pages.at(-1)?.nextLink) {
    const response = await app.call('GET', next.replace(/^https:\/\/[^/]+/, ''), { token });
    expect([response.statusCode, response.body]).toEqual([200, response.body]);
    pages.push(response.json());
    expect(pages.length).toBeLessThan(100);
  }
  return pages;
}

const namesIn = (pages: WirePage[]): string[] => pages.flatMap(({ value }) => value.map(({ name }) => name));

const names = ['Mail', 'MAIL', 'mail ', 'Émail', "O'Neill", '%', '_', 'a\\b'];
const times = [0, 1, 1_700_000_000_000, 1_700_000_000_001];
const iso = (time: number) => new Date(time).toISOString();

const anyRegions = fc.uniqueArray(
  fc.record({
    impactedRegion: fc.constantFrom(...names),
    status: fc.constantFrom('Active' as const, 'Resolved' as const),
    impactedSubscriptions: fc.subarray([mine, other], { maxLength: 1 }),
    impactedTenants: fc.subarray([tenant, foreign], { maxLength: 1 }),
  }),
  { selector: ({ impactedRegion }) => impactedRegion.toLowerCase(), maxLength: 3 },
);

const anyEvent: fc.Arbitrary<EventDraft> = fc.record(
  {
    title: fc.constant('Broken'),
    eventType: fc.constantFrom('ServiceIssue' as const, 'RCA' as const, 'PlannedMaintenance' as const),
    eventSource: fc.constantFrom('ResourceHealth' as const, 'ServiceHealth' as const),
    eventLevel: fc.constantFrom('Critical' as const, 'Warning' as const),
    level: fc.constantFrom('Critical' as const, 'Warning' as const),
    isHIR: fc.boolean(),
    impactStartTime: fc.constantFrom(...times).map(iso),
    lastUpdateTime: fc.constantFrom(...times).map(iso),
    impact: fc.uniqueArray(fc.record({ impactedService: fc.constantFrom(...names), impactedRegions: anyRegions }), {
      selector: ({ impactedService }) => impactedService.toLowerCase(),
      maxLength: 3,
    }),
  },
  { requiredKeys: ['title', 'eventType', 'impactStartTime', 'lastUpdateTime'] },
);

const listRegions = ({ impact = [] }: EventDraft) => impact.flatMap(({ impactedRegions = [] }) => impactedRegions);

const applies = (draft: EventDraft): boolean => {
  const regions = listRegions(draft);
  return (
    regions.length === 0 ||
    regions.some(({ impactedSubscriptions: s = [], impactedTenants: t = [] }) =>
      s.length + t.length === 0 ? true : s.includes(mine) || t.includes(tenant),
    )
  );
};

function toFilterFields({ trackingId, draft }: Publication): FilterFields {
  const regions = listRegions(draft);
  const isResolved = regions.length > 0 && regions.every(({ status }) => status === 'Resolved');
  const status = isResolved ? 'Resolved' : 'Active';
  return {
    service: (draft.impact ?? []).map(({ impactedService }) => impactedService),
    region: regions.map(({ impactedRegion }) => impactedRegion),
    eventType: draft.eventType,
    eventSource: draft.eventSource,
    status,
    eventLevel: draft.eventLevel,
    level: draft.level,
    trackingId,
    isHIR: draft.isHIR ?? false,
    priority: getPriority({ ...draft, status }),
    lastUpdateTime: Date.parse(draft.lastUpdateTime ?? ''),
    impactStartTime: Date.parse(draft.impactStartTime ?? ''),
  };
}

eachDatabase('listing', (dialect) => {
  test('is searched by title, tracking ID, service and region, page by page, together with a filter', async () => {
    const { app, token } = await createFixtures(dialect, { healthPageSize: 2 });
    const at = (minute: number) => iso(1_700_000_000_000 + minute * 60_000);
    const event = (
      minute: number,
      title: string,
      impactedService: string,
      more: Partial<EventDraft> = {},
    ): EventDraft => ({
      title,
      eventType: 'ServiceIssue',
      impactStartTime: at(0),
      lastUpdateTime: at(minute),
      impact: [
        {
          impactedService,
          impactedRegions: [{ impactedRegion: 'Île-de-France', impactedSubscriptions: [], impactedTenants: [] }],
        },
      ],
      ...more,
    });
    const drafts = {
      'OLD-1': event(1, 'Ärger mit der Post', 'Mail'),
      'OLD-2': event(2, 'Arger still', 'Queues', { eventType: 'RCA' }),
      'NEW-3': event(3, 'Slow answers', 'ÄRGER GmbH'),
      'ARGER-4': event(4, 'Nothing', 'Mail'),
      'NEW-5': event(5, '100 % broken', 'Mail'),
    };
    await publishEvents(
      systemCtx(app.deps),
      Object.entries(drafts).map(([trackingId, draft]) => ({ trackingId, draft })),
    );
    const find = async (search: string, filter = '') =>
      namesIn(await readAll(app, token, `${base}?${version}&search=${encodeURIComponent(search)}${filter}`));
    expect(await find('ärger')).toEqual(['ARGER-4', 'NEW-3', 'OLD-2', 'OLD-1']);
    expect(await find('ARGER mail')).toEqual(['ARGER-4', 'OLD-1']);
    expect(await find('ile-de')).toHaveLength(5);
    expect(await find('arger', "&$filter=eventType%20eq%20'RCA'")).toEqual(['OLD-2']);
    expect(await find('%')).toEqual(['NEW-5']);
    expect(await find('properties')).toEqual([]);
    const refused = await app.call('GET', `${base}?${version}&search=a+b+c+d+e+f+g+h+i`, { token });
    expect([refused.statusCode, refused.json().message]).toEqual([400, 'search accepts at most 8 words. Remove some.']);
  });

  test('agrees with a naive model, for any events, filter and page size', async () => {
    const { app, token } = await createFixtures(dialect);
    const { config } = app.deps;
    let batch = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyEvent, { maxLength: 12 }),
        fc.option(anyFilter({ depth: 2 }), { nil: undefined }),
        fc.option(fc.constantFrom(...times), { nil: undefined }),
        fc.integer({ min: 1, max: 5 }),
        async (events, filter, from, size) => {
          batch += 1;
          await app.database.transaction(async (db) => {
            await db.query((q) => q.deleteFrom('health_index'));
            await db.query((q) => q.deleteFrom('health_events'));
          });
          const all = events.map((draft, at) => ({ trackingId: `E-${at % 2 ? 'b' : 'A'}-${batch}-${at}`, draft }));
          await publishEvents(systemCtx(app.deps), all);
          const expected = all
            .map((event) => ({ event, fields: toFilterFields(event) }))
            .filter(({ event, fields }) => applies(event.draft) && (!filter || matchesFilter(filter, fields)))
            .filter(({ fields }) => from === undefined || Number(fields.lastUpdateTime) >= from)
            .sort(
              (a, b) =>
                Number(b.fields.lastUpdateTime) - Number(a.fields.lastUpdateTime) ||
                (a.event.trackingId < b.event.trackingId ? -1 : 1),
            )
            .map(({ event }) => event.trackingId);
          Object.assign(config, { healthPageSize: size });
          const query = new URLSearchParams({ 'api-version': '2024-02-01' });
          if (filter) query.set('$filter', formatFilter(filter));
          if (from !== undefined) query.set('queryStartTime', iso(from));
          // A batch without events does not change the version, so the URL must differ.
          query.set('batch', String(batch));
          const pages = await readAll(app, token, `${base}?${query}`);
          expect(namesIn(pages)).toEqual(expected);
          for (const { value } of pages) expect(value.length).toBeLessThanOrEqual(size);
        },
      ),
      { numRuns: dialect === 'sqlite' ? 150 : 50 },
    );
  });

  test('shows only the caller’s own subscriptions and tenants of an event', async () => {
    const { app, token } = await createFixtures(dialect);
    await app.publish('BOTH', {
      impact: [
        {
          impactedService: 'Mail',
          impactedRegions: [
            { impactedRegion: 'North', impactedSubscriptions: [other, mine.toUpperCase()], impactedTenants: [foreign] },
            { impactedRegion: 'South', impactedTenants: [tenant, foreign] },
          ],
        },
      ],
    });
    await app.publish('OTHER', {
      impact: [{ impactedService: 'Mail', impactedRegions: [{ impactedRegion: 'North', impactedTenants: [foreign] }] }],
    });
    const [page] = await readAll(app, token, `${base}?${version}`);
    expect(page?.value.map(({ name }) => name)).toEqual(['BOTH']);
    expect(page?.value[0]?.properties.impact?.[0]?.impactedRegions).toMatchObject([
      { impactedRegion: 'North', impactedSubscriptions: [mine], impactedTenants: [] },
      { impactedRegion: 'South', impactedSubscriptions: [], impactedTenants: [tenant] },
    ]);
    expect(JSON.stringify(page)).not.toContain(other);
    expect(JSON.stringify(page)).not.toContain(foreign);
    const one = await app.call('GET', `${base}/both?${version}`, { token });
    expect(one.json()).toEqual(page?.value[0]);
    expect((await app.call('GET', `${base}/OTHER?${version}`, { token })).statusCode).toBe(404);
  });

  test('a cached page is discarded when an event changes, on every process', async () => {
    const { app, token } = await createFixtures(dialect);
    const another = await app.another();
    const list = async () =>
      (await another.http.inject({ url: `${base}?${version}`, headers: { 'x-api-token': token } }))
        .json<WirePage>()
        .value.map(({ properties }) => properties.title);
    await app.publish('ONE', { title: 'First' });
    expect([await list(), await list()]).toEqual([['First'], ['First']]);
    await app.publish('ONE', { title: 'Second' });
    expect(await list()).toEqual(['Second']);
  });

  test('a filter that the index cannot answer produces short pages and misses nothing', async () => {
    const { app, token } = await createFixtures(dialect, { healthPageSize: 2 });
    const draft = (at: number): EventDraft => ({
      eventType: 'ServiceIssue',
      title: 'Broken',
      eventLevel: at % 700 === 0 ? 'Critical' : 'Warning',
      lastUpdateTime: iso(1_700_000_000_000 - at),
    });
    const batch = Array.from({ length: 1500 }, (_, at) => ({ trackingId: `E-${at}`, draft: draft(at) }));
    await publishEvents(systemCtx(app.deps), batch);
    const filter = encodeURIComponent("eventLevel eq 'Critical'");
    const pages = await readAll(app, token, `${base}?${version}&$filter=${filter}`);
    expect(namesIn(pages)).toEqual(['E-0', 'E-700', 'E-1400']);
  });

  test('the tenant-wide list contains events of all subscriptions of the caller; operators see every event completely', async () => {
    const { app, token } = await createFixtures(dialect);
    const impact = (ids: string[]) => [
      { impactedService: 'Mail', impactedRegions: [{ impactedRegion: 'North', impactedSubscriptions: ids }] },
    ];
    const strange = '77777777-7777-4777-8777-777777777777';
    await app.publish('MINE', { impact: impact([mine, strange]) });
    await app.publish('ALL', {});
    await app.publish('FOREIGN', { impact: impact([strange]) });
    const everywhere = `/providers/Vendor.ResourceHealth/events?${version}`;
    const pages = await readAll(app, token, everywhere);
    expect(namesIn(pages).sort()).toEqual(['ALL', 'MINE']);
    expect(JSON.stringify(pages)).not.toContain(strange);
    const stranger = await app.userToken(await app.addUser('stranger'));
    expect(namesIn(await readAll(app, stranger, everywhere))).toEqual(['ALL']);
    const admin = await app.userToken(await app.addUser('root', { isAdmin: true }));
    const filter = encodeURIComponent("service eq 'mail'");
    const seen = await readAll(app, admin, `${everywhere}&$filter=${filter}`);
    expect(namesIn(seen).sort()).toEqual(['FOREIGN', 'MINE']);
    expect(JSON.stringify(seen)).toContain(strange);
  });

  test('returns exactly the visible events to a reader with more subscriptions than one index query covers', async () => {
    const { app } = await createFixtures(dialect, { healthPageSize: 3 });
    const grace = await app.addUser('grace');
    const id = (at: number) => `66666666-6666-4666-8666-${String(at).padStart(12, '0')}`;
    for (let at = 0; at < 100; at++) await app.addSubscription(id(at), 'grace', tenant);
    const impact = (subscription: string) => [
      {
        impactedService: 'Mail',
        impactedRegions: [{ impactedRegion: 'North', impactedSubscriptions: [subscription] }],
      },
    ];
    for (const at of [0, 50, 99]) await app.publish(`HERS-${at}`, { impact: impact(id(at)) });
    await app.publish('OTHER', { impact: impact(other) });
    await app.publish('ALL', {});
    const token = await app.userToken(grace);
    const pages = await readAll(app, token, `/providers/Vendor.ResourceHealth/events?${version}`);
    expect(namesIn(pages).sort()).toEqual(['ALL', 'HERS-0', 'HERS-50', 'HERS-99']);
    expect(JSON.stringify(pages)).not.toContain(other);
  });

  test('a token of another list, a modified one and random bytes cause a 400, never a 500', async () => {
    const { app, token } = await createFixtures(dialect, { healthPageSize: 1 });
    await app.publish('ONE', {});
    await app.publish('TWO', {});
    const first = (await app.call('GET', `${base}?${version}`, { token })).json<WirePage>();
    const firstToken = new URL(first.nextLink ?? '').searchParams.get('$skipToken') ?? '';
    const requestPage = async (list: string, skipToken: string) => {
      const query = new URLSearchParams({ 'api-version': '2024-02-01', $skipToken: skipToken });
      const response = await app.call('GET', `${list}?${query}`, { token });
      return [response.statusCode, response.json<{ code?: string }>().code];
    };
    expect(await requestPage(base, firstToken)).toEqual([200, undefined]);
    expect(await requestPage(base.replace(mine, other), firstToken)).toEqual([400, 'InvalidSkipToken']);
    expect(await requestPage('/providers/Vendor.ResourceHealth/events', firstToken)).toEqual([400, 'InvalidSkipToken']);
    const flipped = Buffer.from(firstToken, 'base64url');
    flipped[flipped.length - 3] = (flipped.at(-3) ?? 0) ^ 1;
    expect(await requestPage(base, flipped.toString('base64url'))).toEqual([400, 'InvalidSkipToken']);
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: anySign }), fc.base64String()), async (text) => {
        const [status] = await requestPage(base, text);
        expect(status).toBe(400);
      }),
      { numRuns: 60 },
    );
  });
});
