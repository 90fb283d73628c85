import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '../packages/cli/src/commands/index.ts';
import { globalOptions } from '../packages/cli/src/framework/command.ts';
import { findCommand, getCommand, groupsOf, readValues, readWords } from '../packages/cli/src/framework/parse.ts';
import { unknownSettings } from '../packages/server/src/config.ts';

/** What documents tell people to type exists, with the options that they are told. */

const root = path.join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const documents = globSync(
  ['*.md', 'docs/*.md', 'deploy/**/*', 'packages/server/src/**/README.md', 'acceptance/**/*.md'],
  {
    cwd: root,
    exclude: (name) => name === 'node_modules',
  },
)
  .filter((file) => statSync(path.join(root, file)).isFile())
  // Of what was, not of what is.
  .filter((file) => file !== 'CHANGELOG.md' && !/command-line[.]md$/.test(file));

const wordsOf = (line: string): string[] =>
  (line.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^(["'])(.*)\1$/, '$2'));

interface Told {
  file: string;
  words: string[];
}

/** Lines to be typed as they stand. */
const typed = (file: string): Told[] =>
  [...read(file).matchAll(/^```(?:sh|bash)?\n([\s\S]*?)^```/gm)]
    .flatMap(([, block = '']) => block.replaceAll(/\\\n\s*/g, ' ').split('\n'))
    .map((line) => line.replace(/\s+#.*$/, '').replace(/^[$] /, ''))
    .map((line) => line.replace(/^(?:[A-Z_]+=\S+ )*(?:sudo |npx )?(?:node_modules\/[.]bin\/)?/, ''))
    .filter((line) => line.startsWith('mooring '))
    .map((line) => ({ file, words: wordsOf(line).slice(1) }));

/** Commands that a sentence names, maybe without what they are given. */
const mentioned = (file: string): Told[] =>
  [
    ...read(file)
      .replaceAll(/^```[\s\S]*?^```/gm, '')
      .matchAll(/`mooring ([a-z][^`]*)`/g),
  ].map(([, line = '']) => ({
    file,
    words: wordsOf(line.replaceAll('\n', ' ')),
  }));

const failing = (all: Told[], check: (words: string[]) => void): string[] =>
  all.flatMap(({ file, words }) => {
    try {
      check(words);
      return [];
    } catch (error) {
      return [`${file}: mooring ${words.join(' ')}: ${(error as Error).message}`];
    }
  });

test('command lines in documents are understood by the command line', () => {
  const lines = documents.flatMap(typed);
  expect(lines.length).toBeGreaterThan(8);
  const understood = (words: string[]) => readValues(words, getCommand(readWords(words, commands).words, commands));
  expect(failing(lines, understood)).toEqual([]);
  expect(failing([{ file: 'x', words: ['apps', 'lst'] }], understood)[0]).toContain('There is no command "apps lst"');
});

test('commands that sentences name exist, and so do their options', () => {
  const lines = documents.flatMap(mentioned);
  expect(lines.length).toBeGreaterThan(40);
  const known = (words: string[]) => {
    const names = words.filter((word) => /^[a-z][a-z-]*$/.test(word));
    const options = words.filter((word) => word.startsWith('--')).map((word) => word.slice(2).split('=')[0] ?? '');
    const command = findCommand(names, commands);
    if (!command && !groupsOf(commands).includes(words.join(' '))) getCommand(names, commands);
    const all = { ...globalOptions, ...command?.options };
    const unknown = options.find((option) => !Object.hasOwn(all, option));
    if (unknown) throw new Error(`There is no option --${unknown}`);
  };
  expect(failing(lines, known)).toEqual([]);
  expect(failing([{ file: 'x', words: ['apps', 'list', '--colour'] }], known)[0]).toContain('--colour');
});

test('scripts of npm that documents name exist', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = documents.flatMap((file) =>
    [...read(file).matchAll(/\bnpm (?:run ([\w-]+)|(start|test)\b)/g)].map(([, run, own]) => `${run ?? own}`),
  );
  expect(named.length).toBeGreaterThan(30);
  // `build` is a script of an app, which runners build.
  expect(named.filter((name) => name !== 'build' && !Object.hasOwn(scripts, name))).toEqual([]);
});

test('settings that documents name exist', () => {
  /** Of the command line, of runners and what they start, of the tests, and of the compose file. */
  const others =
    /^MOORING_(SERVER|TOKEN|PROFILE|CONFIG_DIR|HOST|RUNNER_DIR|RUNNER_HIDE|APP|APP_FILE|OUTPUT|ONLY|DEBUGGING_PORT|HANDOVER|PACKAGE|FACTS|CREDENTIALS|TRACK|\w+_COMMAND|TEST_\w+)$/;
  const named = documents.flatMap((file) => read(file).match(/\bMOORING_[A-Z0-9]+(?:_[A-Z0-9]+)*\b(?!_)/g) ?? []);
  const settings = Object.fromEntries(
    [...new Set(named)].filter((name) => !others.test(name)).map((name) => [name, '1']),
  );
  expect(Object.keys(settings).length).toBeGreaterThan(60);
  expect(unknownSettings(settings)).toEqual([]);
});
