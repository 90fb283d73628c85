import { type Journey, login } from '../command.ts';

export const apps: Journey = {
  title: 'apps',
  user: 'axel',
  commands: [
    login,
    {
      line: 'apps create --display-name "Sea Chart" --description "Where am I?" --os iOS --platform Objective-C-Swift --release-type Beta',
      prints: `App Secret: {secret=uuid}
Description: Where am I?
Display Name: Sea Chart
Name: Sea-Chart
OS: iOS
Platform: Objective-C-Swift
Release Type: Beta
Owner ID: {owner=uuid}
Owner Display Name: axel
Owner Email: axel@example.com
Owner Name: axel
Azure Subscription ID:`,
    },
    {
      line: 'apps create --display-name Depth --name depth --os Windows --platform UWP --output json',
      json: {
        name: 'depth',
        displayName: 'Depth',
        os: 'Windows',
        platform: 'UWP',
        owner: { name: 'axel', type: 'user' },
      },
    },
    {
      line: 'apps create --display-name Depth --name depth --os Windows --platform UWP',
      exit: 4,
      prints: `Error: an app with this 'name' already exists`,
    },
    {
      line: 'apps create --display-name Depth --os Amiga --platform UWP',
      exit: 3,
      prints: 'Error: the request was rejected for an unknown reason',
      defect: {
        client: 'Hides the error message of the server.',
        here: 'Responds 400 and names the field and the allowed values.',
      },
    },
    { line: 'apps list', prints: 'axel/depth\naxel/Sea-Chart' },
    { line: 'apps set-current axel/Sea-Chart' },
    { line: 'apps get-current', prints: 'axel/Sea-Chart' },
    { line: 'apps get-current --output json', json: 'axel/Sea-Chart' },
    { line: 'apps list', prints: 'axel/depth\n* axel/Sea-Chart (current app)' },
    {
      line: 'apps list --output json',
      json: [
        { name: 'depth', owner: { name: 'axel' }, appSecret: '{uuid}' },
        { name: 'Sea-Chart', owner: { name: 'axel' }, appSecret: '{secret}', memberPermissions: ['manager'] },
      ],
    },
    {
      line: 'apps set-current axel/nowhere',
      exit: 4,
      prints: `Error: You either do not have access to 'axel/nowhere' or there is no such application.`,
    },
    {
      line: 'apps show',
      prints: `App Secret: {secret}
Description: Where am I?
Display Name: Sea Chart
Name: Sea-Chart
OS: iOS
Platform: Objective-C-Swift
Release Type: Beta
Owner ID: {owner}
Owner Display Name: axel
Owner Email: axel@example.com
Owner Name: axel
Azure Subscription ID:`,
    },
    {
      line: 'apps show --output json',
      env: { MOBILE_CENTER_CURRENT_APP: 'axel/depth' },
      json: { name: 'depth', os: 'Windows', createdAt: '{time}' },
    },
    { line: 'apps show --app axel/nowhere', exit: 6, prints: 'Error: the app "axel/nowhere" could not be found' },
    {
      line: 'apps update --app axel/depth --display-name Deeper',
      defect: {
        client: 'Sends no body, swaps owner and app in the path, and prints nothing when the server refuses it.',
        here: 'Responds 411 and changes nothing. Use the console or `mooring apps update`.',
      },
    },
    { line: 'apps show --app axel/depth --output json', json: { displayName: 'Depth' } },
    {
      line: 'apps delete --app axel/depth',
      answers: 'n\n',
      prints: '? Do you really want to delete the app "axel/depth" No\nDeletion of "axel/depth" canceled',
    },
    {
      line: 'apps delete --app axel/depth',
      answers: 'y\n',
      prints: '? Do you really want to delete the app "axel/depth" Yes',
    },
    { line: 'apps delete --app axel/depth --quiet', exit: 6, prints: 'Error: the app "axel/depth" could not be found' },
    { line: 'apps list', prints: '* axel/Sea-Chart (current app)' },
  ],
};
