import { expect, test } from 'vitest';
import { judgeLogs, showLog } from './judged-logs.ts';

const now = Date.parse('2026-11-01T09:00:00Z');
const log = (more: object = {}) => ({ type: 'event', device: {}, ...more });

/** An array in an array, so many levels in all. */
const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
const inObjects = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);

test('what is all valid is passed on as the very array that came', () => {
  const logs = [log(), log({ timestamp: null })];
  expect(judgeLogs(logs, now)).toMatchObject({ invalid: [], invalidCount: 0, droppedCount: 0 });
  expect(judgeLogs(logs, now).valid).toBe(logs);
  expect(judgeLogs([], now)).toMatchObject({ valid: [], sender: undefined });
});

test('what is left out leaves the others in their order', () => {
  const [a, b, c] = [log({ name: 'a' }), log({ type: 'page' }), log({ name: 'c' })];
  const old = log({ type: 'startSession', timestamp: '2020-01-01T00:00:00Z' });
  const judged = judgeLogs([a, 7, b, old, c, null], now);
  expect(judged.valid).toEqual([a, b, c]);
  expect(judged.types).toEqual(new Set(['event', 'page']));
  expect([judged.invalidCount, judged.droppedCount]).toEqual([2, 1]);
});

test('of many invalid logs the first ten are shown, and all are counted', () => {
  const { invalid, invalidCount, valid } = judgeLogs(
    Array.from({ length: 25 }, (_, n) => n),
    now,
  );
  expect([invalid.map(({ log }) => log), invalidCount]).toEqual([
    ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'],
    25,
  ]);
  expect(valid).toEqual([]);
});

test.each([
  ['arrays', nested],
  ['objects', inObjects],
])('a log of 201 levels of %s is invalid, and one of 200 is not', (_, make) => {
  // The log itself is the first of them.
  const reasons = (levels: number) =>
    judgeLogs([log({ name: make(levels - 1) })], now).invalid.map(({ reason }) => reason);
  expect([reasons(200), reasons(201)]).toEqual([[], ['too_deep']]);
});

test('depth is looked for behind whatever is shallow', () => {
  const deep = [log({ a: 1, b: null, c: [null, 1, 'x', nested(250)] }), log({ a: { b: [] }, c: inObjects(250) })];
  expect(judgeLogs(deep, now).invalid).toEqual(Array(2).fill({ reason: 'too_deep', log: '' }));
});

test.each([
  ['2026-10-07T09:00:00.000Z', 'kept'],
  ['2026-10-07T08:59:59.999Z', 'dropped'],
  ['2026-11-04T09:00:00.000Z', 'kept'],
  ['2026-11-04T09:00:00.001Z', 'dropped'],
])('a log of %s is %s', (timestamp, fate) => {
  const { valid, droppedCount, invalidCount } = judgeLogs([log({ timestamp })], now);
  expect([valid.length, droppedCount, invalidCount]).toEqual(fate === 'kept' ? [1, 0, 0] : [0, 1, 0]);
});

test('the sender is that of the first log that is valid, in a hundred letters of each word', () => {
  const device = {
    sdkName: 'x'.repeat(101),
    sdkVersion: 7,
    appVersion: '1'.repeat(100),
    wrapperSdkName: 'y'.repeat(101),
  };
  const judged = judgeLogs([7, log({ device }), log({ device: { sdkName: 'second' } })], now);
  expect(judged.sender).toEqual({
    sdk: `${'x'.repeat(100)} (${'y'.repeat(100)})`,
    sdkVersion: '',
    appVersion: '1'.repeat(100),
  });
  expect(judgeLogs([log({ device: { sdkName: 'plain' } })], now).sender).toEqual({
    sdk: 'plain',
    sdkVersion: '',
    appVersion: '',
  });
  expect(judgeLogs([7], now).sender).toBeUndefined();
});

test('of an invalid log the beginning is shown, and nothing of what is too deep', () => {
  expect(showLog({ a: [1, null] })).toBe('{"a":[1,null]}');
  expect(showLog('x'.repeat(3000))).toBe(`"${'x'.repeat(1999)}`);
  expect(showLog({ a: 'x'.repeat(1990), b: 'later' })).toHaveLength(2000);
  expect(showLog({ a: 'x'.repeat(1990) })).toBe(`{"a":"${'x'.repeat(1990)}"}`);
  expect([showLog(undefined), showLog(nested(201)), showLog(null)]).toEqual(['', '', 'null']);
});
