import type { Journey } from '../command.ts';

export const signingIn: Journey = {
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
      prints: 'Error: Missing or invalid credential. {any}',
      defect: {
        client: 'Deletes the saved login before it tries the new one.',
        here: 'Refuses the token. Sign in again with a valid one.',
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
        client: 'Does not revoke its token, not even one from the browser.',
        here: 'The token stays valid. Delete it with `tokens delete` or in the console.',
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
