import { expect, test } from 'vitest';
import { readJunitLine } from './junit-lines.ts';
import { findTestClasses } from './test-classes.ts';

test('finds tests by the naming rules of Surefire', () => {
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
  const classes = findTestClasses([...paths.map((name) => `${name}.class`), 'OtherTest.java']);
  expect(classes).toEqual(['NotesTestCase', 'NotesTests', 'TestNotes', 'com.a.NotesTest']);
});

test('reads events only from lines with the mark', () => {
  const encode = (text: string) => `.${Buffer.from(text).toString('base64')}`;
  const ended = [
    'm4rk ended',
    encode('com.a.NotesTest'),
    encode('keeps ä'),
    'failed 1203',
    encode('no: 1'),
    encode('at a\nat b'),
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
