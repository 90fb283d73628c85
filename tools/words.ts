import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** Words that are not used, each with what to say instead: the table in `docs/glossary.md`. */
export function unwantedWords(): { word: string; instead: string }[] {
  const table = read('docs/glossary.md').split('## Words not to use')[1] ?? '';
  const rows = [...table.matchAll(/^\| (?!not \|)([^|]+) \| ([^|]+) \|$/gm)];
  return rows.flatMap(([, words = '', instead = '']) => words.split(', ').map((word) => ({ word, instead })));
}

const sources = [
  'packages/console/src/**/*.{ts,tsx}',
  'packages/cli/src/**/*.ts',
  // What the API document says, and what the server answers, mails and shows by itself.
  'packages/contract/src/**/*.ts',
  'packages/server/src/**/*.ts',
  'docs/**/*.md',
  'packages/**/README.md',
  '{README,CONTRIBUTING,SECURITY,CHANGELOG}.md',
];
/** Tests quote, migrations are frozen, and the glossary names what it refuses. */
const isRead = (file: string): boolean =>
  !/[.]test[.]tsx?$|node_modules|db\/migrations\/|docs\/glossary[.]md$|docs\/migrating[.]md$/.test(file);

/** Without what people do not read: comments of programs, and code in documents. */
const shown = (file: string): string =>
  file.endsWith('.md')
    ? read(file).replace(/```[\s\S]*?```|`[^`\n]*`/g, '``')
    : read(file).replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');

export const readFiles = (): string[] => globSync(sources, { cwd: root }).filter(isRead).sort();

/** Where such words stand in a text, with the line. */
export function findUnwanted(text: string, words = unwantedWords()): string[] {
  return words.flatMap(({ word, instead }) =>
    [...text.matchAll(new RegExp(`(?<![\\w-])${word}(?![\\w-])`, 'gi'))].map(
      ({ index }) => `line ${text.slice(0, index).split('\n').length}: "${word}"; instead: ${instead}`,
    ),
  );
}

export const unwantedIn = (file: string): string[] => findUnwanted(shown(file)).map((found) => `${file}, ${found}`);

/** Words that are private in a program: by themselves they name nothing that the field has no word for. */
const privateNames = new Set(
  'outside silence crumbs trail door doors harbour said whole hold spend place facts turn'.split(' '),
);

/** Names of files, and of functions, constants and types at the top of a file, that are such a word and nothing else. */
export function privateNamesIn(file: string, source = read(file)): string[] {
  const [stem = ''] = path.basename(file).split('.');
  const declared = [
    ...source.matchAll(/^(?:export )?(?:default )?(?:async )?(?:const|let|function|interface|type|class) (\w+)/gm),
  ];
  return [stem, ...declared.map(([, name = '']) => name)].filter((name) => privateNames.has(name.toLowerCase()));
}

export const readSources = (): string[] =>
  globSync(['packages/*/src/**/*.{ts,tsx}', '{acceptance,bench,tools}/**/*.{ts,mjs}', 'packages/server/test/**/*.ts'], {
    cwd: root,
    exclude: (name) => name === 'node_modules',
  });
