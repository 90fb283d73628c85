import { expect, it } from 'vitest';
import { readPublication } from './health.ts';

it('reads an event in the printed format, with an optional tracking ID', () => {
  const text = JSON.stringify({ id: '/x', name: 'A-1', systemData: {}, properties: { title: 'Why' } });
  expect(readPublication(text, undefined)).toEqual({ trackingId: 'A-1', properties: { title: 'Why' } });
  expect(readPublication(text, 'B-2').trackingId).toBe('B-2');
});

it.each([
  ['[', 'not valid JSON'],
  ['[]', 'list of events'],
  ['{"value":[]}', 'list of events'],
  ['null', 'no properties'],
  ['7', 'no properties'],
  ['{"name":"X"}', 'no properties'],
  ['{"name":"X","properties":null}', 'no properties'],
  ['{"properties":{}}', 'no name'],
  ['{"name":7,"properties":{}}', 'no name'],
])('rejects %s', (text, message) => {
  expect(() => readPublication(text, undefined)).toThrow(message);
});
