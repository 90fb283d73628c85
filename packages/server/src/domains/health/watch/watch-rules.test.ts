import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../../kernel/clock.ts';
import { type ComponentState, type Probed, takeProbe } from './watch-rules.ts';

const start = Date.parse('2026-11-01T09:00:00Z');
const every = 30 * SECOND;

/** Probes one component every half minute; returns the actions with their minute. */
function run(isBad: (minute: number) => string | boolean, minutes: number) {
  let state: ComponentState = {};
  const acts: [minute: number, act: string, trackingId: string | undefined][] = [];
  for (let at = 0; at <= minutes * MINUTE; at += every) {
    const bad = isBad(at / MINUTE);
    const probed: Probed = { at: start + at, ...(bad ? { reason: bad === true ? 'down' : bad } : {}) };
    const step = takeProbe('mail', state, probed, 5 * MINUTE);
    // Round trip through storage.
    state = JSON.parse(JSON.stringify(step.state));
    if (step.act) acts.push([at / MINUTE, step.act, state.trackingId]);
  }
  return { acts, state };
}

test('reports a lasting failure with its start, and its end once that lasts', () => {
  const id = 'Mooring-mail-20261101T0901';
  expect(run((minute) => minute >= 1 && minute < 20, 60).acts).toEqual([
    [6, 'open', id],
    [22, 'resolve', id],
  ]);
});

test('does not report short failures with enough time between them', () => {
  expect(run((minute) => minute % 8 < 4, 600).acts).toEqual([]);
});

test('a component that is never healthy for two minutes is unhealthy', () => {
  expect(run((minute) => minute % 2 < 1, 30).acts).toEqual([[6, 'open', 'Mooring-mail-20261101T0900']]);
});

test('a new failure soon after the end reopens the event, a later one opens a new event', () => {
  const soon = run((minute) => minute < 10 || (minute >= 30 && minute < 40), 60).acts;
  expect(soon.map(([minute, act]) => [minute, act])).toEqual([
    [5, 'open'],
    [12, 'resolve'],
    [35, 'reopen'],
    [44, 'resolve'],
  ]);
  expect(new Set(soon.map(([, , id]) => id)).size).toBe(1);
  const later = run((minute) => minute < 10 || (minute >= 50 && minute < 60), 90).acts;
  expect(later.map(([, act, id]) => [act, id])).toEqual([
    ['open', 'Mooring-mail-20261101T0900'],
    ['resolve', 'Mooring-mail-20261101T0900'],
    ['open', 'Mooring-mail-20261101T0950'],
    ['resolve', 'Mooring-mail-20261101T0950'],
  ]);
});

test('another reason is an update, limited to one every few minutes', () => {
  const { acts } = run((minute) => (minute % 2 < 1 ? 'down' : 'slow'), 60);
  expect(acts.map(([, act]) => act)).toEqual(['open', ...Array(5).fill('update')]);
});

test('dates a failure from when it was first observed', () => {
  const at = start + HOUR;
  const { state, act } = takeProbe('database', {}, { at, reason: 'down', since: start }, 5 * MINUTE);
  expect([act, state.badSince]).toEqual(['open', start]);
});

test('publishes fewer than four updates an hour over a day for a flapping component', () => {
  const stretch = fc.integer({ min: 1, max: 120 });
  fc.assert(
    fc.property(fc.array(fc.tuple(stretch, stretch), { minLength: 1, maxLength: 8 }), (cycle) => {
      const length = cycle.reduce((sum, [bad, good]) => sum + bad + good, 0);
      const isBad = (minute: number): boolean => {
        let left = (minute % (length / 2)) * 2;
        for (const [bad, good] of cycle) {
          if (left < bad) return true;
          left -= bad + good;
          if (left < 0) return false;
        }
        return false;
      };
      expect(run(isBad, 24 * 60).acts.length).toBeLessThan(24 * 4);
    }),
    { numRuns: 30 },
  );
});
