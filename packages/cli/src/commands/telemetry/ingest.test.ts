import { expect, it } from 'vitest';
import { createTestLogs, readLogs } from './ingest.ts';

it('reads logs in the format of SDKs, as an array, or one per line', () => {
  const logs = [{ type: 'event' }, { type: 'page' }];
  expect(readLogs(JSON.stringify({ logs }, undefined, 2))).toEqual(logs);
  expect(readLogs(JSON.stringify(logs))).toEqual(logs);
  expect(readLogs(`${logs.map((log) => JSON.stringify(log)).join('\n')}\n\n`)).toEqual(logs);
});

it.each(['{}', '[]', '{"logs":[]}', 'null', '{"type":"event"}'])('rejects %s, which contains no logs', (text) => {
  expect(() => readLogs(text)).toThrow('contains no logs');
});

it('rejects invalid JSON', () => {
  expect(() => readLogs('{"logs":[')).toThrow('is not valid JSON');
});

it('creates a new session with an event for each test', () => {
  const made = [createTestLogs(new Date(0)), createTestLogs(new Date(0))];
  for (const logs of made) {
    expect(logs).toMatchObject([{ type: 'startSession' }, { type: 'event', timestamp: '1970-01-01T00:00:00.000Z' }]);
  }
  expect(made[0]).not.toEqual(made[1]);
});
