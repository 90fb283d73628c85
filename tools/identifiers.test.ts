import { expect, test } from 'vitest';
import { findPrivateNames, isPrivateName, limits, listSources } from './identifiers.ts';

test.each(Object.entries(limits))('%s has at most %i private names', (folder, limit) => {
  const files = listSources(folder);
  expect(files.length).toBeGreaterThan(5);
  const found = files
    .flatMap((file) => findPrivateNames(file))
    .map(({ file, line, name }) => `${file}:${line} ${name}`);
  expect(found.length, `rename to stay below ${limit}:\n${found.join('\n')}`).toBeLessThanOrEqual(limit);
});

test('splits names into words', () => {
  for (const name of [
    'isTold',
    'keptLogs',
    'AskedRange',
    'giveTo',
    'wordsOf',
    'MOST_BYTES',
    'AT_ONCE',
    'zipOf',
    'linksOfApp',
  ])
    expect(isPrivateName(name), name).toBe(true);
  for (const name of [
    'password',
    'task',
    'isOffline',
    'indexOf',
    'MAX_BYTES',
    'everyKind',
    'keepAlive',
    'given_name',
    'lawful',
  ])
    expect(isPrivateName(name), name).toBe(false);
});

test('finds declarations in functions, parameters and types, and in paths', () => {
  const source = `import { told, asked as askedHere } from './given.ts';
export interface Kept<Asker> { trouble: string; mend(world: number): void }
const { a: [verb], ...doors } = told, b = { told };
class Law { #room = 1; glance = 2; is_told = 3; fate() {} }
function nameOf({ given = 1 }: object, senders: string[]) {
  const found = senders.map((word) => told(word));
  return { found, whoever: found, 'somebody': 1 };
}
`;
  const names = findPrivateNames('domains/telling/list-of-apps.ts', source).map(({ line, name }) => `${line} ${name}`);
  expect(names.sort()).toEqual(
    [
      ...['1 telling (path)', '1 list-of-apps (path)', '1 askedHere'],
      ...['2 Kept', '2 Asker', '2 trouble', '2 mend', '2 world', '3 verb', '3 doors'],
      ...['4 Law', '4 room', '4 glance', '4 fate', '5 nameOf', '5 given', '5 senders', '6 word', '7 whoever'],
    ].sort(),
  );
});
