import { expect, test } from 'vitest';
import { MOST_LINES, partsOf } from './log-parts.ts';

const second = (n: number) => new Date(n * 1000).toISOString();
const step = (n: number, label: string) => ({ at: n * 1000, test: 'writes', label });

test('steps stand between the lines that came before and after them', () => {
  const log = `${second(1)} starts\n${second(2)} fails\n  at Notes.java:7\n${second(5)} ends\n`;
  const { parts, left } = partsOf(log, [step(6, 'Closed'), step(3, 'Saved'), step(2, 'Opened')]);
  expect(left).toBe(0);
  expect(parts.map((part) => ('step' in part ? part.step.label : part.text.split('\n').length))).toEqual([
    3,
    'Opened',
    'Saved',
    1,
    'Closed',
  ]);
});

test('a log without times is shown before the steps, and of a long one the end', () => {
  expect(partsOf('one\ntwo', [step(1, 'Opened')]).parts).toEqual([
    { at: 0, text: 'one\ntwo' },
    { at: 1000, step: step(1, 'Opened') },
  ]);
  const long = Array.from({ length: MOST_LINES + 7 }, (_, n) => `${second(n)} line ${n}`).join('\n');
  const { parts, left } = partsOf(long, []);
  expect([left, 'text' in (parts[0] ?? {}), JSON.stringify(parts).includes('line 6"'), parts.length]).toEqual([
    7,
    true,
    false,
    1,
  ]);
});
