import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '../packages/cli/src/commands/index.ts';
import { globalOptions } from '../packages/cli/src/framework/command.ts';
import {
  findCommand,
  getCommand,
  listGroups,
  readPositionals,
  readValues,
} from '../packages/cli/src/framework/parse.ts';
import { unknownSettings } from '../packages/server/src/settings.ts';

/** Commands and options in documents exist. */

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
  // The changelog names commands of earlier versions.
  .filter((file) => file !== 'CHANGELOG.md');

const splitArgs = (line: string): string[] =>
  (line.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((arg) => arg.replace(/^(["'])(.*)\1$/, '$2'));

interface DocumentedCommand {
  file: string;
  args: string[];
}

/** Lines in code blocks. */
const typed = (file: string): DocumentedCommand[] =>
  [...read(file).matchAll(/^```(?:sh|bash)?\n([\s\S]*?)^```/gm)]
    .flatMap(([, block = '']) => block.replaceAll(/\\\n\s*/g, ' ').split('\n'))
    .map((line) => line.replace(/\s+(?:#|<<).*$/, '').replace(/^[$] /, ''))
    .map((line) => line.replace(/^(?:[A-Z_]+=\S+ )*(?:sudo |npx )?(?:node_modules\/[.]bin\/)?/, ''))
    .filter((line) => line.startsWith('mooring '))
    .map((line) => ({ file, args: splitArgs(line).slice(1) }));

/** Commands in sentences, which may lack their arguments. */
const mentioned = (file: string): DocumentedCommand[] =>
  [
    ...read(file)
      .replaceAll(/^```[\s\S]*?^```/gm, '')
      .matchAll(/`mooring ([a-z][^`]*)`/g),
  ].map(([, line = '']) => ({
    file,
    args: splitArgs(line.replaceAll('\n', ' ')),
  }));

const failing = (all: DocumentedCommand[], check: (args: string[]) => void): string[] =>
  all.flatMap(({ file, args }) => {
    try {
      check(args);
      return [];
    } catch (error) {
      return [`${file}: mooring ${args.join(' ')}: ${(error as Error).message}`];
    }
  });

test('the command line accepts the command lines in documents', () => {
  const lines = documents.flatMap(typed);
  expect(lines.length).toBeGreaterThan(8);
  const understood = (args: string[]) =>
    readValues(args, getCommand(readPositionals(args, commands).positionals, commands));
  expect(failing(lines, understood)).toEqual([]);
  expect(failing([{ file: 'x', args: ['apps', 'lst'] }], understood)[0]).toContain('Unknown command "apps lst"');
});

test('commands and options in sentences exist', () => {
  const lines = documents.flatMap(mentioned);
  expect(lines.length).toBeGreaterThan(40);
  const known = (args: string[]) => {
    const names = args.filter((arg) => /^[a-z][a-z-]*$/.test(arg));
    const options = args.filter((arg) => arg.startsWith('--')).map((arg) => arg.slice(2).split('=')[0] ?? '');
    const command = findCommand(names, commands);
    if (!command && !listGroups(commands).includes(args.join(' '))) getCommand(names, commands);
    const all = { ...globalOptions, ...command?.options };
    const unknown = options.find((option) => !Object.hasOwn(all, option));
    if (unknown) throw new Error(`Unknown option: --${unknown}`);
  };
  expect(failing(lines, known)).toEqual([]);
  expect(failing([{ file: 'x', args: ['apps', 'list', '--colour'] }], known)[0]).toContain('--colour');
});

test('npm scripts in documents exist', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = documents.flatMap((file) =>
    [...read(file).matchAll(/\bnpm (?:run ([\w-]+)|(start|test)\b)/g)].map(([, run, own]) => `${run ?? own}`),
  );
  expect(named.length).toBeGreaterThan(30);
  // `build` is a script of an app, which runners build.
  expect(named.filter((name) => name !== 'build' && !Object.hasOwn(scripts, name))).toEqual([]);
});

test('settings in documents exist', () => {
  /** Settings of the command line, of runners and their child processes, of the tests, and of the compose file. */
  const others =
    /^MOORING_(SERVER|TOKEN|PROFILE|CONFIG_DIR|HOST|RUNNER_DIR|RUNNER_HIDE|APP|APP_FILE|OUTPUT|ONLY|DEBUGGING_PORT|HANDOVER|PACKAGE|FACTS|CREDENTIALS|TRACK|ID_TOKEN|\w+_COMMAND|TEST_\w+)$/;
  const named = documents.flatMap((file) => read(file).match(/\bMOORING_[A-Z0-9]+(?:_[A-Z0-9]+)*\b(?!_)/g) ?? []);
  const settings = Object.fromEntries(
    [...new Set(named)].filter((name) => !others.test(name)).map((name) => [name, '1']),
  );
  expect(Object.keys(settings).length).toBeGreaterThan(60);
  expect(unknownSettings(settings)).toEqual([]);
});
