import { type ArgumentSpec, type Command, globalOptions, type OptionSpecs } from './command.ts';
import { findCommand, getCommand, inGroup } from './parse.ts';

const introduction = `mooring: manage apps and health events on a Mooring server from the command line.

Usage: mooring <command> [options]`;

const background = `Environment:
  MOORING_SERVER, MOORING_TOKEN  Server and API token to use instead of a profile
  MOORING_PROFILE                Profile to use without --profile
  MOORING_CONFIG_DIR             Folder of the profiles (default ~/.config/mooring)
  NODE_EXTRA_CA_CERTS            The ca.crt of a server with a self-signed certificate
  NO_COLOR                       Turn colors off

Exit codes: 0 success, 1 failure, 2 wrong usage, 3 not signed in, 4 not found.
Run "mooring help <command>" for the arguments and options of a command.`;

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
    `${summary}${choices ? ` (${choices.join(', ')})` : ''}${required ? ' (required)' : ''}`,
  ]);

function argumentUsage([name, { optional, many }]: [string, ArgumentSpec]): string {
  const text = `<${name}>${many ? '...' : ''}`;
  return optional ? `[${text}]` : text;
}

export const formatUsage = (command: Command): string =>
  ['mooring', command.name, ...Object.entries(command.arguments).map(argumentUsage), '[options]'].join(' ');

function helpForCommand(command: Command): string {
  const args = Object.entries(command.arguments);
  return [
    `${command.summary}.`,
    `Usage: ${formatUsage(command)}`,
    ...command.aliases.map((alias) => `Former name: mooring ${alias}`),
    ...section(
      'Arguments',
      args.map(([name, { summary, choices }]): [string, string] => [
        `<${name}>`,
        choices && choices.length <= 20 ? `${summary} (${choices.join(', ')})` : summary,
      ]),
    ),
    ...section('Options', optionRows({ ...command.options, ...globalOptions })),
    ...(command.example ? [`Example:\n${command.example.replaceAll(/^(?=.)/gm, '  ')}`] : []),
  ].join('\n\n');
}

/** Help for a command, a group of commands, or the whole program. */
export function helpFor(path: readonly string[], commands: readonly Command[]): string {
  if (path.length === 0) {
    const globals = [...optionRows(globalOptions), ['--version', 'Show the version'] as [string, string]];
    return [
      introduction,
      ...section('Commands', commandRows(commands)),
      ...section('Options', globals),
      background,
    ].join('\n\n');
  }
  const group = path.join(' ');
  const members = inGroup(group, commands);
  if (members.length > 0 && !findCommand(path, commands)) {
    return [`Usage: mooring ${group} <command> [options]`, ...section('Commands', commandRows(members))].join('\n\n');
  }
  return helpForCommand(getCommand(path, commands));
}
