import { expect, test } from 'vitest';
import {
  allowedPhrases,
  findPatterns,
  findUnwantedTerms,
  limits,
  listUnwantedTerms,
  patterns,
  readFiles,
  readPassages,
} from './words.ts';

const passages = readFiles().flatMap((file) => readPassages(file));

test.each(Object.entries(limits))('%s texts match at most %i of the patterns', (kind, limit) => {
  const found = passages
    .filter((passage) => passage.kind === kind)
    .flatMap(({ file, line, text }) => findPatterns(text).map((match) => `${file}:${line} "${match}" in: ${text}`));
  expect(found.length, `reword to stay within ${limit}:\n${found.join('\n')}`).toBeLessThanOrEqual(limit);
});

test('interface and documents hold none of the terms that the glossary refuses', () => {
  const terms = listUnwantedTerms();
  const found = passages
    .filter(({ kind, file }) => (kind === 'interface' || kind === 'document') && file !== 'docs/migrating.md')
    .flatMap(({ file, line, text }) => findUnwantedTerms(text, terms).map((term) => `${file}:${line} ${term}`));
  expect(found).toEqual([]);
});

test('every allowed phrase still stands in a text and would be refused without the list', () => {
  for (const { phrase, reason } of allowedPhrases) {
    expect(reason).not.toBe('');
    expect(
      patterns.some((pattern) => pattern.test(phrase)),
      phrase,
    ).toBe(true);
    expect(
      passages.some(({ text }) => text.includes(phrase)),
      phrase,
    ).toBe(true);
  }
});

test('reads the console, the command line, emails, responses, the API reference and documents', () => {
  const files = readFiles();
  for (const file of [
    'packages/console/src/main.tsx',
    'packages/cli/src/main.ts',
    'packages/server/src/domains/groups/group-mail.ts',
    'packages/server/src/domains/releases/mails/notifications.ts',
    'packages/server/src/kernel/errors.ts',
    'packages/contract/src/apps/apps.contract.ts',
    'packages/cli/src/commands/organizations/apps.ts',
    'packages/console/src/pages/apps/home.page.tsx',
    'docs/operating.md',
    'docs/architecture.md',
    'README.md',
  ])
    expect(files).toContain(file);
});

test('sorts the texts of a source file', () => {
  const source = `// Says why.
// In two lines.
import { a } from './some module.ts';
const label = 'Delete release'; /* Inside. */
const page = \`No \${label} yet. // not a comment\`;
const pattern = /no text here/;
`;
  expect(readPassages('packages/console/src/x.ts', source)).toEqual([
    expect.objectContaining({ kind: 'interface', line: 4, text: 'Delete release' }),
    expect.objectContaining({ kind: 'interface', line: 5, text: 'No' }),
    expect.objectContaining({ kind: 'interface', line: 5, text: 'yet. // not a comment' }),
    expect.objectContaining({ kind: 'comment', line: 1, text: 'Says why. In two lines.' }),
    expect.objectContaining({ kind: 'comment', line: 4, text: 'Inside.' }),
  ]);
  const tests = `test('refuses an expired token', () => f('some value'));\n`;
  expect(readPassages('packages/cli/src/x.test.ts', tests).map(({ kind, text }) => [kind, text])).toEqual([
    ['test title', 'refuses an expired token'],
  ]);
});

test('finds patterns in any case', () => {
  expect(findPatterns('Nobody tells of pushes any more.')).toEqual(['Nobody', 'tells of', 'any more']);
  expect(findPatterns('What came of it')).toEqual(['What came']);
  expect(findPatterns('What happened?')).toEqual([]);
  expect(findPatterns('No push webhook yet.')).toEqual([]);
});

test('finds a refused term as a whole word, with the term to use', () => {
  expect(findUnwantedTerms('Hello. Log in to it.')).toEqual(['"log in to"; instead: sign in']);
  expect(findUnwantedTerms('A blog in Tokyo, login, log into, a log in a batch.')).toEqual([]);
});
