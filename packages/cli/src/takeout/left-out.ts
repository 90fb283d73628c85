import type { Output } from '../output.ts';

/** Neither command carries these: they hold credentials of this server, or describe what happened on it. */
const NEVER_CARRIED = [
  'API tokens, service accounts, OAuth clients and teams',
  'repositories, build configurations, builds and their signing files',
  'test runs, runners and devices',
  'stores, webhooks, bug trackers, continuous exports and alert rules, with their credentials',
  'CodePush metrics, download counts and install counts',
  'app icons, sharing of groups (each app gets its own group), and creation times of apps and groups',
  'the audit log, notification settings and release retention',
];

/** Lists everything that stays behind, so that no loss is silent. */
export function noteLeftOut(out: Output, particular: readonly string[]): void {
  out.note(['Left out:', ...[...particular, ...NEVER_CARRIED].map((each) => `  - ${each}`)].join('\n'));
}
