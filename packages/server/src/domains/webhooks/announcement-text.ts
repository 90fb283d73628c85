import type { AlertKind, AnnouncementData, AnnouncementType } from '@mooring/contract';
import { cutText } from '../../kernel/text/cut-text.ts';
import { formatCount } from '../../kernel/text/format-count.ts';
import { formatMinute } from '../../kernel/text/format-minute.ts';
import type { Announcement } from './announcements.ts';

/** An announcement as text, for chats and emails. */
export interface AnnouncementText {
  title: string;
  facts: [label: string, value: string][];
  url: string;
}

type Describe = { readonly [T in AnnouncementType]: (data: AnnouncementData<T>) => Omit<AnnouncementText, 'url'> };

const MAX_TITLE_LENGTH = 200;
const MAX_FACT_LENGTH = 1000;

const toStackFact = (lines: readonly string[]): [string, string][] =>
  lines.length > 0 ? [['Stack', lines.slice(0, 5).join('\n')]] : [];

const alertKindLabels: Record<AlertKind, string> = {
  crash_free_percent: 'Crash-free devices (%)',
  group_crashes_per_hour: 'Crashes of one issue within an hour',
  minutes_without_data: 'Time without data (minutes)',
  export_lag_minutes: 'Export lag (minutes)',
};

const methodLabels = { Upload: 'New package', Promote: 'Promotion', Rollback: 'Rollback' } as const;

const alertFacts = (
  data: Pick<AnnouncementData<'alertStarted'>, 'kind' | 'value' | 'threshold' | 'subject' | 'started_at'>,
): [string, string][] => [
  [alertKindLabels[data.kind], `${data.value} (threshold ${data.threshold})`],
  ...(data.subject ? ([['Details', data.subject]] as [string, string][]) : []),
  ['Since', formatMinute(data.started_at)],
];

const testResultLabels = {
  passed: 'passed',
  failed: 'failed',
  stopped: 'were stopped',
  error: 'could not be completed',
} as const;
const eventTypeLabels: Readonly<Record<string, string>> = {
  EmergingIssues: 'Emerging issue',
  HealthAdvisory: 'Health advisory',
  PlannedMaintenance: 'Planned maintenance',
  RCA: 'Root cause analysis',
  SecurityAdvisory: 'Security advisory',
  ServiceIssue: 'Service issue',
};
const buildReasonLabels = { manual: 'Manual', push: 'Push' } as const;
const buildResultLabels = { Succeeded: 'succeeded', Failed: 'failed', Canceled: 'was canceled' } as const;

const describe: Describe = {
  newCrashGroupCreated: (data) =>
    data.more_count === undefined
      ? {
          title: `New ${data.kind} in ${data.app_display_name} ${data.app_version}: ${data.reason}`,
          facts: [['Where', data.name], ...toStackFact(data.stack_trace)],
        }
      : {
          title: `${formatCount(data.more_count, 'more new issue')} in ${data.app_display_name} within an hour`,
          facts: [['First', data.reason]],
        },
  crashGroupRegressed: (data) => ({
    title: `A closed ${data.kind} occurred again in ${data.app_display_name} ${data.app_version}: ${data.reason}`,
    facts: [['Where', data.name], ['Closed in', data.closed_version], ...toStackFact(data.stack_trace)],
  }),
  newAppReleased: (data) => ({
    title: `${data.app_display_name} ${data.short_version} (${data.version}) was released${data.destination_name ? ` to ${data.destination_name}` : ''}`,
    facts: data.release_notes ? [['Release notes', data.release_notes]] : [],
  }),
  feedbackReceived: (data) => ({
    title: `New feedback about ${data.app_display_name}${data.app_version ? ` ${data.app_version}` : ''}`,
    facts: [['Message', data.text], ...(data.sender_name ? ([['From', data.sender_name]] as [string, string][]) : [])],
  }),
  codePushReleased: (data) => ({
    title: `Update ${data.label} was released to ${data.deployment} of ${data.app_display_name}`,
    facts: [
      ['Released by', data.released_by],
      ['Method', methodLabels[data.method]],
      ...(data.rollout === undefined ? [] : ([['Rollout', `${data.rollout}%`]] as [string, string][])),
      ...(data.description ? ([['Release notes', data.description]] as [string, string][]) : []),
    ],
  }),
  codePushHalted: (data) => ({
    title: `The rollout of ${data.label} to ${data.deployment} of ${data.app_display_name} was halted`,
    facts: [
      ['Installed', formatCount(data.installed, 'device')],
      ['Rolled back', formatCount(data.failed, 'device')],
      [
        'Next step',
        'Devices no longer receive this update, and those that have it roll back. Fix the problem, then release a new update.',
      ],
    ],
  }),
  exportFailed: (data) => ({
    title: `An export of ${data.app_display_name} is failing`,
    facts: [
      ['Destination', data.type],
      ['Reason', data.reason],
    ],
  }),
  buildFinished: (data) => ({
    title: `Build ${data.build_id} of ${data.app_display_name} (${data.branch}) ${buildResultLabels[data.build_status]}`,
    facts: [
      ...(data.failure ? ([['Reason', data.failure]] as [string, string][]) : []),
      ['Commit', data.source_version],
      ['Trigger', buildReasonLabels[data.build_reason]],
    ],
  }),
  testRunFinished: (data) => ({
    title:
      data.result === 'failed' && data.failed > 0
        ? `${data.failed} of ${formatCount(data.total, 'test')} of ${data.app_display_name} failed`
        : `Tests of ${data.app_display_name} ${testResultLabels[data.result]}`,
    facts: [
      ...(data.failure ? ([['Reason', data.failure]] as [string, string][]) : []),
      ...(data.failed_tests.length > 0 ? ([['Failed tests', data.failed_tests.join('\n')]] as [string, string][]) : []),
      ...(data.test_series ? ([['Series', data.test_series]] as [string, string][]) : []),
      ['Devices', String(data.devices)],
    ],
  }),
  appTokenExpiring: (data) => ({
    title: `An API token of ${data.app_display_name} expires soon`,
    facts: [
      ['Token', data.description ?? data.api_token_id],
      ['Expires', formatMinute(data.expires_at)],
      ['Created by', data.created_by],
    ],
  }),
  serviceAccountTokenExpiring: (data) => ({
    title: `An API token of ${data.service_account} in ${data.org_display_name} expires soon`,
    facts: [
      ['Token', data.description ?? data.api_token_id],
      ['Expires', formatMinute(data.expires_at)],
    ],
  }),
  alertStarted: (data) => ({
    title: `${data.app_display_name}: ${data.rule_name}`,
    facts: alertFacts(data),
  }),
  alertEnded: (data) => ({
    title: `${data.app_display_name}: ${data.rule_name} (alert ended)`,
    facts: [...alertFacts(data), ['Ended', formatMinute(data.ended_at)]],
  }),
  memberJoined: (data) => ({
    title: `${data.user_display_name} joined ${data.org_display_name} as ${data.role}`,
    facts: [['User name', data.user_name]],
  }),
  healthEventChanged: (data) => ({
    title: `Health event ${data.change}: ${data.title}`,
    facts: [
      ['Tracking ID', data.tracking_id],
      ['Type', eventTypeLabels[data.event_type] ?? data.event_type],
      ['Status', data.status],
    ],
  }),
};

export function formatAnnouncement({
  type,
  data,
  isTest,
}: Pick<Announcement, 'type' | 'data' | 'isTest'>): AnnouncementText {
  const { title, facts } = (describe[type] as (data: Announcement['data']) => Omit<AnnouncementText, 'url'>)(data);
  return {
    title: cutText(`${isTest ? 'Test: ' : ''}${title}`.replace(/\s+/g, ' '), MAX_TITLE_LENGTH),
    facts: facts.map(([label, value]) => [label, cutText(value, MAX_FACT_LENGTH)]),
    url: data.url,
  };
}
