import type { Output } from '../output.ts';

/** Neither command carries these: they hold credentials of this server, or describe what happened on it. */
const NEVER_CARRIED = [
  'API tokens, service accounts, OAuth clients and teams',
  'repositories, build configurations, builds and their signing files',
  'test runs, runners and devices',
  'stores, webhooks, bug trackers, continuous exports and alert rules, with their credentials',
  'CodePush metrics, download counts and install counts',
  'icons of apps, shared groups as such (each app gets a group of its own), and the times at which apps and groups were created',
  'the audit log, notification settings and release retention',
];

/** Lists everything that stays behind, so that no loss is silent. */
export function noteLeftOut(out: Output, particular: readonly string[]): void {
  out.note(['Left out:', ...[...particular, ...NEVER_CARRIED].map((each) => `  - ${each}`)].join('\n'));
}
