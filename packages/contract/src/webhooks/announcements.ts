import type { Static, TObject } from 'typebox';
import { alertKindNames } from '../alerts/alerts.contract.ts';
import { Time } from '../fields.ts';
import { Type } from '../type.ts';

/** Something that happened, as it is told to whoever waits for it: by webhooks, by mail and to trackers. */
export interface AnnouncementSpec<S extends TObject = TObject, L extends 'app' | 'org' = 'app' | 'org'> {
  /** To what it happens: those of an app are told to its organization too. */
  level: L;
  summary: string;
  data: S;
}

const announcement = <S extends TObject, const L extends 'app' | 'org'>(
  spec: AnnouncementSpec<S, L>,
): AnnouncementSpec<S, L> => spec;

const Text = Type.String();
const Count = Type.Integer({ minimum: 0 });
const Url = Type.String({ description: 'The page of it in the console.' });

const testOutcomes = ['passed', 'failed', 'stopped', 'error'] as const;
const buildOutcomes = ['Succeeded', 'Failed', 'Canceled'] as const;

/** What is told of every app. */
const ofApp = { app_id: Text, app_name: Text, app_display_name: Text, owner_name: Text, url: Url, sent_at: Time };
/** And of every organization. */
const ofOrg = { org_id: Text, org_name: Text, org_display_name: Text, url: Url, sent_at: Time };

const crashGroup = {
  ...ofApp,
  id: Type.String({ description: 'Of the group.' }),
  issue_id: Type.String({ description: 'Of the problem over all versions of the app.' }),
  kind: Type.Enum(['crash', 'error'], { description: 'An error was caught by the app.' }),
  name: Type.String({ description: 'Where it happened.' }),
  reason: Type.String({ description: 'The type of the exception, and its message.' }),
  app_platform: Text,
  app_version: Type.String({ description: 'Version and build, such as 2.0.1(42).' }),
  stack_trace: Type.Array(Text, { description: 'The innermost call first, at most 20.' }),
};

const alert = {
  ...ofApp,
  alert_id: Text,
  rule_id: Text,
  rule_name: Text,
  kind: Type.Enum([...alertKindNames]),
  threshold: Type.Number(),
  value: Type.Number({ description: 'When it began.' }),
  subject: Type.Optional(Type.String({ description: 'What it is about, such as a group of crashes.' })),
  started_at: Time,
  tracking_id: Type.Optional(Type.String({ description: 'Of the health event that it opened.' })),
  health_subscription_id: Type.Optional(
    Type.String({ description: 'The subscription whose readers see that health event.' }),
  ),
};

/**
 * Everything that is announced, in the words of the wire. Fields of the first two, of releases and of crashes, are those that
 * existing receivers know; every event adds to them only what is new.
 */
export const announcements = {
  newCrashGroupCreated: announcement({
    level: 'app',
    summary: 'A crash or an error that was not seen before in this version of the app',
    data: Type.Object({
      ...crashGroup,
      is_new_issue: Type.Boolean({ description: 'False if the same was seen in another version.' }),
      more_count: Type.Optional(
        Type.Integer({
          minimum: 1,
          description:
            'Only in the summary of an hour with more new groups than MOORING_CRASHES_ANNOUNCED_PER_HOUR: the number of groups that were not announced separately. The event describes the first of them.',
        }),
      ),
      affected_users: Count,
      crash_count: Count,
    }),
  }),
  newAppReleased: announcement({
    level: 'app',
    summary: 'A release was given to a group, to a tester or to a store',
    data: Type.Object({
      ...ofApp,
      release_id: Text,
      platform: Text,
      uploaded_at: Time,
      fingerprint: Type.String({ description: 'SHA-256 of the package.' }),
      release_notes: Type.Optional(Text),
      version: Text,
      short_version: Text,
      min_os: Type.Optional(Text),
      mandatory_update: Type.Boolean(),
      size: Count,
      provisioning_profile_name: Type.Optional(Text),
      provisioning_profile_type: Type.Optional(Text),
      bundle_identifier: Type.Optional(Text),
      install_link: Type.String({ description: 'The page where testers install it, once they signed in.' }),
      icon_link: Type.Optional(Text),
      distribution_group_id: Type.Optional(Text),
      destination_type: Type.Enum(['group', 'tester', 'store']),
      destination_name: Type.Optional(Type.String({ description: 'Of a group or a store.' })),
      installable: Type.Boolean(),
    }),
  }),
  crashGroupRegressed: announcement({
    level: 'app',
    summary: 'A problem that was closed came back in a newer version',
    data: Type.Object({
      ...crashGroup,
      closed_version: Type.String({ description: 'The newest version that it was closed in.' }),
    }),
  }),
  codePushReleased: announcement({
    level: 'app',
    summary: 'Devices of a deployment get another over-the-air update',
    data: Type.Object({
      ...ofApp,
      deployment: Text,
      label: Text,
      method: Type.Enum(['Upload', 'Promote', 'Rollback']),
      rollout: Type.Optional(Type.Integer({ description: 'In percent, if not to all devices.' })),
      is_mandatory: Type.Boolean(),
      released_by: Text,
      description: Type.Optional(Text),
    }),
  }),
  codePushHalted: announcement({
    level: 'app',
    summary: 'A rollout was halted, because too many devices went back from it',
    data: Type.Object({ ...ofApp, deployment: Text, label: Text, installed: Count, failed: Count }),
  }),
  exportFailed: announcement({
    level: 'app',
    summary: 'An export does not work any more, and somebody must look after it',
    data: Type.Object({ ...ofApp, export_configuration_id: Text, type: Text, reason: Text }),
  }),
  buildFinished: announcement({
    level: 'app',
    summary: 'A build of a branch succeeded, failed or was cancelled',
    data: Type.Object({
      ...ofApp,
      branch: Text,
      build_id: Type.String({ description: 'Its number.' }),
      build_status: Type.Enum([...buildOutcomes]),
      previous_status: Type.Optional(
        Type.Enum([...buildOutcomes], {
          description: 'Of the build of this branch before it: whether something changed.',
        }),
      ),
      build_reason: Type.Enum(['manual', 'push']),
      build_link: Type.String({ description: 'The same as url, as receivers of old know it.' }),
      start_time: Type.Optional(Type.String({ format: 'date-time', description: 'Absent if it never began.' })),
      finish_time: Time,
      source_version: Type.String({ description: 'The commit.' }),
      failure: Type.Optional(Type.String({ description: 'Why it failed, in a sentence.' })),
      os: Text,
      icon_link: Type.Optional(Type.String({ description: 'The icon of the app, if it has one.' })),
      notification_settings_link: Type.String({ description: 'Where people say which mails they get.' }),
    }),
  }),
  testRunFinished: announcement({
    level: 'app',
    summary: 'A test run passed, failed, was stopped, or could not be done',
    data: Type.Object({
      ...ofApp,
      test_run_id: Text,
      result: Type.Enum([...testOutcomes], {
        description: '`error`: a device could not do it, which is no failed test.',
      }),
      previous_result: Type.Optional(
        Type.Enum([...testOutcomes], {
          description:
            'Of the run before it with the same framework and of the same series: whether something changed.',
        }),
      ),
      test_framework: Text,
      test_series: Type.Optional(Type.String({ description: 'The slug of its series.' })),
      app_version: Type.Optional(Text),
      total: Count,
      passed: Count,
      failed: Count,
      skipped: Count,
      devices: Count,
      failed_tests: Type.Array(Text, { description: 'Suite and name of those that failed, at most 10.' }),
      failure: Type.Optional(Type.String({ description: 'Why it could not be done, in a sentence.' })),
      start_time: Time,
      finish_time: Time,
    }),
  }),
  appTokenExpiring: announcement({
    level: 'app',
    summary: 'An API token of an app ends within a week',
    data: Type.Object({
      ...ofApp,
      api_token_id: Text,
      description: Type.Optional(Text),
      expires_at: Time,
      created_by: Text,
    }),
  }),
  serviceAccountTokenExpiring: announcement({
    level: 'org',
    summary: 'An API token of a service account ends within a week',
    data: Type.Object({
      ...ofOrg,
      api_token_id: Text,
      description: Type.Optional(Text),
      expires_at: Time,
      service_account: Text,
    }),
  }),
  alertStarted: announcement({
    level: 'app',
    summary: 'An alert rule of an app is beyond its threshold',
    data: Type.Object(alert),
  }),
  alertEnded: announcement({
    level: 'app',
    summary: 'An alert rule of an app is within its threshold again',
    data: Type.Object({ ...alert, ended_at: Time }),
  }),
  memberJoined: announcement({
    level: 'org',
    summary: 'Somebody became a member of an organization',
    data: Type.Object({
      ...ofOrg,
      user_name: Text,
      user_display_name: Text,
      role: Type.Enum(['member', 'collaborator', 'admin']),
    }),
  }),
  healthEventChanged: announcement({
    level: 'org',
    summary: 'A health event of a subscription of the organization was published, changed, resolved or withdrawn',
    data: Type.Object({
      ...ofOrg,
      tracking_id: Text,
      change: Type.Enum(['published', 'updated', 'resolved', 'withdrawn']),
      title: Text,
      event_type: Text,
      status: Text,
      subscription_id: Type.String({ description: 'One of the subscriptions that it concerns.' }),
    }),
  }),
};

export type AnnouncementType = keyof typeof announcements;
export type AnnouncementData<T extends AnnouncementType> = Static<(typeof announcements)[T]['data']>;

type TypeAt<L> = {
  [T in AnnouncementType]: (typeof announcements)[T]['level'] extends L ? T : never;
}[AnnouncementType];
export type AppAnnouncementType = TypeAt<'app'>;
export type OrgAnnouncementType = TypeAt<'org'>;

export const announcementTypes = Object.keys(announcements) as AnnouncementType[];
/** What an app can be asked for; an organization is told all. */
export const appAnnouncementTypes = announcementTypes.filter((type) => announcements[type].level === 'app');

/** What filters of webhooks can ask for: the plain values of all events. */
export interface FilterField {
  name: string;
  kind: 'text' | 'number' | 'flag';
}

const filterKinds: Readonly<Record<string, FilterField['kind']>> = {
  string: 'text',
  integer: 'number',
  number: 'number',
  boolean: 'flag',
};

export const filterFields: readonly FilterField[] = [
  ...new Map<string, FilterField>([
    ['event_type', { name: 'event_type', kind: 'text' }],
    ...announcementTypes.flatMap((type) =>
      Object.entries<{ type?: string; enum?: unknown; format?: string }>(announcements[type].data.properties).flatMap(
        ([name, field]): [string, FilterField][] => {
          const kind = field.enum ? 'text' : filterKinds[field.type ?? ''];
          // Nobody asks for one moment, and addresses of pages say nothing that other fields do not.
          const isAsked = kind !== undefined && field.format !== 'date-time' && name !== 'url';
          return isAsked ? [[name, { name, kind }]] : [];
        },
      ),
    ),
  ]).values(),
];
