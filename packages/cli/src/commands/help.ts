import { command } from '../framework/command.ts';
import { helpFor } from '../framework/help.ts';

export const helpCommands = [
  command({
    name: 'help',
    summary: 'Explains a command',
    arguments: { command: { summary: 'The command, or the first word of several', optional: true, many: true } },
    run: ({ args, out, commands }) => out.text(helpFor(args.command, commands)),
  }),
];
