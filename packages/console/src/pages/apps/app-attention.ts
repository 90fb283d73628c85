import type { AttentionKind } from '@mooring/contract';
import type { AppOverview } from '../../api/overview.ts';
import { formatCount } from '../../components/text/format-count.ts';
import { type AppParams, paths, pathTo, withQuery } from '../../paths.ts';
import type { Attention } from '../overview/attention-card.tsx';

type Entry = AppOverview['attention'][number];
type Link = Pick<Attention, 'text' | 'to' | 'action'>;

const DAY = 86_400_000;

/** "in 3 days"; less than a day counts as one. */
const formatDaysLeft = (at: string | undefined, now: number): string =>
  at ? ` in ${formatCount(Math.max(1, Math.ceil((Date.parse(at) - now) / DAY)), 'day')}` : ' soon';

const kinds: Record<AttentionKind, (entry: Entry, params: AppParams, now: number) => Link> = {
  alerting_rule: ({ count, name }, params) => ({
    text: name ? `The alert rule ${name} is alerting` : `${count} alert rules are alerting`,
    to: pathTo('appAlerts', params),
    action: 'View alerts',
  }),
  regressed_issues: (entry, params) => ({
    text: entry.name ? `Closed crash came back: ${entry.name}` : `${entry.count} closed crashes came back`,
    ...toIssues(entry, params),
  }),
  new_crashes: (entry, params) => ({
    text: entry.name ? `New crash: ${entry.name}` : `${entry.count} new crashes in the last 7 days`,
    ...toIssues(entry, params),
  }),
  open_crashes: (entry, params) => ({
    text: entry.name ? `Open crash: ${entry.name}` : `${entry.count} open crashes`,
    ...toIssues(entry, params),
  }),
  halted_rollout: ({ count, name, path }, params) => ({
    text: name ? `The rollout of ${name} is halted` : `${count} CodePush rollouts are halted`,
    to: path?.deployment_name
      ? pathTo('appDeployment', { ...params, deployment: path.deployment_name })
      : pathTo('appDeployments', params),
    action: 'View rollout',
  }),
  failed_build: ({ count, name, path }, params) => ({
    text: name ? `The latest build of ${name} failed` : `The latest builds of ${count} branches failed`,
    to: path?.build_id ? pathTo('appBuild', { ...params, build: path.build_id }) : pathTo('appBranches', params),
    action: path ? 'View build' : 'View builds',
  }),
  failed_test_run: ({ count, name, path }, params) => ({
    text:
      count > 1
        ? `The latest test runs of ${count} series failed`
        : `The latest test run${name ? ` of ${name}` : ''} failed`,
    to: path?.test_run_id
      ? pathTo('appTestRun', { ...params, series: path.test_series_slug ?? 'all', run: path.test_run_id })
      : pathTo('appTests', params),
    action: path ? 'View test run' : 'View test runs',
  }),
  missing_symbols: ({ count, name }, params) => ({
    text: `${formatCount(count, 'report needs', 'reports need')} symbols${name ? ` of ${name}` : ''}`,
    to: pathTo('appSymbols', params),
    action: 'Upload symbols',
  }),
  failing_export: ({ count, name }, params) => ({
    text: name ? `The export ${name} is failing` : `${count} exports are failing`,
    to: pathTo('appExports', params),
    action: 'View exports',
  }),
  failing_webhook: ({ count, name, path }, params) => ({
    text: name ? `The webhook ${name} is failing` : `${count} webhooks are failing`,
    to: path?.webhook_id
      ? pathTo('appWebhook', { ...params, webhook: path.webhook_id })
      : pathTo('appWebhooks', params),
    action: path ? 'View webhook' : 'View webhooks',
  }),
  repository_unauthorized: (_, params) => ({
    text: 'The repository refuses the credentials for builds',
    to: pathTo('appRepository', params),
    action: 'Reconnect',
  }),
  tracker_unauthorized: (_, params) => ({
    text: 'The bug tracker refuses the credentials',
    to: pathTo('appTracker', params),
    action: 'Reconnect',
  }),
  failed_publishing: ({ count, name, path }, params) => ({
    text: name ? `Publishing to ${name} failed` : `Publishing to ${count} stores failed`,
    to: path?.release_id ? pathTo('appRelease', { ...params, release: path.release_id }) : pathTo('appStores', params),
    action: path ? 'View release' : 'View stores',
  }),
  expiring_token: ({ count, name, path, at }, params, now) => ({
    text: path
      ? `The API token ${name || 'without a name'} expires${formatDaysLeft(at, now)}`
      : `${count} API tokens expire within two weeks`,
    to: pathTo('appTokens', params),
    action: 'View tokens',
  }),
  open_invitations: ({ count }, params) => ({
    text: `${formatCount(count, 'invitation is', 'invitations are')} waiting for an answer`,
    to: pathTo('appUsers', params),
    action: 'View members',
  }),
  health_event: ({ count, name, path }) => ({
    text: name ?? `${count} health events are active`,
    to: path?.tracking_id
      ? pathTo('healthEvent', { trackingId: path.tracking_id })
      : withQuery(paths.health, { status: 'Active' }),
    action: path ? 'View event' : 'View events',
  }),
};

const toIssues = ({ path }: Entry, params: AppParams): Pick<Link, 'to' | 'action'> =>
  path?.issue_id
    ? { to: pathTo('appCrash', { ...params, issue: path.issue_id }), action: 'View crash' }
    : { to: pathTo('appCrashes', params), action: 'View crashes' };

/** Reasons in the order of the server, with the page on which the user acts on each. */
export const appAttention = (entries: Entry[], params: AppParams, now: number): Attention[] =>
  entries.map((entry) => ({ ...kinds[entry.kind](entry, params, now), isUrgent: entry.level === 'urgent' }));
