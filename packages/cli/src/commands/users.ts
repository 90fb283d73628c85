import { adminUsers_create, adminUsers_list, type OutputOf } from '@mooring/contract';
import type { Column } from '../output.ts';
import { gatherPages, limitOption, printPage } from '../paging.ts';
import { ask, canAsk, readStdin } from '../prompt.ts';
import { command } from '../runner/command.ts';
import { wrongUsage } from '../runner/errors.ts';

type User = OutputOf<typeof adminUsers_create>;

const columns: Column<User>[] = [
  { header: 'NAME', value: (user) => user.name },
  { header: 'E-MAIL', value: (user) => user.email },
  { header: 'DISPLAY NAME', value: (user) => user.display_name },
  { header: 'ADMIN', value: (user) => user.is_admin },
  { header: 'DISABLED', value: (user) => user.is_disabled },
  { header: 'CREATED', value: (user) => user.created_at, isTime: true },
  { header: 'ID', value: (user) => user.id },
];

async function askNewPassword(): Promise<string> {
  if (!canAsk()) throw wrongUsage('There is no terminal to ask for a password on.', 'Use --password-stdin.');
  const password = await ask('Password of the new user: ', { secret: true });
  if ((await ask('Once more: ', { secret: true })) !== password) throw wrongUsage('The two passwords differ.');
  return password;
}

export const userCommands = [
  command({
    name: 'users list',
    summary: 'Lists the users of the server (administrators)',
    options: { limit: limitOption },
    async run({ options, out, connect }) {
      const { call } = connect();
      const page = await gatherPages(options.limit, (query) => call(adminUsers_list, { query }));
      printPage(out, page, columns);
    },
  }),
  command({
    name: 'users create',
    summary: 'Creates a user (administrators)',
    arguments: { email: { summary: 'E-mail of the new user' } },
    options: {
      name: { value: 'NAME', summary: 'Name (default: the e-mail before the @)' },
      'display-name': { value: 'TEXT', summary: 'Name as shown (default: the name)' },
      admin: { summary: 'Make the user an administrator' },
      'password-stdin': { summary: 'Read the password from stdin, instead of asking' },
    },
    async run({ args, options, out, connect }) {
      const { call } = connect();
      const user = await call(adminUsers_create, {
        body: {
          email: args.email,
          name: options.name,
          display_name: options['display-name'],
          password: options['password-stdin'] ? await readStdin('password') : await askNewPassword(),
          is_admin: options.admin,
        },
      });
      out.table(user, [user], columns);
    },
  }),
];
