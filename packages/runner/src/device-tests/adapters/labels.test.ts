import { expect, test } from 'vitest';
import { readLabelLine } from './labels.ts';

const folder = '/jobs/7/box/screenshots';

test.each([
  [
    'started: keepsNotes (com.example.NotesTest)',
    { type: 'started', suite: 'com.example.NotesTest', test: 'keepsNotes' },
  ],
  ['started: keeps (all) [0] (NotesTest)', { type: 'started', suite: 'NotesTest', test: 'keeps (all) [0]' }],
  [`Notes - opened - ${folder}/a.png`, { type: 'step', label: 'Notes - opened', screenshot: `${folder}/a.png` }],
  [`Took screenshot - ${folder}/a.png`, { type: 'step', label: 'Screenshot', screenshot: `${folder}/a.png` }],
  ['succeeded', { type: 'ended', status: 'passed' }],
  ['failed', { type: 'ended', status: 'failed' }],
  ['skipped', { type: 'ended', status: 'skipped' }],
  ['finished', { type: 'finished' }],
  ['Notes - /etc/passwd', undefined],
  [`${folder}/a.png`, undefined],
  ['started: nothing', undefined],
  ['it failed', undefined],
  ['toString', undefined],
])('parses "%s"', (line, expected) => {
  expect(readLabelLine(line, folder)).toEqual(expected);
});
