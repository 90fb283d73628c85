import { subscription } from '../harness/world.ts';

const app = '/orgs/lighthouse/apps/compass';
const org = '/orgs/lighthouse';

interface Opener {
  /** The button that opens it, or its menu. */
  button: string;
  /** The entry of that menu. */
  entry?: string;
  /** What has to be selected before. */
  select?: string;
}

const button = (...names: string[]): Opener[] => names.map((name) => ({ button: name }));
const entries = (name: string, ...all: string[]): Opener[] => all.map((entry) => ({ button: name, entry }));

/** Every dialog of the console, by the page that has it, in the world of `harness/world.ts`. */
export const dialogs: [path: string, openers: Opener[]][] = [
  ['/settings/tokens', [...button('New API token'), { select: 'world', button: 'Delete 1' }]],
  ['/settings/devices', button('Add a device')],
  ['/settings/sessions', button('End the session of Chrome on Linux')],
  [`${app}/users`, button('Invite', 'Remove Linus Torvalds')],
  [`${app}/users?tab=invitations`, button('Revoke: new@example.com')],
  [`${app}/analytics/audiences`, button('New audience')],
  [`${app}/analytics/explore`, button('Save chart')],
  ['/users/ada/apps/compass/crashes', button('Grouping rules')],
  ['/users/ada/apps/compass/crashes/:mergedIssue', button('Merge', 'Split')],
  ['/users/ada/apps/compass/symbols', button('Upload symbols')],
  [`${app}/ingestion`, button('Drop all logs', 'Drop logs of an install', 'New app secret')],
  ['/users/ada/apps/compass/stores', button('Connect a store')],
  ['/orgs/lighthouse/apps/tide-table/stores', button('Connect a store', 'Tell')],
  ['/users/ada/apps/compass/codepush', button('New deployment')],
  [
    '/users/ada/apps/compass/codepush/Staging',
    button('New release', 'Halt rollouts', 'Delete', 'New key', 'Change v2', 'Promote v2', 'Roll back to v1'),
  ],
  ['/users/ada/apps/compass/exports', button('New export', 'Change the export to raw')],
  ['/users/ada/apps/compass/alerts', button('New rule')],
  [`${app}/groups`, button('New group')],
  [`${app}/groups/Shore%20crew`, button('Add people', 'Change', 'Delete', 'Remove new@example.com')],
  [`${app}/settings`, button('Delete this app')],
  [`${org}/people`, button('Invite', 'Remove Grace Hopper')],
  [`${org}/teams`, button('New team')],
  [`${org}/teams/pilots`, button('Rename', 'Delete', 'Remove Grace Hopper', 'Remove Compass')],
  [`${org}/groups/Beta%20divers`, button('Add people', 'Remove Compass')],
  [`${org}/service-accounts`, button('New service account', 'Delete Build robot')],
  [`${org}/settings`, button('Delete this organization')],
  [
    '/admin/users',
    [
      ...button('New user'),
      ...entries(
        'Actions for grace',
        'Make administrator',
        'Disable',
        'Set new password',
        'Create a password link',
        'Delete',
      ),
    ],
  ],
  ['/admin/clients', button('New client', 'Change Status board', 'Delete Status board', 'Rotate the key')],
  ['/admin/mails', button('Read: ada invites you to the organization Lighthouse Labs, to new@example.com')],
  ['/admin/jobs', button('Replay mail.send', 'Delete mail.send')],
  ['/admin/subscriptions', button('New subscription')],
  [`/admin/subscriptions/${subscription}`, button('Change', 'Delete', 'Remove Linus Torvalds')],
  ['/admin/health-operators', button('Remove Grace Hopper')],
  ['/health/events/TIDE-001', button('Resolve', 'Withdraw', 'Update Mail, North')],
  [`/health/subscriptions/${subscription}`, button('New webhook', 'New feed', 'Revoke the feed made by ada')],
  [
    `/health/subscriptions/${subscription}/webhooks/:webhook`,
    button('Change', 'New secret', 'Disable', 'Delete', 'Attempts of the test', 'Replay the test'),
  ],
];
