import type { Output } from '../terminal/output.ts';

/** Never exported or imported: they contain credentials of the server, or describe its past activity. */
const NEVER_INCLUDED = [
  'API tokens, service accounts, OAuth clients and teams',
  'repositories, build configurations, builds and their signing files',
  'test runs, runners and devices',
  'stores, webhooks, bug trackers, continuous exports and alert rules, with their credentials',
  'CodePush metrics, download counts and install counts',
  'app icons, sharing of groups (each app gets a separate group), and creation times of apps and groups',
  'the audit log, notification settings and release retention',
];

/** Lists everything that was omitted, so that no loss is silent. */
export function noteOmitted(out: Output, omitted: readonly string[]): void {
  out.note(['Omitted:', ...[...omitted, ...NEVER_INCLUDED].map((each) => `  - ${each}`)].join('\n'));
}
