import { expect, it } from 'vitest';
import { createEventTracker } from './event-tracker.ts';

const event = (name: string, time: string) => ({ name, properties: { lastUpdateTime: `2026-11-01T${time}.000Z` } });
const toNames = (events: { name: string }[]) => events.map(({ name }) => name);

it('returns an event once, and again when it has changed', () => {
  const tracker = createEventTracker();
  expect(toNames(tracker.takeChanges([event('B', '09:00:02'), event('A', '09:00:01')]))).toEqual(['A', 'B']);
  expect(tracker.takeChanges([event('B', '09:00:02'), event('A', '09:00:01')])).toEqual([]);
  expect(toNames(tracker.takeChanges([event('A', '09:00:05'), event('B', '09:00:02')]))).toEqual(['A']);
});

it('reads the last minute again, so that late commits are not missed', () => {
  const tracker = createEventTracker();
  tracker.takeChanges([event('B', '09:02:00')]);
  expect(tracker.getStart()).toBe('2026-11-01T09:01:00.000Z');
  expect(toNames(tracker.takeChanges([event('B', '09:02:00'), event('late', '09:01:30')]))).toEqual(['late']);
  expect(tracker.getStart()).toBe('2026-11-01T09:01:00.000Z');
});

it('drops events that can no longer be read again', () => {
  const tracker = createEventTracker();
  tracker.takeChanges([event('A', '09:00:00')]);
  tracker.takeChanges([event('B', '09:10:00')]);
  expect(toNames(tracker.takeChanges([event('A', '09:00:00')]))).toEqual(['A']);
});

it('never reads events from before its start', () => {
  const start = '2026-11-01T09:00:00.000Z';
  const tracker = createEventTracker(start);
  expect(tracker.getStart()).toBe(start);
  tracker.takeChanges([event('A', '09:00:30')]);
  expect(tracker.getStart()).toBe(start);
  tracker.takeChanges([event('A', '09:05:00')]);
  expect(tracker.getStart()).toBe('2026-11-01T09:04:00.000Z');
  expect(createEventTracker().getStart()).toBeUndefined();
});
