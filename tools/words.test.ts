import { expect, test } from 'vitest';
import { findUnwanted, privateNamesIn, readFiles, readSources, unwantedIn, unwantedWords } from './words.ts';

test('what people read holds none of the words that the glossary refuses', () => {
  expect(readFiles().flatMap(unwantedIn)).toEqual([]);
});

test('console, command line, mails, answers, the API document and documents are looked through', () => {
  const files = readFiles();
  for (const part of [
    'packages/console/src/main.tsx',
    'packages/cli/src/main.ts',
    'packages/server/src/domains/groups/group-mail.ts',
    'packages/server/src/domains/releases/mails/notifications.ts',
    'packages/server/src/kernel/errors.ts',
    'packages/contract/src/apps/apps.contract.ts',
    'packages/cli/src/commands/apps.ts',
    'packages/console/src/pages/apps/home.page.tsx',
    'docs/operating.md',
    'docs/architecture.md',
    'README.md',
  ]) {
    expect(files).toContain(part);
  }
});

test('a word is found whatever its case, as a whole, and with what to say instead', () => {
  expect(unwantedWords()).toContainEqual({ word: 'log in to', instead: 'sign in' });
  expect(findUnwanted('Hello.\nLog in to it.')).toEqual(['line 2: "log in to"; instead: sign in']);
  expect(findUnwanted('A blog in Tokyo, login, log into, a log in a batch.')).toEqual([]);
});

test('no file, function or type is named by a word that only its writer understands', () => {
  expect(readSources().length).toBeGreaterThan(1000);
  expect(readSources().flatMap((file) => privateNamesIn(file).map((name) => `${file}: ${name}`))).toEqual([]);
  const source = 'export const said = 1;\nasync function hold() {}\ninterface Place {}\nconst placeholder = 2;';
  expect(privateNamesIn('parts/trail.tsx', source)).toEqual(['trail', 'said', 'hold', 'Place']);
});
