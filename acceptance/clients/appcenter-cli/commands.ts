/** Every command here is run by the suite as it stands, in order, and what it prints is compared. */
export interface Command {
  /** What one types after `appcenter`. `{name}` is something that an earlier command printed. */
  line: string;
  /** What one types where it asks. */
  answers?: string;
  env?: Record<string, string>;
  /** Its exit code; 0 unless told. */
  exit?: number;
  /** What it prints, borders of tables and repeated spaces aside; nothing unless told. See patterns.ts for `{…}`. */
  prints?: string;
  /** In place of `prints`: it prints JSON, with at least this in it. */
  json?: unknown;
  /** Who accepts the invitation that it sent, before the next command. */
  thenAccepts?: string;
  /** What the client does wrong, and what that comes to on this server. */
  defect?: { client: string; here: string };
}

export interface Journey {
  title: string;
  /** Whose journey it is: somebody new, with a home folder of their own. */
  user: string;
  /** Others who have an account. */
  guests?: string[];
  /** Files in the home folder, which is the working folder, too. */
  files?: Record<string, string>;
  commands: Command[];
}

const login: Command = { line: 'login --env local --token {token}', prints: 'Logged in as {any}' };

const signingIn: Journey = {
  title: 'signing in, and the profile',
  user: 'lena',
  commands: [
    {
      line: 'profile list',
      exit: 5,
      prints: `Error: Command 'appcenter profile list' requires a logged in user. Use the 'appcenter login' command to log in.`,
    },
    { line: 'login --env local --token {token}', prints: 'Logged in as lena' },
    { line: 'profile list', prints: 'Username: lena\nDisplay Name: lena\nEmail: lena@example.com' },
    {
      line: 'profile update',
      answers: 'Lena Lind\n',
      prints: '? Display name Lena Lind\nUsername: lena\nDisplay Name: Lena Lind\nEmail: lena@example.com',
    },
    { line: 'profile update', answers: '\n', prints: '? Display name Lena Lind\nNo changes to profile' },
    {
      line: 'profile list --output json',
      json: {
        id: '{uuid}',
        name: 'lena',
        displayName: 'Lena Lind',
        email: 'lena@example.com',
        canChangePassword: true,
      },
    },
    {
      line: 'login --env local --token wrong',
      exit: 3,
      prints: 'Error: A valid credential is needed: {any}',
      defect: {
        client: 'Forgets the login that there was before it tries the new one.',
        here: 'The refusal is printed; sign in again with a token that is valid.',
      },
    },
    {
      line: 'login --env local',
      env: { APPCENTER_LOGIN_ENDPOINT: '{server}/settings/tokens' },
      answers: '{token}\n',
      prints: `Opening your browser...
? Visit {server}/settings/tokens?hostname={any} and enter the code:
? Access code from browser: {token}
Logged in as lena`,
    },
    {
      line: 'logout',
      prints: 'Successfully logged out',
      defect: {
        client: 'Sends nothing to the server, also when it got its token from the browser.',
        here: 'The token stays valid until it is deleted, with `tokens delete` or in the console.',
      },
    },
    {
      line: 'profile list --env local --token {token}',
      prints: 'Username: lena\nDisplay Name: Lena Lind\nEmail: lena@example.com',
    },
    {
      line: 'profile list',
      env: { APPCENTER_ACCESS_TOKEN: '{token}', APPCENTER_ENV: 'local' },
      prints: 'Username: lena\nDisplay Name: Lena Lind\nEmail: lena@example.com',
    },
  ],
};

const tokens: Journey = {
  title: 'tokens of a user and of an app',
  user: 'tove',
  commands: [
    login,
    {
      line: 'tokens create --description "Build server"',
      prints: 'ID: {ci-id=uuid}\nAPI Token: {ci=user-token}\nDescription: Build server\nCreated at: {ci-time=time}',
    },
    {
      line: 'tokens create --description Laptop --output json',
      json: { id: '{uuid}', apiToken: '{user-token}', description: 'Laptop', scope: ['all'], createdAt: '{time}' },
    },
    {
      line: 'tokens create',
      exit: 3,
      prints: 'Error: invalid request',
      defect: {
        client: 'Without a description it sends no body at all, and does not print what the server says.',
        here: 'A change without a body is answered 411, as the specification demands: add `--description`.',
      },
    },
    {
      line: 'tokens list',
      prints: `ID | Description | Type | Created At
{uuid} | Laptop | user | {time}
{ci-id} | Build server | user | {ci-time}
{uuid} | | user | {time}`,
    },
    {
      line: 'tokens list --output json',
      json: [
        ['{uuid}', 'Laptop', 'user', '{time}'],
        ['{ci-id}', 'Build server', 'user', '{ci-time}'],
        ['{uuid}', null, 'user', '{time}'],
      ],
    },
    {
      line: 'profile list --env local --token {ci}',
      prints: 'Username: tove\nDisplay Name: tove\nEmail: tove@example.com',
    },
    {
      line: 'tokens delete {ci-id}',
      answers: 'n\n',
      prints: `? Do you really want to delete the user API token with ID "{ci-id}" No
Deletion of user API token with ID "{ci-id}" canceled`,
    },
    {
      line: 'tokens delete {ci-id}',
      answers: 'y\n',
      prints: '? Do you really want to delete the user API token with ID "{ci-id}" Yes',
    },
    {
      line: 'profile list --env local --token {ci}',
      exit: 3,
      prints: `Error: Command 'profile list --env local --token {ci}' failed with exception "A valid credential is needed: {any}"`,
    },
    {
      line: 'tokens delete {ci-id} --quiet',
      exit: 5,
      prints: 'Error: the user API token with ID "{ci-id}" could not be found',
    },
    {
      line: 'apps create --display-name Compass --os Android --platform Java --output json',
      json: { name: 'Compass' },
    },
    {
      line: 'tokens create --type app --app tove/Compass --description Fastlane',
      prints: 'ID: {lane-id=uuid}\nAPI Token: {lane=app-token}\nDescription: Fastlane\nCreated at: {lane-time=time}',
    },
    {
      line: 'apps show --app tove/Compass --env local --token {lane} --output json',
      json: { name: 'Compass', owner: { name: 'tove' } },
    },
    {
      line: 'tokens list --type app --app tove/Compass',
      prints: 'ID | Description | Type | Created At\n{lane-id} | Fastlane | app | {lane-time}',
    },
    {
      line: 'tokens list --type app --app tove/Compass --output json',
      json: [['{lane-id}', 'Fastlane', 'app', '{lane-time}']],
    },
    { line: 'tokens delete {lane-id} --type app --app tove/Compass --quiet' },
    { line: 'tokens list --type app --app tove/Compass --output json', json: [] },
    {
      line: 'tokens delete {lane-id} --type app --app tove/Compass --quiet',
      exit: 5,
      prints: 'Error: the app API token with ID "{lane-id}" could not be found',
    },
    {
      line: 'tokens create --type app --app tove/Nowhere --description Fastlane',
      exit: 5,
      prints: 'Error: app could not be found',
    },
    {
      line: 'tokens list --type app --app tove/Nowhere',
      exit: 3,
      prints: `Error: Command 'tokens list --type app --app tove/Nowhere' failed with exception "Cannot read properties of undefined (reading 'map')"`,
      defect: {
        client: 'Looks for the status where there is none, and then reads a list that it did not get.',
        here: 'An app that does not exist, or that the user may not see, is answered 404.',
      },
    },
  ],
};

const apps: Journey = {
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
        client: 'Does not print what the server says.',
        here: 'The answer names the field and the values that are allowed; `--debug` shows no more.',
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
        client: 'Sends no body, swaps owner and app in the address, and says nothing when it is refused.',
        here: 'Answered 411, nothing is changed; change an app in the console or with `PATCH /v0.1/apps/{owner_name}/{app_name}`.',
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

const orgs: Journey = {
  title: 'organizations, their apps and collaborators',
  user: 'otto',
  guests: ['omar'],
  files: { 'crew.txt': 'nina@example.com\nnora@example.com\n' },
  commands: [
    login,
    {
      line: 'orgs create --display-name "Harbour Office" --name harbour',
      prints: `Successfully created organization harbour
Name: harbour
Display name: Harbour Office
URL: {server}/orgs/harbour
Admins: otto`,
    },
    {
      line: 'orgs create --display-name Pilots --output json',
      json: {
        name: 'Pilots',
        displayName: 'Pilots',
        url: '{server}/orgs/Pilots',
        admins: [{ name: 'otto', role: 'admin' }],
      },
    },
    {
      line: 'orgs create --display-name Harbour --name harbour',
      exit: 4,
      prints: 'Error: organization harbour already exists',
    },
    { line: 'orgs list', prints: 'Display Name | Name\nHarbour Office | harbour\nPilots | Pilots' },
    {
      line: 'orgs list --output json',
      json: [
        ['Harbour Office', 'harbour'],
        ['Pilots', 'Pilots'],
      ],
    },
    {
      line: 'orgs update --name harbour --new-display-name Harbour',
      prints: 'Successfully changed display name of harbour to Harbour',
    },
    { line: 'orgs update --name harbour --new-name haven', prints: 'Successfully renamed harbour to haven' },
    {
      line: 'orgs update --name haven --new-name Pilots',
      exit: 4,
      prints: 'Error: organization Pilots already exists',
    },
    { line: 'orgs update --name nowhere --new-name x', exit: 4, prints: `Error: organization nowhere doesn't exist` },
    {
      line: 'orgs apps create --org-name haven --display-name "Tide Table" --app-name tides --os Android --platform Java',
      prints: `App Secret: {uuid}
Description:
Display Name: Tide Table
Name: tides
OS: Android
Platform: Java
Release Type:
Owner ID: {uuid}
Owner Display Name: Harbour
Owner Email:
Owner Name: haven
Azure Subscription ID:`,
    },
    {
      line: 'orgs apps create --org-name haven --display-name Lock --os macOS --platform Objective-C-Swift --output json',
      json: { name: 'Lock', owner: { name: 'haven', type: 'org' } },
    },
    {
      line: 'orgs apps create --org-name haven --display-name Lock --app-name Lock --os macOS --platform Objective-C-Swift',
      exit: 4,
      prints: `Error: an app with this 'name' already exists`,
    },
    {
      line: 'orgs apps create --org-name nowhere --display-name Lock --os macOS --platform Objective-C-Swift',
      exit: 6,
      prints: 'Error: there appears to be no such org',
    },
    {
      line: 'orgs apps list --name haven',
      prints: `Display Name | Name | OS | Platform
Lock | Lock | macOS | Objective-C-Swift
Tide Table | tides | Android | Java`,
    },
    {
      line: 'orgs apps list --name haven --output json',
      json: [
        ['Lock', 'Lock', 'macOS', 'Objective-C-Swift'],
        ['Tide Table', 'tides', 'Android', 'Java'],
      ],
    },
    {
      line: 'orgs apps list --name nowhere',
      exit: 3,
      prints: 'Error: failed to load apps of organization',
      defect: {
        client: 'Looks for the status where there is none, so that it cannot tell 404 from a failure.',
        here: 'An organization that does not exist, or that the user is not in, is answered 404.',
      },
    },
    {
      line: 'orgs collaborators update --name haven --add-collaborators "omar@example.com nina@example.com"',
      prints: 'Successfully added 2 collaborators to organization',
    },
    {
      line: 'orgs collaborators update --name haven --add-collaborators omar@example.com --output json',
      json: { addedCollaborators: ['omar@example.com'], deletedCollaborators: [], toAdmins: [], toCollaborators: [] },
      thenAccepts: 'omar',
    },
    {
      line: 'orgs collaborators list --name haven',
      prints: 'Name | Display Name | Email\nomar | omar | omar@example.com\notto | otto | otto@example.com',
    },
    {
      line: 'orgs collaborators update --name haven --make-admins omar@example.com',
      prints: 'Successfully changed roles for 1 collaborators to "admin"',
    },
    {
      line: 'orgs show --name haven',
      prints: 'Display name: Harbour\nURL: {server}/orgs/haven\nAdmins: omar, otto\nApps: 2\nCollaborators: 2',
    },
    {
      line: 'orgs collaborators update --name haven --make-collaborators omar@example.com',
      prints: 'Successfully changed roles for 1 admins to "collaborator"',
    },
    {
      line: 'orgs show --name haven --output json',
      json: { displayName: 'Harbour', admins: [{ name: 'otto' }], appsCount: 2, collaboratorsCount: 2 },
    },
    { line: 'orgs show --name nowhere', exit: 4, prints: `Error: organization nowhere doesn't exist` },
    {
      line: 'orgs collaborators update --name haven --add-collaborators-file crew.txt --delete-collaborators "omar@example.com nina@example.com"',
      prints: `Successfully added 2 collaborators to organization
Successfully deleted 2 collaborators from organization`,
    },
    {
      line: 'orgs collaborators list --name haven --output json',
      json: [['otto', 'otto', 'otto@example.com']],
    },
    {
      line: 'orgs collaborators update --name haven --make-collaborators otto@example.com',
      exit: 3,
      prints: 'Error: failed to change role of otto to collaborator',
      defect: {
        client: 'Does not print what the server says.',
        here: 'The last admin of an organization keeps the role; the answer says so.',
      },
    },
  ],
};

export const journeys: Journey[] = [signingIn, tokens, apps, orgs];
