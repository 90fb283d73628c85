import { expect, test } from 'vitest';
import { getDayStart, toDay } from '../../packages/server/src/telemetry/index.ts';
import { generateLogs } from './devices.ts';
import { type Usage, usages } from './usage.ts';

const until = Date.parse('2026-11-15T12:00:00Z');
const [timetable] = usages as [Usage];

/** Distinct devices by day, and by their version on that day. */
function count(usage: Usage, seed: number) {
  const devices = new Map<number, number>();
  const versions = new Map<number, Map<string, number>>();
  for (const { logs } of generateLogs(usage, until, seed)) {
    const seen = new Map(logs.map(({ at, value }) => [toDay(at), value]));
    for (const [day, value] of seen) {
      const { device } = value as { device: { appVersion: string } };
      const ofDay = versions.get(day) ?? new Map();
      versions.set(day, ofDay.set(device.appVersion, (ofDay.get(device.appVersion) ?? 0) + 1));
      devices.set(day, (devices.get(day) ?? 0) + 1);
    }
  }
  return { devices, versions };
}

test('an app is used for eighteen months by a growing number of devices, mostly on workdays, and versions replace each other', () => {
  const { devices, versions } = count(timetable, 1);
  const today = toDay(until);
  expect([devices.size, Math.max(...devices.keys())]).toEqual([548, today]);
  const mean = (from: number, to: number, isIncluded: (weekday: number) => boolean) => {
    const found = [...devices].filter(
      ([day]) => day > today - from && day < today - to && isIncluded(new Date(getDayStart(day)).getUTCDay()),
    );
    return found.reduce((sum, [, count]) => sum + count, 0) / found.length;
  };
  const isWorkday = (weekday: number) => weekday > 0 && weekday < 6;
  expect(mean(60, 0, isWorkday)).toBeGreaterThan(2 * mean(540, 480, isWorkday));
  expect(mean(60, 0, isWorkday)).toBeGreaterThan(1.4 * mean(60, 0, (weekday) => !isWorkday(weekday)));
  const leading = (day: number) => [...(versions.get(day) ?? [])].toSorted((a, b) => b[1] - a[1])[0]?.[0];
  expect(new Set([500, 400, 300, 200, 100, 1].map((ago) => leading(today - ago))).size).toBe(6);
});

test('devices are the same for the same seed, and differ for another one', () => {
  const month = { ...timetable, days: 30 };
  const generate = (seed: number) => JSON.stringify([...generateLogs(month, until, seed)]);
  expect(generate(5)).toBe(generate(5));
  expect(generate(5)).not.toBe(generate(6));
});

test('no logs are from the future', () => {
  for (const { logs } of generateLogs({ ...timetable, days: 3 }, until, 9)) {
    for (const { at } of logs) expect(at).toBeLessThan(until);
  }
});
