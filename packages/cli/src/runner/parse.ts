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

export const groupOf = (name: string): string | undefined => (name.includes(' ') ? name.split(' ')[0] : undefined);

export const inGroup = (group: string, commands: readonly Command[]): Command[] =>
  commands.filter(({ name }) => groupOf(name) === group);

export const findCommand = (words: readonly string[], commands: readonly Command[]): Command | undefined =>
  commands.find(({ name }) => name === words[0] || name === words.slice(0, 2).join(' '));

/** The command that the words begin with. */
export function getCommand(words: readonly string[], commands: readonly Command[]): Command {
  const found = findCommand(words, commands);
  if (found) return found;
  const [first = '', second] = words;
  const group = inGroup(first, commands);
  if (group.length > 0 && second === undefined) {
    const verbs = group.map(({ name }) => name.slice(first.length + 1)).join(', ');
    throw wrongUsage(`"mooring ${first}" needs one of: ${verbs}.`, seeHelp(first));
  }
  const names = commands.map(({ name }) => name);
  const groups = names.flatMap((name) => groupOf(name) ?? []);
  const isGroup = group.length > 0;
  const otherwise = isGroup ? seeHelp(first) : didYouMean(first, [...names, ...groups], seeHelp());
  const typed = words.slice(0, 2).join(' ');
  throw wrongUsage(`There is no command "${isGroup ? typed : first}".`, didYouMean(typed, names, otherwise));
}

function explain(error: unknown, known: string[], command?: string) {
  const { message, code } = error as NodeJS.ErrnoException;
  if (!code?.startsWith('ERR_PARSE_ARGS')) return error;
  const unknown = /Unknown option '(--?[^']+)'/.exec(message)?.[1];
  if (!unknown) return wrongUsage(message.split('\n')[0] ?? message, seeHelp(command));
  const options = known.map((name) => `--${name}`);
  return wrongUsage(`There is no option "${unknown}".`, didYouMean(unknown, options, seeHelp(command)));
}

function assignArguments(specs: ArgumentSpecs, words: string[], command: string): ParsedValues['args'] {
  const rest = [...words];
  const args: ParsedValues['args'] = {};
  for (const [name, { many, optional }] of Object.entries(specs)) {
    if (rest.length === 0 && !optional) throw wrongUsage(`<${name}> is missing.`, seeHelp(command));
    args[name] = many ? rest.splice(0) : rest.shift();
  }
  if (rest.length > 0) throw wrongUsage(`"${rest[0]}" is one argument too many.`, seeHelp(command));
  return args;
}

/** The values of a command's arguments and options; without a command, only the options that all have. */
export function readValues(argv: readonly string[], command?: Command): ParsedValues {
  const options = toParseOptions({ ...globalOptions, ...command?.options });
  try {
    const { positionals, values } = parseArgs({ args: [...argv], options, strict: true, allowPositionals: true });
    const flags = Object.keys(options).filter((name) => options[name]?.type === 'boolean');
    const words = positionals.slice(command?.name.split(' ').length ?? 0);
    return {
      args: assignArguments(command?.arguments ?? {}, words, command?.name ?? ''),
      options: { ...Object.fromEntries(flags.map((name) => [name, false])), ...values },
    };
  } catch (error) {
    throw explain(error, Object.keys(options), command?.name);
  }
}
