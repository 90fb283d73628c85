import { subscription } from '../harness/fixtures.ts';

const app = '/orgs/lighthouse/apps/compass';
const org = '/orgs/lighthouse';

interface Opener {
  /** The button that opens the dialog, or a menu with it. */
  button: string;
  /** Menu entry. */
  entry?: string;
  /** Row to select first. */
  select?: string;
}

const button = (...names: string[]): Opener[] => names.map((name) => ({ button: name }));
const entries = (name: string, ...all: string[]): Opener[] => all.map((entry) => ({ button: name, entry }));

/** All dialogs of the console by page, with the fixtures of `harness/fixtures.ts`. */
export const dialogs: [path: string, openers: Opener[]][] = [
  ['/settings/tokens', [...button('New API token'), { select: 'Fixtures', button: 'Delete 1 token' }]],
  ['/settings/devices', button('Add device')],
  ['/settings/sessions', button('End session: Chrome on Linux')],
  [`${app}/users`, button('Invite people', 'Remove Linus Torvalds')],
  [`${app}/users?tab=invitations`, button('Revoke invitation of new@example.com')],
  [`${app}/analytics/audiences`, button('New audience')],
  [`${app}/analytics/explore`, button('Save chart')],
  ['/users/ada/apps/compass/crashes', button('Edit grouping rules')],
  ['/users/ada/apps/compass/crashes/:mergedIssue', button('Merge issues', 'Split issue')],
  ['/users/ada/apps/compass/symbols', button('Upload symbols')],
  [`${app}/ingestion`, button('Drop all logs', 'Drop logs of an install', 'New app secret')],
  ['/users/ada/apps/compass/stores', button('Connect store')],
  ['/orgs/lighthouse/apps/tide-table/stores', button('Connect store', 'Link App Store app')],
  ['/users/ada/apps/compass/codepush', button('New deployment')],
  [
    '/users/ada/apps/compass/codepush/Staging',
    button(
      'New release',
      'Set automatic halt',
      'Delete deployment',
      'New key',
      'Edit v2',
      'Promote v2',
      'Roll back to v1',
    ),
  ],
  ['/users/ada/apps/compass/exports', button('New export', 'Edit the export to raw')],
  ['/users/ada/apps/compass/alerts', button('New alert rule')],
  [`${app}/groups`, button('New group')],
  [`${app}/groups/Shore%20crew`, button('Add people', 'Edit group', 'Delete group', 'Remove new@example.com')],
  [`${app}/settings`, button('Delete app')],
  [`${org}/people`, button('Invite people', 'Remove Grace Hopper')],
  [`${org}/teams`, button('New team')],
  [`${org}/teams/pilots`, button('Rename team', 'Delete team', 'Remove Grace Hopper', 'Remove Compass')],
  [`${org}/groups/Beta%20divers`, button('Add people', 'Remove Compass')],
  [`${org}/service-accounts`, button('New service account', 'Delete Build robot')],
  [`${org}/settings`, button('Delete organization')],
  [
    '/admin/users',
    [
      ...button('New user'),
      ...entries(
        'Actions for grace',
        'Make administrator',
        'Disable',
        'Set new password',
        'Create password link',
        'Delete',
      ),
    ],
  ],
  ['/admin/clients', button('New client', 'Edit Status board', 'Delete Status board', 'Rotate signing key')],
  ['/admin/mails', button('Read: ada invites you to the organization Lighthouse Labs, to new@example.com')],
  ['/admin/jobs', button('Replay mail.send', 'Delete mail.send')],
  ['/admin/subscriptions', button('New subscription')],
  [`/admin/subscriptions/${subscription}`, button('Edit subscription', 'Delete subscription', 'Remove Linus Torvalds')],
  ['/admin/health-operators', button('Remove Grace Hopper')],
  ['/health/events/TIDE-001', button('Resolve event', 'Withdraw event', 'Update Mail, North')],
  [`/health/subscriptions/${subscription}`, button('New webhook', 'New feed', 'Revoke feed by ada')],
  [
    `/health/subscriptions/${subscription}/webhooks/:webhook`,
    button(
      'Edit webhook',
      'Rotate secret',
      'Disable webhook',
      'Delete webhook',
      'Attempts of test message',
      'Replay test message',
    ),
  ],
];
