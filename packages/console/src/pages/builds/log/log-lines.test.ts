import { expect, test } from 'vitest';
import { appendText, findLines, splitStages, toRows } from './log-lines.ts';

const lines = ['noise', '== Sources', 'clone', '== Build: make', 'cc', 'ld', '## It failed.'];

test('splits a log into stages', () => {
  expect(splitStages(lines).map(({ title, heading, from, until }) => [title, heading, from, until])).toEqual([
    ['Before the first stage', undefined, 0, 1],
    ['Sources', 1, 2, 3],
    ['Build: make', 3, 4, 7],
  ]);
  expect(splitStages([''])).toEqual([]);
});

test('shows only the heading of a collapsed stage', () => {
  const stages = splitStages(lines);
  const shown = toRows(stages, ({ title }) => title === 'Sources');
  expect(shown.map((row) => ('stage' in row ? row.stage.title : row.line))).toEqual([
    'Before the first stage',
    'Sources',
    2,
    'Build: make',
  ]);
});

test('appends chunks that end within a line', () => {
  const read: string[] = [];
  for (const part of ['one\ntw', 'o\n', 'three']) appendText(read, part);
  expect(read).toEqual(['one', 'two', 'three']);
});

test('finds lines ignoring case', () => {
  expect(findLines(lines, ' FAILED')).toEqual([6]);
  expect(findLines(lines, ' ')).toEqual([]);
});
