import { expect, test } from 'vitest';
import { type Event, render } from '../events/rendering.ts';
import { createEventBodies } from './event-bodies.ts';
import { type Reader, renderAll } from './listing.ts';

const properties = (subscriptions: string[]) => ({
  eventType: 'ServiceIssue' as const,
  title: 'Slow answers',
  impact: [
    { impactedService: 'Mail', impactedRegions: [{ impactedRegion: 'North', impactedSubscriptions: subscriptions }] },
  ],
});
const event = (seq: number, version: number, subscriptions: string[] = []) => ({
  seq,
  version,
  sort_at: -seq,
  name: `E${seq}`,
  body: render(`E${seq}`, {} as Event['systemData'], properties(subscriptions) as Event['properties']),
});
const readerOf = (id: string): Reader => ({ id, audiences: new Set(['', id]) });
const ctx = { config: { vendorName: 'Vendor' } } as Parameters<typeof renderAll>[0];

test('what was kept is found as long as nothing has changed, all of it or nothing', () => {
  const bodies = createEventBodies('Vendor');
  bodies.keep([event(1, 5), event(2, 5)]);
  expect(bodies.find([event(2, 5), event(1, 5)])?.map(({ name }) => name)).toEqual(['E2', 'E1']);
  expect(bodies.find([])).toEqual([]);
  expect(bodies.find([event(1, 5), event(3, 5)])).toBeUndefined();
  expect(bodies.find([event(1, 6)])).toBeUndefined();
  bodies.keep([event(3, 6)]);
  expect(bodies.find([event(3, 6)])).toHaveLength(1);
  expect(bodies.find([event(1, 6)])).toBeUndefined();
});

test('what was read of an earlier state is not kept any more', () => {
  const bodies = createEventBodies('Vendor');
  bodies.keep([event(1, 7)]);
  bodies.keep([event(2, 6)]);
  expect(bodies.find([event(2, 6)])).toBeUndefined();
  expect(bodies.find([event(1, 7)])).toHaveLength(1);
});

test('each reader sees itself named and nobody else, whoever asked first', () => {
  const bodies = createEventBodies('Vendor');
  bodies.keep([event(1, 1, ['one', 'two']), event(2, 1)]);
  const seen = (id: string) => {
    const found = bodies.find([event(1, 1), event(2, 1)])?.map(({ body }) => body) ?? [];
    return JSON.parse(renderAll(ctx, readerOf(id), found, ['[', ']']).toString());
  };
  const named = (id: string) => seen(id)[0].properties.impact[0].impactedRegions[0].impactedSubscriptions;
  expect([named('one'), named('two'), named('three')]).toEqual([['one'], ['two'], []]);
  expect(seen('one')[1]).toMatchObject({ name: 'E2', id: '/providers/Vendor.ResourceHealth/events/E2' });
});

test('what is kept has a limit of its size', () => {
  const bodies = createEventBodies('Vendor');
  const large = (seq: number) => ({ ...event(seq, 1), body: 'x'.repeat(5_000_000) });
  for (const seq of [1, 2, 3, 4]) bodies.keep([large(seq)]);
  expect(bodies.find([large(4)])).toHaveLength(1);
  bodies.keep([large(5)]);
  expect(bodies.find([large(4)])).toBeUndefined();
  expect(bodies.find([large(5)])).toHaveLength(1);
});
