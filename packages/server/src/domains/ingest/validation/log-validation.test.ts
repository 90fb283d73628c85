import { expect, test } from 'vitest';
import { showLog, validateLogs } from './log-validation.ts';

const now = Date.parse('2026-11-01T09:00:00Z');
const log = (more: object = {}) => ({ type: 'event', device: {}, ...more });

/** Nested arrays with this many levels. */
const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
const inObjects = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);

test('returns the original array if all logs are valid', () => {
  const logs = [log(), log({ timestamp: null })];
  expect(validateLogs(logs, now)).toMatchObject({ invalid: [], invalidCount: 0, droppedCount: 0 });
  expect(validateLogs(logs, now).valid).toBe(logs);
  expect(validateLogs([], now)).toMatchObject({ valid: [], source: undefined });
});

test('removing logs preserves the order of the others', () => {
  const [a, b, c] = [log({ name: 'a' }), log({ type: 'page' }), log({ name: 'c' })];
  const old = log({ type: 'startSession', timestamp: '2020-01-01T00:00:00Z' });
  const result = validateLogs([a, 7, b, old, c, null], now);
  expect(result.valid).toEqual([a, b, c]);
  expect(result.types).toEqual(new Set(['event', 'page']));
  expect([result.invalidCount, result.droppedCount]).toEqual([2, 1]);
});

test('shows the first ten of many invalid logs, and counts all', () => {
  const { invalid, invalidCount, valid } = validateLogs(
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
  // The log itself is the first level.
  const reasons = (levels: number) =>
    validateLogs([log({ name: make(levels - 1) })], now).invalid.map(({ reason }) => reason);
  expect([reasons(200), reasons(201)]).toEqual([[], ['too_deep']]);
});

test('finds deep values behind shallow ones', () => {
  const deep = [log({ a: 1, b: null, c: [null, 1, 'x', nested(250)] }), log({ a: { b: [] }, c: inObjects(250) })];
  expect(validateLogs(deep, now).invalid).toEqual(Array(2).fill({ reason: 'too_deep', log: '' }));
});

test.each([
  ['2026-10-07T09:00:00.000Z', 'kept'],
  ['2026-10-07T08:59:59.999Z', 'dropped'],
  ['2026-11-04T09:00:00.000Z', 'kept'],
  ['2026-11-04T09:00:00.001Z', 'dropped'],
])('a log of %s is %s', (timestamp, outcome) => {
  const { valid, droppedCount, invalidCount } = validateLogs([log({ timestamp })], now);
  expect([valid.length, droppedCount, invalidCount]).toEqual(outcome === 'kept' ? [1, 0, 0] : [0, 1, 0]);
});

test('takes the source from the first valid log, limited to a hundred characters per field', () => {
  const device = {
    sdkName: 'x'.repeat(101),
    sdkVersion: 7,
    appVersion: '1'.repeat(100),
    wrapperSdkName: 'y'.repeat(101),
    model: 'm'.repeat(101),
    osName: 'Android',
    osVersion: '15',
  };
  const result = validateLogs([7, log({ device }), log({ device: { sdkName: 'second' } })], now);
  expect(result.source).toEqual({
    sdk: `${'x'.repeat(100)} (${'y'.repeat(100)})`,
    sdkVersion: '',
    appVersion: '1'.repeat(100),
    device: { model: 'm'.repeat(100), os: 'Android 15' },
  });
  expect(validateLogs([log({ device: { sdkName: 'plain' } })], now).source).toEqual({
    sdk: 'plain',
    sdkVersion: '',
    appVersion: '',
    device: { model: '', os: '' },
  });
  expect(validateLogs([log({ device: { ...device, sdkName: 'mooring.test' } })], now).source?.device).toBeUndefined();
  expect(validateLogs([7], now).source).toBeUndefined();
});

test('shows the beginning of an invalid log, without values that are too deep', () => {
  expect(showLog({ a: [1, null] })).toBe('{"a":[1,null]}');
  expect(showLog('x'.repeat(3000))).toBe(`"${'x'.repeat(1999)}`);
  expect(showLog({ a: 'x'.repeat(1990), b: 'later' })).toHaveLength(2000);
  expect(showLog({ a: 'x'.repeat(1990) })).toBe(`{"a":"${'x'.repeat(1990)}"}`);
  expect([showLog(undefined), showLog(nested(201)), showLog(null)]).toEqual(['', '', 'null']);
});
