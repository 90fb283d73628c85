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
const createReader = (id: string): Reader => ({ id, audiences: new Set(['', id]) });
const ctx = { config: { vendorName: 'Vendor' } } as Parameters<typeof renderAll>[0];

test('cached bodies are returned until an event changes, all or none', () => {
  const bodies = createEventBodies('Vendor');
  bodies.add([event(1, 5), event(2, 5)]);
  expect(bodies.find([event(2, 5), event(1, 5)])?.map(({ name }) => name)).toEqual(['E2', 'E1']);
  expect(bodies.find([])).toEqual([]);
  expect(bodies.find([event(1, 5), event(3, 5)])).toBeUndefined();
  expect(bodies.find([event(1, 6)])).toBeUndefined();
  bodies.add([event(3, 6)]);
  expect(bodies.find([event(3, 6)])).toHaveLength(1);
  expect(bodies.find([event(1, 6)])).toBeUndefined();
});

test('discards bodies of an earlier version', () => {
  const bodies = createEventBodies('Vendor');
  bodies.add([event(1, 7)]);
  bodies.add([event(2, 6)]);
  expect(bodies.find([event(2, 6)])).toBeUndefined();
  expect(bodies.find([event(1, 7)])).toHaveLength(1);
});

test('shows each reader only its own name, regardless of who read first', () => {
  const bodies = createEventBodies('Vendor');
  bodies.add([event(1, 1, ['one', 'two']), event(2, 1)]);
  const seen = (id: string) => {
    const found = bodies.find([event(1, 1), event(2, 1)])?.map(({ body }) => body) ?? [];
    return JSON.parse(renderAll(ctx, createReader(id), found, ['[', ']']).toString());
  };
  const named = (id: string) => seen(id)[0].properties.impact[0].impactedRegions[0].impactedSubscriptions;
  expect([named('one'), named('two'), named('three')]).toEqual([['one'], ['two'], []]);
  expect(seen('one')[1]).toMatchObject({ name: 'E2', id: '/providers/Vendor.ResourceHealth/events/E2' });
});

test('limits the size of the cache', () => {
  const bodies = createEventBodies('Vendor');
  const large = (seq: number) => ({ ...event(seq, 1), body: 'x'.repeat(5_000_000) });
  for (const seq of [1, 2, 3, 4]) bodies.add([large(seq)]);
  expect(bodies.find([large(4)])).toHaveLength(1);
  bodies.add([large(5)]);
  expect(bodies.find([large(4)])).toBeUndefined();
  expect(bodies.find([large(5)])).toHaveLength(1);
});
