import type { Command } from '../runner/command.ts';
import { accountCommands } from './account.ts';
import { apiCommands } from './api.ts';
import { appCommands } from './apps.ts';
import { auditCommands } from './audit.ts';
import { completionCommands } from './completion.ts';
import { helpCommands } from './help.ts';
import { tokenCommands } from './tokens.ts';
import { userCommands } from './users.ts';

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  ...accountCommands,
  ...appCommands,
  ...tokenCommands,
  ...userCommands,
  ...auditCommands,
  ...apiCommands,
  ...completionCommands,
  ...helpCommands,
];
