import { expect, test } from 'vitest';
import { readJunitLine } from './junit-lines.ts';
import { testClassesIn } from './test-classes.ts';

test('tests are found by the names that Surefire goes by', () => {
  const paths = [
    'com/a/NotesTest',
    'TestNotes',
    'NotesTests',
    'NotesTestCase',
    'NotesTest$Inner',
    'Notes',
    'notestest',
    'Contest',
  ];
  const classes = testClassesIn([...paths.map((name) => `${name}.class`), 'OtherTest.java']);
  expect(classes).toEqual(['NotesTestCase', 'NotesTests', 'TestNotes', 'com.a.NotesTest']);
});

test('only lines with the mark of the job are of the runner; others are what tests print', () => {
  const word = (text: string) => `.${Buffer.from(text).toString('base64')}`;
  const ended = [
    'm4rk ended',
    word('com.a.NotesTest'),
    word('keeps ä'),
    'failed 1203',
    word('no: 1'),
    word('at a\nat b'),
  ].join(' ');
  expect(readJunitLine(ended, 'm4rk')).toEqual({
    type: 'ended',
    suite: 'com.a.NotesTest',
    test: 'keeps ä',
    status: 'failed',
    milliseconds: 1203,
    message: 'no: 1',
    stack: 'at a\nat b',
  });
  expect(readJunitLine('m4rk done 3', 'm4rk')).toEqual({ type: 'done', classes: 3 });
  expect(readJunitLine(ended, 'other')).toBeUndefined();
  expect(readJunitLine('m4rk ended . . broken', 'm4rk')).toBeUndefined();
});
