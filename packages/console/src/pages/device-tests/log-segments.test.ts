import { expect, test } from 'vitest';
import { MAX_LINES, splitLog } from './log-segments.ts';

const second = (n: number) => new Date(n * 1000).toISOString();
const step = (n: number, label: string) => ({ at: n * 1000, test: 'writes', label });

test('puts steps between the log lines before and after them', () => {
  const log = `${second(1)} starts\n${second(2)} fails\n  at Notes.java:7\n${second(5)} ends\n`;
  const { segments, omitted } = splitLog(log, [step(6, 'Closed'), step(3, 'Saved'), step(2, 'Opened')]);
  expect(omitted).toBe(0);
  expect(segments.map((segment) => ('step' in segment ? segment.step.label : segment.text.split('\n').length))).toEqual(
    [3, 'Opened', 'Saved', 1, 'Closed'],
  );
});

test('shows a log without times before the steps, and only the end of a long log', () => {
  expect(splitLog('one\ntwo', [step(1, 'Opened')]).segments).toEqual([
    { at: 0, text: 'one\ntwo' },
    { at: 1000, step: step(1, 'Opened') },
  ]);
  const long = Array.from({ length: MAX_LINES + 7 }, (_, n) => `${second(n)} line ${n}`).join('\n');
  const { segments, omitted } = splitLog(long, []);
  expect([
    omitted,
    'text' in (segments[0] ?? {}),
    JSON.stringify(segments).includes('line 6"'),
    segments.length,
  ]).toEqual([7, true, false, 1]);
});
