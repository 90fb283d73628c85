import { describe, expect, it } from 'vitest';
import { commands } from '../commands/index.ts';
import { command } from './command.ts';
import { exitCodes, Failure } from './errors.ts';
import { getCommand, readPositionals, readValues } from './parse.ts';

const copy = command({
  name: 'files copy',
  summary: 'Copy',
  arguments: { target: { summary: '' }, source: { summary: '', many: true } },
  options: { mode: { value: 'MODE', summary: '' }, force: { summary: '' } },
  run: () => {},
});
const owners = command({
  name: 'files owners set',
  summary: 'Set an owner',
  arguments: { right: { summary: '', choices: ['read', 'write'] } },
  options: {
    to: { value: 'NAME', summary: '', required: true },
    kind: { value: 'K', summary: '', choices: ['a', 'b'] },
  },
  run: () => {},
});
const show = command({
  name: 'show',
  summary: 'Show',
  arguments: { thing: { summary: '', optional: true } },
  run: () => {},
});
const table = [copy, owners, show];

function parse(line: string) {
  const argv = line.split(' ').filter(Boolean);
  return readValues(argv, getCommand(readPositionals(argv, table).positionals, table));
}

function getFailure(line: string): Failure {
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
  ])('parses the arguments and options of "%s"', (line, args, options) => {
    const parsed = parse(line);
    expect(parsed.args).toEqual(args);
    expect(parsed.options).toMatchObject(options);
  });

  it('turns every flag off by default', () => {
    expect(parse('files copy a b').options).toEqual({ json: false, help: false, force: false });
  });

  it.each([
    ['shwo', 'Unknown command "shwo".', 'Did you mean "show"?'],
    ['fils copy', 'Unknown command "fils".', 'Did you mean "files copy"?'],
    ['files cpy', 'Unknown command "files cpy".', 'Did you mean "files copy"?'],
    ['files transmogrify', 'Unknown command "files transmogrify".', 'Run "mooring help files" for usage.'],
    ['files', '"mooring files" needs a subcommand: copy, owners.', 'Run "mooring help files" for usage.'],
    ['files owners', '"mooring files owners" needs a subcommand: set.', 'Run "mooring help files owners" for usage.'],
    ['files owners sett', 'Unknown command "files owners sett".', 'Did you mean "files owners set"?'],
    ['files owners set', 'Missing argument <right>.', 'Run "mooring help files owners set" for usage.'],
    ['files owners set read', 'Missing option --to NAME.', 'Run "mooring help files owners set" for usage.'],
    ['files owners set raed --to x', 'Invalid value "raed" for <right>.', 'Did you mean "read"?'],
    ['files owners set execute --to x', 'Invalid value "execute" for <right>.', 'Allowed values: read, write.'],
    ['files owners set read --to x --kind z', 'Invalid value "z" for --kind.', 'Allowed values: a, b.'],
    ['nonsense', 'Unknown command "nonsense".', 'Run "mooring help" for usage.'],
    ['files copy a', 'Missing argument <source>.', 'Run "mooring help files copy" for usage.'],
    ['show a b', 'Unexpected argument "b".', 'Run "mooring help show" for usage.'],
    ['files copy a b --forse', 'Unknown option "--forse".', 'Did you mean "--force"?'],
    ['show --force', 'Unknown option "--force".', 'Run "mooring help show" for usage.'],
    ['files copy a b --mode', "Option '--mode <value>' argument missing", 'Run "mooring help files copy" for usage.'],
  ])('rejects "%s" as wrong usage with advice', (line, message, advice) => {
    const failure = getFailure(line);
    expect(failure).toMatchObject({ message, advice, exitCode: exitCodes.usage });
  });

  it('recognizes --help and -h anywhere', () => {
    expect(readPositionals(['files', 'copy', '-h'], table)).toEqual({ positionals: ['files', 'copy'], help: true });
    expect(readPositionals(['--help'], table)).toEqual({ positionals: [], help: true });
  });
});

describe('the commands', () => {
  it('has unique command names', () => {
    const names = commands.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('never uses an option name both with and without a value, because options are parsed before the command is known', () => {
    const kinds = new Map<string, boolean>();
    for (const { name, options, arguments: args } of commands) {
      const formerOptions = Object.values(args).flatMap((spec) =>
        Object.entries(spec.formerOptions ?? {}).map(([option, { form }]) => [option, { value: form }] as const),
      );
      for (const [option, { value }] of [...Object.entries(options), ...formerOptions]) {
        const takesValue = value !== undefined;
        expect(kinds.get(option) ?? takesValue, `--${option} of ${name}`).toBe(takesValue);
        kinds.set(option, takesValue);
      }
    }
  });
});

it.each([
  ['repos webhook', 'repos hook'],
  ['analytics data-retention', 'analytics keep'],
])('accepts %s by its former name %s', (name, alias) => {
  const find = (line: string) => getCommand([...line.split(' '), 'ada/compass'], commands);
  expect(find(name)).toMatchObject({ name, aliases: [alias] });
  expect(find(alias)).toBe(find(name));
  expect(
    readValues(
      [...alias.split(' '), 'ada/compass', '30'].slice(0, 2 + Object.keys(find(name).arguments).length),
      find(alias),
    ).args,
  ).toMatchObject({ app: 'ada/compass' });
});

it('uses aliases with as many words as the name, and no name of another command', () => {
  const aliases = commands.flatMap((one) => one.aliases.map((alias) => [one.name, alias] as const));
  for (const [name, alias] of aliases) expect(alias.split(' ')).toHaveLength(name.split(' ').length);
  const names = commands.map(({ name }) => name);
  expect(aliases.map(([, alias]) => alias).filter((alias) => names.includes(alias))).toEqual([]);
});

const samples: Record<string, string> = {
  app: 'ada/compass',
  org: 'lighthouse',
  subscription: '5f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b11',
};
const withFormerOptions = commands.flatMap((one) =>
  Object.entries(one.arguments).flatMap(([argument, { formerOptions = {} }]) =>
    Object.keys(formerOptions).map((option) => ({ name: one.name, argument, option, one })),
  ),
);

describe('an argument for an app, an organization or a subscription', () => {
  it('is the first argument of a command, and no option of the command has the same name', () => {
    for (const { name, argument, option, one } of withFormerOptions) {
      expect(Object.keys(one.arguments)[0], name).toBe(argument);
      expect(Object.keys(one.options), name).not.toContain(option);
    }
    const withRequiredOption = commands.filter(({ options }) =>
      ['app', 'org', 'subscription'].some((option) => options[option]?.required),
    );
    expect(withRequiredOption.map(({ name }) => name)).toEqual([]);
  });

  it.each(withFormerOptions)('of $name can also be passed as --$option', ({ one, argument, option }) => {
    const target = samples[option] ?? '';
    const others = Object.entries(one.arguments).flatMap(([name, { optional, choices }]) =>
      name === argument || optional ? [] : (choices?.[0] ?? 'x'),
    );
    const options = Object.entries(one.options).flatMap(([name, { required, choices }]) =>
      required ? [`--${name}`, choices?.[0] ?? 'x'] : [],
    );
    const nameParts = one.name.split(' ');
    const positional = readValues([...nameParts, target, ...others, ...options], one);
    const former = [...nameParts, ...others, `--${option}`, target, ...options];
    expect(getCommand(readPositionals(former, commands).positionals, commands)).toBe(one);
    expect(readValues(former, one)).toEqual(positional);
    expect(positional.args[argument]).toBe(target);
  });

  it.each([
    ['groups list', 'Missing argument <app|org>.'],
    ['groups list --app compass', '--app must be owner/app, not "compass".'],
    ['groups list --org ada/compass', '--org must be the name of an organization, not "ada/compass".'],
    ['groups list --app ada/compass --org lighthouse', "--app and --org can't be combined."],
    ['groups list lighthouse --org lighthouse', 'Unexpected argument "lighthouse".'],
  ])('rejects "%s"', (line, message) => {
    const argv = line.split(' ');
    const find = () => readValues(argv, getCommand(readPositionals(argv, commands).positionals, commands));
    expect(find).toThrow(expect.objectContaining({ message, exitCode: exitCodes.usage }));
  });
});
