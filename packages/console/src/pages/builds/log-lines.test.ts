import { expect, test } from 'vitest';
import { appendText, findLines, rowsOf, stagesOf } from './log-lines.ts';

const lines = ['noise', '== Sources', 'clone', '== Build: make', 'cc', 'ld', '## It failed.'];

test('a log is cut where stages begin', () => {
  expect(stagesOf(lines).map(({ title, heading, from, until }) => [title, heading, from, until])).toEqual([
    ['Before the first stage', undefined, 0, 1],
    ['Sources', 1, 2, 3],
    ['Build: make', 3, 4, 7],
  ]);
  expect(stagesOf([''])).toEqual([]);
});

test('of a stage that is folded its heading is shown alone', () => {
  const stages = stagesOf(lines);
  const shown = rowsOf(stages, ({ title }) => title === 'Sources');
  expect(shown.map((row) => ('stage' in row ? row.stage.title : row.line))).toEqual([
    'Before the first stage',
    'Sources',
    2,
    'Build: make',
  ]);
});

test('a part of a log may end within a line', () => {
  const read: string[] = [];
  for (const part of ['one\ntw', 'o\n', 'three']) appendText(read, part);
  expect(read).toEqual(['one', 'two', 'three']);
});

test('lines are found whatever their case', () => {
  expect(findLines(lines, ' FAILED')).toEqual([6]);
  expect(findLines(lines, ' ')).toEqual([]);
});
