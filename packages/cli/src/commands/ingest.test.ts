import { expect, it } from 'vitest';
import { readLogs, testLogs } from './ingest.ts';

it('reads logs as SDKs send them, as an array, or one on each line', () => {
  const logs = [{ type: 'event' }, { type: 'page' }];
  expect(readLogs(JSON.stringify({ logs }, undefined, 2))).toEqual(logs);
  expect(readLogs(JSON.stringify(logs))).toEqual(logs);
  expect(readLogs(`${logs.map((log) => JSON.stringify(log)).join('\n')}\n\n`)).toEqual(logs);
});

it.each(['{}', '[]', '{"logs":[]}', 'null', '{"type":"event"}'])('refuses %s, which holds no logs', (text) => {
  expect(() => readLogs(text)).toThrow('holds no logs');
});

it('refuses what is no JSON, with the reason', () => {
  expect(() => readLogs('{"logs":[')).toThrow('is not JSON');
});

it('makes a session and an event of it for a test, anew each time', () => {
  const made = [testLogs(new Date(0)), testLogs(new Date(0))];
  for (const logs of made) {
    expect(logs).toMatchObject([{ type: 'startSession' }, { type: 'event', timestamp: '1970-01-01T00:00:00.000Z' }]);
  }
  expect(made[0]).not.toEqual(made[1]);
});
