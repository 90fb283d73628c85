import {
  type AppOs,
  type AppPlatform,
  apps_create,
  apps_createForOrg,
  apps_delete,
  apps_list,
} from '@mooring/contract';
import { readApp } from '../app-address.ts';
import { command } from '../runner/command.ts';
import { wrongUsage } from '../runner/errors.ts';

const addressOf = (app: { name: string; owner: { name: string } }): string => `${app.owner.name}/${app.name}`;

export const appCommands = [
  command({
    name: 'apps list',
    summary: 'Lists the apps that you can see, as owner/app',
    async run({ out, connect }) {
      const apps = await connect().call(apps_list, { query: { $orderBy: 'name' } });
      out.table(apps, apps, [{ header: 'APP', value: addressOf }]);
    },
  }),
  command({
    name: 'apps create',
    summary: 'Creates an app',
    arguments: { name: { summary: 'The name to show' } },
    options: {
      os: { value: 'OS', summary: 'Android, iOS, macOS, Windows, …' },
      platform: { value: 'PLATFORM', summary: 'Java, Objective-C-Swift, React-Native, …' },
      org: { value: 'NAME', summary: 'For this organization, instead of yourself' },
    },
    async run({ args, options, out, connect }) {
      if (!options.os || !options.platform) throw wrongUsage('An app needs --os and --platform.');
      // The server knows which values there are, and says so when these are none of them.
      const { os, platform } = options as { os: AppOs; platform: AppPlatform };
      const body = { display_name: args.name, os, platform };
      const { call } = connect();
      const app = options.org
        ? await call(apps_createForOrg, { params: { org_name: options.org }, body })
        : await call(apps_create, { body });
      out.value(app, addressOf(app));
    },
  }),
  command({
    name: 'apps delete',
    summary: 'Deletes an app and everything that belongs to it',
    arguments: { app: { summary: 'As in "mooring apps list"' } },
    async run({ args, out, connect }) {
      await connect().call(apps_delete, { params: readApp(args.app, 'The app') });
      out.note(`Deleted ${args.app}.`);
    },
  }),
];
