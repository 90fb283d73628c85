import { command } from '../framework/command.ts';
import { helpFor } from '../framework/help.ts';

export const helpCommands = [
  command({
    name: 'help',
    summary: 'Show help for a command',
    arguments: { command: { summary: 'A command or a group of commands', optional: true, many: true } },
    run: ({ args, out, commands }) => out.text(helpFor(args.command, commands)),
  }),
];
