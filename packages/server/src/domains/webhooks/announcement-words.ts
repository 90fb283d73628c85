import type { AlertKind, AnnouncementData, AnnouncementType } from '@mooring/contract';
import { cutText } from '../../kernel/cut-text.ts';
import type { Announcement } from './announcements.ts';

/** An announcement for people: what chats and mails show. */
export interface Words {
  title: string;
  facts: [label: string, value: string][];
  url: string;
}

type Describe = { readonly [T in AnnouncementType]: (data: AnnouncementData<T>) => Omit<Words, 'url'> };

const LONGEST_TITLE = 200;
const LONGEST_FACT = 1000;

const stackOf = (lines: readonly string[]): [string, string][] =>
  lines.length > 0 ? [['Stack', lines.slice(0, 5).join('\n')]] : [];

const kindWords: Record<AlertKind, string> = {
  crash_free_percent: 'Devices without a crash, in percent',
  group_crashes_per_hour: 'Crashes of a group within an hour',
  minutes_without_data: 'Minutes without data',
  export_lag_minutes: 'Minutes that an export lags',
};

const alertFacts = (
  data: Pick<AnnouncementData<'alertStarted'>, 'kind' | 'value' | 'threshold' | 'subject' | 'started_at'>,
): [string, string][] => [
  [kindWords[data.kind], `${data.value} (threshold ${data.threshold})`],
  ...(data.subject ? ([['About', data.subject]] as [string, string][]) : []),
  ['Since', data.started_at],
];

const testWords = {
  passed: 'passed',
  failed: 'failed',
  stopped: 'were stopped',
  error: 'could not be completed',
} as const;
const buildWords = { Succeeded: 'succeeded', Failed: 'failed', Canceled: 'was cancelled' } as const;

const describe: Describe = {
  newCrashGroupCreated: (data) =>
    data.more_count === undefined
      ? {
          title: `New ${data.kind} in ${data.app_display_name} ${data.app_version}: ${data.reason}`,
          facts: [['Where', data.name], ...stackOf(data.stack_trace)],
        }
      : {
          title: `${data.more_count} more new issues in ${data.app_display_name} within an hour`,
          facts: [['First', data.reason]],
        },
  crashGroupRegressed: (data) => ({
    title: `A closed ${data.kind} is back in ${data.app_display_name} ${data.app_version}: ${data.reason}`,
    facts: [['Where', data.name], ['Closed in', data.closed_version], ...stackOf(data.stack_trace)],
  }),
  newAppReleased: (data) => ({
    title: `${data.app_display_name} ${data.short_version} (${data.version}) was released${data.destination_name ? ` to ${data.destination_name}` : ''}`,
    facts: data.release_notes ? [['What is new', data.release_notes]] : [],
  }),
  codePushReleased: (data) => ({
    title: `${data.app_display_name} ${data.deployment} has the update ${data.label}`,
    facts: [
      ['Released by', data.released_by],
      ['How', data.method],
      ...(data.rollout === undefined ? [] : ([['Rollout', `${data.rollout} %`]] as [string, string][])),
      ...(data.description ? ([['What is new', data.description]] as [string, string][]) : []),
    ],
  }),
  codePushHalted: (data) => ({
    title: `The rollout of ${data.label} to ${data.app_display_name} ${data.deployment} was halted`,
    facts: [
      ['Installed', String(data.installed)],
      ['Went back', String(data.failed)],
      ['What now', 'No other device gets it, and those that have it go back. Release it again when it is mended.'],
    ],
  }),
  exportFailed: (data) => ({
    title: `An export of ${data.app_display_name} does not work`,
    facts: [
      ['To', data.type],
      ['Reason', data.reason],
    ],
  }),
  buildFinished: (data) => ({
    title: `Build ${data.build_id} of ${data.app_display_name} ${data.branch} ${buildWords[data.build_status]}`,
    facts: [
      ...(data.failure ? ([['Why', data.failure]] as [string, string][]) : []),
      ['Commit', data.source_version],
      ['Trigger', data.build_reason],
    ],
  }),
  testRunFinished: (data) => ({
    title: `Tests of ${data.app_display_name} ${testWords[data.result]}${data.failed > 0 ? `: ${data.failed} of ${data.total} failed` : ''}`,
    facts: [
      ...(data.failure ? ([['Why', data.failure]] as [string, string][]) : []),
      ...(data.failed_tests.length > 0 ? ([['Failed', data.failed_tests.join('\n')]] as [string, string][]) : []),
      ...(data.test_series ? ([['Series', data.test_series]] as [string, string][]) : []),
      ['Devices', String(data.devices)],
    ],
  }),
  appTokenExpiring: (data) => ({
    title: `An API token of ${data.app_display_name} ends soon`,
    facts: [
      ['Token', data.description ?? data.api_token_id],
      ['Ends', data.expires_at],
      ['Made by', data.created_by],
    ],
  }),
  serviceAccountTokenExpiring: (data) => ({
    title: `An API token of ${data.service_account} in ${data.org_display_name} ends soon`,
    facts: [
      ['Token', data.description ?? data.api_token_id],
      ['Ends', data.expires_at],
    ],
  }),
  alertStarted: (data) => ({
    title: `${data.app_display_name}: ${data.rule_name}`,
    facts: alertFacts(data),
  }),
  alertEnded: (data) => ({
    title: `${data.app_display_name}: ${data.rule_name} has ended`,
    facts: [...alertFacts(data), ['Ended', data.ended_at]],
  }),
  memberJoined: (data) => ({
    title: `${data.user_display_name} joined ${data.org_display_name} as ${data.role}`,
    facts: [['Name', data.user_name]],
  }),
  healthEventChanged: (data) => ({
    title: `Health event ${data.change}: ${data.title}`,
    facts: [
      ['Tracking id', data.tracking_id],
      ['Type', data.event_type],
      ['Status', data.status],
    ],
  }),
};

export function wordsOf({ type, data, isTest }: Pick<Announcement, 'type' | 'data' | 'isTest'>): Words {
  const { title, facts } = (describe[type] as (data: Announcement['data']) => Omit<Words, 'url'>)(data);
  return {
    title: cutText(`${isTest ? 'Test: ' : ''}${title}`.replace(/\s+/g, ' '), LONGEST_TITLE),
    facts: facts.map(([label, value]) => [label, cutText(value, LONGEST_FACT)]),
    url: data.url,
  };
}
