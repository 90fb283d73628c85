import { describe, expect, it } from 'vitest';
import { commands } from '../commands/index.ts';
import { command } from './command.ts';
import { exitCodes, Failure } from './errors.ts';
import { getCommand, readValues, readWords } from './parse.ts';

const copy = command({
  name: 'files copy',
  summary: 'Copies',
  arguments: { target: { summary: '' }, source: { summary: '', many: true } },
  options: { mode: { value: 'MODE', summary: '' }, force: { summary: '' } },
  run: () => {},
});
const owners = command({
  name: 'files owners set',
  summary: 'Gives away',
  arguments: { right: { summary: '', choices: ['read', 'write'] } },
  options: {
    to: { value: 'NAME', summary: '', required: true },
    kind: { value: 'K', summary: '', choices: ['a', 'b'] },
  },
  run: () => {},
});
const show = command({
  name: 'show',
  summary: 'Shows',
  arguments: { thing: { summary: '', optional: true } },
  run: () => {},
});
const table = [copy, owners, show];

function parse(line: string) {
  const argv = line.split(' ').filter(Boolean);
  return readValues(argv, getCommand(readWords(argv, table).words, table));
}

function failureOf(line: string): Failure {
  try {
    parse(line);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error(`"${line}" was accepted`);
}

describe('a command line', () => {
  it.each([
    ['show', { thing: undefined }, {}],
    ['show it', { thing: 'it' }, {}],
    ['files copy a b c', { target: 'a', source: ['b', 'c'] }, {}],
    ['files copy a b --force', { target: 'a', source: ['b'] }, { force: true }],
    ['--profile work files copy --mode x a b', { target: 'a', source: ['b'] }, { profile: 'work', mode: 'x' }],
    ['files --json copy a --mode=x b', { target: 'a', source: ['b'] }, { json: true, mode: 'x' }],
    ['files owners set read --to ada', { right: 'read' }, { to: 'ada' }],
    ['files copy a -- --force', { target: 'a', source: ['--force'] }, {}],
  ])('"%s" gives its arguments and options', (line, args, options) => {
    const parsed = parse(line);
    expect(parsed.args).toEqual(args);
    expect(parsed.options).toMatchObject(options);
  });

  it('has every flag, off unless given', () => {
    expect(parse('files copy a b').options).toEqual({ json: false, help: false, force: false });
  });

  it.each([
    ['shwo', 'There is no command "shwo".', 'Did you mean "show"?'],
    ['fils copy', 'There is no command "fils".', 'Did you mean "files copy"?'],
    ['files cpy', 'There is no command "files cpy".', 'Did you mean "files copy"?'],
    ['files transmogrify', 'There is no command "files transmogrify".', 'See "mooring help files".'],
    ['files', '"mooring files" needs one of: copy, owners.', 'See "mooring help files".'],
    ['files owners', '"mooring files owners" needs one of: set.', 'See "mooring help files owners".'],
    ['files owners sett', 'There is no command "files owners sett".', 'Did you mean "files owners set"?'],
    ['files owners set', '<right> is missing.', 'See "mooring help files owners set".'],
    ['files owners set read', '--to NAME is missing.', 'See "mooring help files owners set".'],
    ['files owners set raed --to x', '<right> cannot be "raed".', 'Did you mean "read"?'],
    ['files owners set execute --to x', '<right> cannot be "execute".', 'Choose one of: read, write.'],
    ['files owners set read --to x --kind z', '--kind cannot be "z".', 'Choose one of: a, b.'],
    ['nonsense', 'There is no command "nonsense".', 'See "mooring help".'],
    ['files copy a', '<source> is missing.', 'See "mooring help files copy".'],
    ['show a b', '"b" is one argument too many.', 'See "mooring help show".'],
    ['files copy a b --forse', 'There is no option "--forse".', 'Did you mean "--force"?'],
    ['show --force', 'There is no option "--force".', 'See "mooring help show".'],
    ['files copy a b --mode', "Option '--mode <value>' argument missing", 'See "mooring help files copy".'],
  ])('"%s" is wrong usage and says what would be right', (line, message, advice) => {
    const failure = failureOf(line);
    expect(failure).toMatchObject({ message, advice, exitCode: exitCodes.usage });
  });

  it('asks for help wherever --help or -h stands', () => {
    expect(readWords(['files', 'copy', '-h'], table)).toEqual({ words: ['files', 'copy'], help: true });
    expect(readWords(['--help'], table)).toEqual({ words: [], help: true });
  });
});

describe('the table of commands', () => {
  it('names every command once', () => {
    const names = commands.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('gives an option of one name the same kind everywhere, as the words are read before the command is known', () => {
    const kinds = new Map<string, boolean>();
    for (const { name, options } of commands) {
      for (const [option, { value }] of Object.entries(options)) {
        const takesValue = value !== undefined;
        expect(kinds.get(option) ?? takesValue, `--${option} of ${name}`).toBe(takesValue);
        kinds.set(option, takesValue);
      }
    }
  });
});
