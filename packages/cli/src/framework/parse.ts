import { parseArgs } from 'node:util';
import { didYouMean } from './closest.ts';
import { type ArgumentSpecs, type Command, globalOptions, type OptionSpecs, type ParsedValues } from './command.ts';
import { wrongUsage } from './errors.ts';

const toParseOptions = (specs: OptionSpecs) =>
  Object.fromEntries(
    Object.entries(specs).map(([name, { value }]) => [
      name,
      { type: value ? ('string' as const) : ('boolean' as const), ...(name === 'help' ? { short: 'h' } : {}) },
    ]),
  );

const seeHelp = (command?: string) => `See "mooring help${command ? ` ${command}` : ''}".`;

/** The words that are no options, and whether help is asked for, before it is known which command this is. */
export function readWords(argv: readonly string[], commands: readonly Command[]): { words: string[]; help: boolean } {
  const every: OptionSpecs = Object.assign({}, globalOptions, ...commands.map(({ options }) => options));
  const { positionals, values } = parseArgs({
    args: [...argv],
    options: toParseOptions(every),
    strict: false,
    allowPositionals: true,
  });
  return { words: positionals, help: values.help === true };
}

const startsWith = (words: readonly string[], start: readonly string[]): boolean =>
  start.length <= words.length && start.every((word, index) => word === words[index]);

/** The commands whose names begin with these words and go on. */
export function inGroup(group: string, commands: readonly Command[]): Command[] {
  return commands.filter(({ name }) => name.startsWith(`${group} `));
}

/** Every beginning of a name that is no command by itself: `apps`, `apps users`. */
export function groupsOf(commands: readonly Command[]): string[] {
  const beginnings = commands.flatMap(({ name }) => {
    const words = name.split(' ');
    return words.slice(1).map((_, index) => words.slice(0, index + 1).join(' '));
  });
  return [...new Set(beginnings)];
}

/** What can stand right after the words of a group; after none, what a command line can begin with. */
export function nextWords(group: string, commands: readonly Command[]): string[] {
  const skip = group === '' ? 0 : group.length + 1;
  const members = group === '' ? commands : inGroup(group, commands);
  return [...new Set(members.map(({ name }) => name.slice(skip).split(' ')[0] ?? ''))];
}

export const findCommand = (words: readonly string[], commands: readonly Command[]): Command | undefined =>
  commands.filter(({ name }) => startsWith(words, name.split(' '))).sort((a, b) => b.name.length - a.name.length)[0];

/** The command that the words begin with. */
export function getCommand(words: readonly string[], commands: readonly Command[]): Command {
  const found = findCommand(words, commands);
  if (found) return found;
  const isGroup = (count: number) => inGroup(words.slice(0, count).join(' '), commands).length > 0;
  let depth = 0;
  while (depth < words.length && isGroup(depth + 1)) depth += 1;
  const group = words.slice(0, depth).join(' ');
  if (depth === words.length) {
    throw wrongUsage(`"mooring ${group}" needs one of: ${nextWords(group, commands).join(', ')}.`, seeHelp(group));
  }
  const names = commands.map(({ name }) => name);
  const typed = words.slice(0, depth + 1).join(' ');
  const otherwise = group ? seeHelp(group) : didYouMean(typed, [...names, ...groupsOf(commands)], seeHelp());
  throw wrongUsage(
    `There is no command "${typed}".`,
    didYouMean(words.slice(0, Math.max(depth + 1, 2)).join(' '), names, otherwise),
  );
}

function explain(error: unknown, known: string[], command?: string) {
  const { message, code } = error as NodeJS.ErrnoException;
  if (!code?.startsWith('ERR_PARSE_ARGS')) return error;
  const unknown = /Unknown option '(--?[^']+)'/.exec(message)?.[1];
  if (!unknown) return wrongUsage(message.split('\n')[0] ?? message, seeHelp(command));
  const options = known.map((name) => `--${name}`);
  return wrongUsage(`There is no option "${unknown}".`, didYouMean(unknown, options, seeHelp(command)));
}

function checkChoice(what: string, word: unknown, choices: readonly string[] | undefined, command: string): void {
  if (typeof word !== 'string' || !choices || choices.includes(word)) return;
  const all = choices.length <= 20 ? `Choose one of: ${choices.join(', ')}.` : seeHelp(command);
  throw wrongUsage(`${what} cannot be "${word}".`, didYouMean(word, choices, all));
}

function assignArguments(specs: ArgumentSpecs, words: string[], command: string): ParsedValues['args'] {
  const rest = [...words];
  const args: ParsedValues['args'] = {};
  for (const [name, { many, optional, choices }] of Object.entries(specs)) {
    if (rest.length === 0 && !optional) throw wrongUsage(`<${name}> is missing.`, seeHelp(command));
    const taken = many ? rest.splice(0) : rest.shift();
    for (const word of [taken].flat()) checkChoice(`<${name}>`, word, choices, command);
    args[name] = taken;
  }
  if (rest.length > 0) throw wrongUsage(`"${rest[0]}" is one argument too many.`, seeHelp(command));
  return args;
}

function checkOptions(specs: OptionSpecs, values: ParsedValues['options'], command: string): void {
  for (const [name, { value, required, choices }] of Object.entries(specs)) {
    if (required && values[name] === undefined) throw wrongUsage(`--${name} ${value} is missing.`, seeHelp(command));
    checkChoice(`--${name}`, values[name], choices, command);
  }
}

/** The values of a command's arguments and options; without a command, only the options that all have. */
export function readValues(argv: readonly string[], command?: Command): ParsedValues {
  const specs: OptionSpecs = { ...globalOptions, ...command?.options };
  const options = toParseOptions(specs);
  try {
    const { positionals, values } = parseArgs({ args: [...argv], options, strict: true, allowPositionals: true });
    const flags = Object.keys(options).filter((name) => options[name]?.type === 'boolean');
    const words = positionals.slice(command?.name.split(' ').length ?? 0);
    const args = assignArguments(command?.arguments ?? {}, words, command?.name ?? '');
    checkOptions(specs, values, command?.name ?? '');
    return { args, options: { ...Object.fromEntries(flags.map((name) => [name, false])), ...values } };
  } catch (error) {
    throw explain(error, Object.keys(options), command?.name);
  }
}
