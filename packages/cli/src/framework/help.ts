import { type ArgumentSpec, type Command, globalOptions, type OptionSpecs } from './command.ts';
import { findCommand, getCommand, inGroup } from './parse.ts';

const introduction = `mooring: manage apps and health events on a Mooring server from the command line.

Usage: mooring <command> [options]`;

const background = `Environment:
  MOORING_SERVER, MOORING_TOKEN  Speak to this server with this token, without a profile
  MOORING_PROFILE                The profile to use when --profile is absent
  MOORING_CONFIG_DIR             Where profiles are kept (default ~/.config/mooring)
  NODE_EXTRA_CA_CERTS            The ca.crt of a server with a certificate of its own
  NO_COLOR                       No colours

Exit codes: 0 ok, 1 failed, 2 wrong usage, 3 not signed in, 4 not found.
"mooring help <command>" tells more about a command.`;

function section(title: string, rows: [left: string, right: string][]): string[] {
  if (rows.length === 0) return [];
  const width = Math.max(...rows.map(([left]) => left.length));
  return [`${title}:\n${rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')}`];
}

const commandRows = (commands: readonly Command[]) =>
  commands.map(({ name, summary }): [string, string] => [name, summary]);

export const optionRows = (options: OptionSpecs) =>
  Object.entries(options).map(([name, { value, required, choices, summary }]): [string, string] => [
    `--${name}${value ? ` ${value}` : ''}`,
    `${summary}${choices ? ` (${choices.join(', ')})` : ''}${required ? '; must be given' : ''}`,
  ]);

function argumentUsage([name, { optional, many }]: [string, ArgumentSpec]): string {
  const text = `<${name}>${many ? '...' : ''}`;
  return optional ? `[${text}]` : text;
}

export const usageOf = (command: Command): string =>
  ['mooring', command.name, ...Object.entries(command.arguments).map(argumentUsage), '[options]'].join(' ');

function helpForCommand(command: Command): string {
  const args = Object.entries(command.arguments);
  return [
    `${command.summary}.`,
    `Usage: ${usageOf(command)}`,
    ...section(
      'Arguments',
      args.map(([name, { summary, choices }]): [string, string] => [
        `<${name}>`,
        choices && choices.length <= 20 ? `${summary} (${choices.join(', ')})` : summary,
      ]),
    ),
    ...section('Options', optionRows({ ...command.options, ...globalOptions })),
  ].join('\n\n');
}

/** Help for a command, for the commands of a group, or for everything. */
export function helpFor(words: readonly string[], commands: readonly Command[]): string {
  if (words.length === 0) {
    const everywhere = [...optionRows(globalOptions), ['--version', 'Tell the version'] as [string, string]];
    return [
      introduction,
      ...section('Commands', commandRows(commands)),
      ...section('Options', everywhere),
      background,
    ].join('\n\n');
  }
  const group = words.join(' ');
  const members = inGroup(group, commands);
  if (members.length > 0 && !findCommand(words, commands)) {
    return [`Usage: mooring ${group} <command> [options]`, ...section('Commands', commandRows(members))].join('\n\n');
  }
  return helpForCommand(getCommand(words, commands));
}
