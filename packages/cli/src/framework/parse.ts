import { parseArgs } from 'node:util';
import { didYouMean } from './closest.ts';
import {
  type ArgumentSpec,
  type ArgumentSpecs,
  type Command,
  globalOptions,
  type OptionSpecs,
  type ParsedValues,
} from './command.ts';
import { wrongUsage } from './errors.ts';

const toParseOptions = (specs: OptionSpecs) =>
  Object.fromEntries(
    Object.entries(specs).map(([name, { value }]) => [
      name,
      { type: value ? ('string' as const) : ('boolean' as const), ...(name === 'help' ? { short: 'h' } : {}) },
    ]),
  );

const seeHelp = (command?: string) => `Run "mooring help${command ? ` ${command}` : ''}" for usage.`;

/** Options that replace arguments, as options of the parser. */
const listFormerOptions = (specs: ArgumentSpecs): OptionSpecs =>
  Object.fromEntries(
    Object.values(specs).flatMap(({ formerOptions = {} }) =>
      Object.entries(formerOptions).map(([name, { form }]) => [name, { summary: '', value: form }]),
    ),
  );

/** Reads positional arguments and --help before the command is known. */
export function readPositionals(
  argv: readonly string[],
  commands: readonly Command[],
): { positionals: string[]; help: boolean } {
  const allOptions: OptionSpecs = Object.assign(
    {},
    globalOptions,
    ...commands.map((command) => ({ ...listFormerOptions(command.arguments), ...command.options })),
  );
  const { positionals, values } = parseArgs({
    args: [...argv],
    options: toParseOptions(allOptions),
    strict: false,
    allowPositionals: true,
  });
  return { positionals, help: values.help === true };
}

const startsWith = (parts: readonly string[], start: readonly string[]): boolean =>
  start.length <= parts.length && start.every((part, index) => part === parts[index]);

/** Commands in a group or in its subgroups. */
export function inGroup(group: string, commands: readonly Command[]): Command[] {
  return commands.filter(({ name }) => name.startsWith(`${group} `));
}

/** All groups of commands: `apps`, `apps users`. */
export function listGroups(commands: readonly Command[]): string[] {
  const beginnings = commands.flatMap(({ name }) => {
    const parts = name.split(' ');
    return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join(' '));
  });
  return [...new Set(beginnings)];
}

/** The words that can follow a group; for the empty group, the first words of all commands. */
export function listSubcommands(group: string, commands: readonly Command[]): string[] {
  const skip = group === '' ? 0 : group.length + 1;
  const members = group === '' ? commands : inGroup(group, commands);
  return [...new Set(members.map(({ name }) => name.slice(skip).split(' ')[0] ?? ''))];
}

/** Finds the command with the longest name or alias that the words start with. */
export const findCommand = (positionals: readonly string[], commands: readonly Command[]): Command | undefined =>
  commands
    .filter(({ name, aliases }) => [name, ...aliases].some((one) => startsWith(positionals, one.split(' '))))
    .sort((a, b) => b.name.length - a.name.length)[0];

/** Like `findCommand`, but throws an error with a suggestion. */
export function getCommand(positionals: readonly string[], commands: readonly Command[]): Command {
  const command = findCommand(positionals, commands);
  if (command) return command;
  const isGroup = (count: number) => inGroup(positionals.slice(0, count).join(' '), commands).length > 0;
  let depth = 0;
  while (depth < positionals.length && isGroup(depth + 1)) depth += 1;
  const group = positionals.slice(0, depth).join(' ');
  if (depth === positionals.length) {
    throw wrongUsage(
      `"mooring ${group}" needs a subcommand: ${listSubcommands(group, commands).join(', ')}.`,
      seeHelp(group),
    );
  }
  const names = commands.map(({ name }) => name);
  const typed = positionals.slice(0, depth + 1).join(' ');
  const otherwise = group ? seeHelp(group) : didYouMean(typed, [...names, ...listGroups(commands)], seeHelp());
  throw wrongUsage(
    `Unknown command "${typed}".`,
    didYouMean(positionals.slice(0, Math.max(depth + 1, 2)).join(' '), names, otherwise),
  );
}

function explain(error: unknown, optionNames: string[], command?: string) {
  const { message, code } = error as NodeJS.ErrnoException;
  if (!code?.startsWith('ERR_PARSE_ARGS')) return error;
  const unknown = /Unknown option '(--?[^']+)'/.exec(message)?.[1];
  if (!unknown) return wrongUsage(message.split('\n')[0] ?? message, seeHelp(command));
  const options = optionNames.map((name) => `--${name}`);
  return wrongUsage(`Unknown option "${unknown}".`, didYouMean(unknown, options, seeHelp(command)));
}

function checkChoice(name: string, value: unknown, choices: readonly string[] | undefined, command: string): void {
  if (typeof value !== 'string' || !choices || choices.includes(value)) return;
  const all = choices.length <= 20 ? `Allowed values: ${choices.join(', ')}.` : seeHelp(command);
  throw wrongUsage(`Invalid value "${value}" for ${name}.`, didYouMean(value, choices, all));
}

/** Removes the value of a former option from the options, and returns it. */
function takeFormerOption(
  { formerOptions = {} }: ArgumentSpec,
  options: ParsedValues['options'],
  command: string,
): string | undefined {
  const [name, other] = Object.keys(formerOptions).filter((option) => options[option] !== undefined);
  if (name === undefined) return undefined;
  if (other !== undefined) throw wrongUsage(`--${name} and --${other} can't be combined.`, seeHelp(command));
  const value = String(options[name]);
  delete options[name];
  const { form = '', pattern } = formerOptions[name] ?? {};
  if (!pattern?.test(value)) throw wrongUsage(`--${name} must be ${form}, not "${value}".`, seeHelp(command));
  return value;
}

function assignArguments(
  specs: ArgumentSpecs,
  values: string[],
  options: ParsedValues['options'],
  command: string,
): ParsedValues['args'] {
  const rest = [...values];
  const args: ParsedValues['args'] = {};
  for (const [name, spec] of Object.entries(specs)) {
    const { many, optional, choices } = spec;
    const former = takeFormerOption(spec, options, command);
    if (rest.length === 0 && !optional && former === undefined) {
      throw wrongUsage(`Missing argument <${name}>.`, seeHelp(command));
    }
    const taken = former ?? (many ? rest.splice(0) : rest.shift());
    for (const value of [taken].flat()) checkChoice(`<${name}>`, value, choices, command);
    args[name] = taken;
  }
  if (rest.length > 0) throw wrongUsage(`Unexpected argument "${rest[0]}".`, seeHelp(command));
  return args;
}

function checkOptions(specs: OptionSpecs, values: ParsedValues['options'], command: string): void {
  for (const [name, { value, required, choices }] of Object.entries(specs)) {
    if (required && values[name] === undefined)
      throw wrongUsage(`Missing option --${name} ${value}.`, seeHelp(command));
    checkChoice(`--${name}`, values[name], choices, command);
  }
}

/** Reads a command's arguments and options; without a command, only global options are allowed. */
export function readValues(argv: readonly string[], command?: Command): ParsedValues {
  const specs: OptionSpecs = { ...globalOptions, ...command?.options };
  const options = toParseOptions(specs);
  const formerOptions = toParseOptions(listFormerOptions(command?.arguments ?? {}));
  try {
    const { positionals, values } = parseArgs({
      args: [...argv],
      options: { ...formerOptions, ...options },
      strict: true,
      allowPositionals: true,
    });
    const flags = Object.keys(options).filter((name) => options[name]?.type === 'boolean');
    const argumentValues = positionals.slice(command?.name.split(' ').length ?? 0);
    const args = assignArguments(command?.arguments ?? {}, argumentValues, values, command?.name ?? '');
    checkOptions(specs, values, command?.name ?? '');
    return { args, options: { ...Object.fromEntries(flags.map((name) => [name, false])), ...values } };
  } catch (error) {
    throw explain(error, Object.keys(options), command?.name);
  }
}
