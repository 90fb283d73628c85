import { LOG_MAX_VALUES, LOGS_MAX_PER_REQUEST } from '@mooring/contract';
import { expect, test } from 'vitest';
import { outlineBody, SCANNED_AT_ONCE } from './body-outline.ts';

const logsIn = async (text: string): Promise<unknown[]> => {
  const outline = await outlineBody(text);
  if (typeof outline === 'string') throw new Error(outline);
  return outline.spans.map(({ start, end }) => JSON.parse(text.slice(start, end)));
};

test.each([
  ['objects, lists, texts and numbers', [{ a: [1, { b: ']' }] }, [], 'x,y]', 7, null, true]],
  ['one log', [{ type: 'event' }]],
  ['no log', []],
  ['quotes and backslashes in texts', [{ 'a"\\': '\\"],[{' }, '\\']],
])('finds %s', async (_what, logs) => {
  expect(await logsIn(JSON.stringify({ logs }))).toEqual(logs);
  expect(await logsIn(JSON.stringify({ before: [{ logs: [0] }], logs, after: { logs: 1 } }, undefined, 2))).toEqual(
    logs,
  );
});

test.each([
  ['{"logs":[1,]}'],
  ['{"logs":[,1]}'],
  ['{"logs":[{"a":1}'],
  ['{"logs":[{"a":1}]'],
  ['{"logs":[1}'],
  ['{"logs":[1]} x'],
])('refuses %s', async (text) => {
  await expect(logsIn(text)).rejects.toThrow(/JSON|Unexpected|Expected/);
});

test('reports a missing list of logs', async () => {
  for (const value of [[], { logs: {} }, { logs: 'x' }, ['logs', []], { x: 'logs', y: [1] }, 'logs'])
    expect(await outlineBody(JSON.stringify(value))).toBe('no_logs');
});

test('counts the logs beyond the limit without parsing them', async () => {
  const text = JSON.stringify({ logs: Array.from({ length: LOGS_MAX_PER_REQUEST + 3 }, (_, n) => n) });
  const outline = await outlineBody(text);
  if (typeof outline === 'string') throw new Error(outline);
  expect([outline.spans.length, outline.count]).toEqual([LOGS_MAX_PER_REQUEST, LOGS_MAX_PER_REQUEST + 3]);
  expect(text.slice(outline.restStart)).toMatch(new RegExp(`^${LOGS_MAX_PER_REQUEST},`));
});

test('marks only logs with too many values', async () => {
  const wide = (values: number) => `{"a":[${Array(values).fill(1).join()}]}`;
  const outline = await outlineBody(`{"logs":[${wide(LOG_MAX_VALUES - 10)},${wide(LOG_MAX_VALUES + 10)},{}]}`);
  expect(outline).toMatchObject({ spans: [{ isTooLarge: false }, { isTooLarge: true }, { isTooLarge: false }] });
  expect(await outlineBody(`{"x":${wide(LOG_MAX_VALUES + 10)},"logs":[]}`)).toBe('too_large');
});

test('yields to other work', async () => {
  const text = `{"logs":[${'1,'.repeat(2 * SCANNED_AT_ONCE)}1]}`;
  let turns = 0;
  let isDone = false;
  const turn = () => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await outlineBody(text);
  isDone = true;
  expect(turns).toBeGreaterThanOrEqual(3);
});
