import type { Static, TObject } from 'typebox';
import { alertKindNames } from '../alerts/alerts.contract.ts';
import { Type } from '../type.ts';

/** A notable event that is sent by webhooks and email, and to bug trackers. */
export interface AnnouncementSpec<S extends TObject = TObject, L extends 'app' | 'org' = 'app' | 'org'> {
  /** Announcements of an app are also sent to its organization. */
  level: L;
  summary: string;
  data: S;
}

const announcement = <S extends TObject, const L extends 'app' | 'org'>(
  spec: AnnouncementSpec<S, L>,
): AnnouncementSpec<S, L> => spec;

const text = (description: string) => Type.String({ description });
const count = (description: string) => Type.Integer({ minimum: 0, description });
const optional = (description: string) => Type.Optional(text(description));
const flag = (description: string) => Type.Boolean({ description });
const at = (description: string) => Type.String({ format: 'date-time', description });

const testOutcomes = ['passed', 'failed', 'stopped', 'error'] as const;
const buildOutcomes = ['Succeeded', 'Failed', 'Canceled'] as const;

/** Fields of all announcements of an app. */
const ofApp = {
  app_id: text('The ID of the app.'),
  app_name: text('The name of the app in URLs.'),
  app_display_name: text('The display name of the app.'),
  owner_name: text('The name of the user or organization that owns the app.'),
  url: text('The page in the console.'),
  sent_at: at('When the event was created.'),
};
/** Fields of all announcements of an organization. */
const ofOrg = {
  org_id: text('The ID of the organization.'),
  org_name: text('The name of the organization in URLs.'),
  org_display_name: text('The display name of the organization.'),
  url: text('The page in the console.'),
  sent_at: at('When the event was created.'),
};

const crashGroup = {
  ...ofApp,
  id: text('The ID of the crash group.'),
  issue_id: text('The ID of the issue across all versions of the app.'),
  kind: Type.Enum(['crash', 'error', 'hang'], {
    description: '`error`: the app handled the error. `hang`: the app did not respond.',
  }),
  name: text('The location in the code.'),
  reason: text('The type and message of the exception.'),
  app_platform: text('The platform of the app, such as Java or Objective-C-Swift.'),
  app_version: text('Version and build, such as 2.0.1(42).'),
  stack_trace: Type.Array(Type.String(), { description: 'The innermost call first, at most 20 lines.' }),
};

const alert = {
  ...ofApp,
  alert_id: text('The ID of the alert; its start and end have the same.'),
  rule_id: text('The ID of the alert rule.'),
  rule_name: text('The name of the alert rule.'),
  kind: Type.Enum([...alertKindNames], { description: 'The value that the rule monitors.' }),
  threshold: Type.Number({ description: 'The threshold of the rule.' }),
  value: Type.Number({ description: 'The value when the alert started.' }),
  subject: optional('The subject of the alert, such as a crash group.'),
  started_at: at('When the alert started.'),
  tracking_id: optional('The tracking ID of the health event that the alert published.'),
  health_subscription_id: optional('The subscription whose readers see that health event.'),
};

/**
 * All announcements, as sent on the wire. The fields of the first two, releases and crashes, come from App Center; all
 * events only add fields to them.
 */
export const announcements = {
  newCrashGroupCreated: announcement({
    level: 'app',
    summary: 'A new crash or error in a version of the app',
    data: Type.Object({
      ...crashGroup,
      is_new_issue: Type.Boolean({ description: 'False if the issue occurred in another version before.' }),
      more_count: Type.Optional(
        Type.Integer({
          minimum: 1,
          description:
            'Only in the hourly summary, sent when there are more new groups than MOORING_CRASHES_ANNOUNCED_PER_HOUR: the number of groups that were not announced separately. The event describes the first of them.',
        }),
      ),
      affected_users: count(
        'The number of affected devices: always 1, because the event is sent for the first report.',
      ),
      crash_count: count('The number of reports: always 1, because the event is sent for the first report.'),
    }),
  }),
  newAppReleased: announcement({
    level: 'app',
    summary: 'A release was distributed to a group, a tester or a store',
    data: Type.Object({
      ...ofApp,
      release_id: text('The number of the release in its app.'),
      platform: text('The platform of the app, such as Java or Objective-C-Swift.'),
      uploaded_at: at('When the package was uploaded.'),
      fingerprint: text('The SHA-256 of the package.'),
      release_notes: optional('The release notes, as Markdown.'),
      version: text('The number that grows with every build: version code or build number.'),
      short_version: text('The version that users see.'),
      min_os: optional('The oldest version of the operating system that can install the release.'),
      mandatory_update: flag('True if apps with the SDK require this update.'),
      size: count('The size of the package in bytes.'),
      provisioning_profile_name: optional('iOS: the name of the provisioning profile.'),
      provisioning_profile_type: optional('iOS: the type of the provisioning profile, such as adhoc or enterprise.'),
      bundle_identifier: optional('The bundle ID or package name of the app.'),
      install_link: text('The page where signed-in testers install the release.'),
      icon_link: optional('The icon in the package.'),
      distribution_group_id: optional('The ID of the group, if the release was distributed to a group.'),
      destination_type: Type.Enum(['group', 'tester', 'store'], {
        description: 'Where the release was distributed to.',
      }),
      destination_name: optional('The name of the group or store. Testers are not named.'),
      installable: flag('False if the release is disabled.'),
    }),
  }),
  crashGroupRegressed: announcement({
    level: 'app',
    summary: 'A closed issue occurred again in a newer version',
    data: Type.Object({
      ...crashGroup,
      closed_version: text('The newest version that the issue was closed in.'),
    }),
  }),
  feedbackReceived: announcement({
    level: 'app',
    summary: 'A user or tester wrote feedback about the app',
    data: Type.Object({
      ...ofApp,
      feedback_id: text('The ID of the feedback.'),
      source: Type.Enum(['sentry', 'install_page', 'api'], { description: 'Where the feedback was written.' }),
      text: text('The first 1000 characters of the message, as plain text.'),
      sender_name: optional('The name that the sender entered.'),
      app_version: text('Version and build, such as 2.0.1 (42). Empty if unknown.'),
    }),
  }),
  codePushReleased: announcement({
    level: 'app',
    summary: 'A deployment has a new over-the-air update',
    data: Type.Object({
      ...ofApp,
      deployment: text('The name of the deployment.'),
      label: text('The label of the new release, such as v7.'),
      method: Type.Enum(['Upload', 'Promote', 'Rollback'], { description: 'How the release was created.' }),
      rollout: Type.Optional(
        Type.Integer({ description: 'The percentage of devices that receive the update. Absent for all devices.' }),
      ),
      is_mandatory: flag('True if devices must install the update.'),
      released_by: text('The name of the user who released the update.'),
      description: optional('The description of the release.'),
    }),
  }),
  codePushHalted: announcement({
    level: 'app',
    summary: 'A rollout was halted, because too many devices rolled it back',
    data: Type.Object({
      ...ofApp,
      deployment: text('The name of the deployment.'),
      label: text('The label of the release, which is now disabled.'),
      installed: count('The number of devices that run the release.'),
      failed: count('The number of devices that rolled it back.'),
    }),
  }),
  exportFailed: announcement({
    level: 'app',
    summary: 'An export failed and requires attention',
    data: Type.Object({
      ...ofApp,
      export_configuration_id: text('The ID of the export configuration.'),
      type: text('The type of the destination, such as s3.'),
      reason: text('Why the export failed.'),
    }),
  }),
  buildFinished: announcement({
    level: 'app',
    summary: 'A build of a branch succeeded, failed or was canceled',
    data: Type.Object({
      ...ofApp,
      branch: text('The branch that was built.'),
      build_id: text('The number of the build.'),
      build_status: Type.Enum([...buildOutcomes], { description: 'The result of the build.' }),
      previous_status: Type.Optional(
        Type.Enum([...buildOutcomes], {
          description: 'The status of the previous build of this branch.',
        }),
      ),
      build_reason: Type.Enum(['manual', 'push'], { description: 'The trigger of the build.' }),
      build_link: text('The same as `url`, as existing receivers expect it.'),
      start_time: Type.Optional(at('When a runner started the build. Absent if none did.')),
      finish_time: at('When the build ended.'),
      source_version: text('The commit that was built.'),
      failure: optional('Why the build failed.'),
      os: text('The operating system of the app, such as Android.'),
      icon_link: optional('The icon of the app.'),
      notification_settings_link: text('The page where users change their email settings.'),
    }),
  }),
  testRunFinished: announcement({
    level: 'app',
    summary: 'A test run passed, failed, was stopped, or could not be completed',
    data: Type.Object({
      ...ofApp,
      test_run_id: text('The ID of the test run.'),
      result: Type.Enum([...testOutcomes], {
        description: '`error`: the tests could not run on a device. This is not a failed test.',
      }),
      previous_result: Type.Optional(
        Type.Enum([...testOutcomes], {
          description: 'The result of the previous run with the same framework and series.',
        }),
      ),
      test_framework: text('The test framework, such as appium.'),
      test_series: optional('The slug of the test series.'),
      app_version: optional('The version of the tested app.'),
      total: count('The number of tests.'),
      passed: count('The number of tests that passed.'),
      failed: count('The number of tests that failed.'),
      skipped: count('The number of tests that were skipped.'),
      devices: count('The number of devices.'),
      failed_tests: Type.Array(Type.String(), { description: 'Suite and name of the failed tests, at most 10.' }),
      failure: optional('Why the run could not be completed.'),
      start_time: at('When the run started.'),
      finish_time: at('When the run ended.'),
    }),
  }),
  appTokenExpiring: announcement({
    level: 'app',
    summary: 'An API token of an app expires within a week',
    data: Type.Object({
      ...ofApp,
      api_token_id: text('The ID of the token.'),
      description: optional('The name of the token.'),
      expires_at: at('When the token expires.'),
      created_by: text('The name of the user who created the token.'),
    }),
  }),
  serviceAccountTokenExpiring: announcement({
    level: 'org',
    summary: 'An API token of a service account expires within a week',
    data: Type.Object({
      ...ofOrg,
      api_token_id: text('The ID of the token.'),
      description: optional('The name of the token.'),
      expires_at: at('When the token expires.'),
      service_account: text('The name of the service account.'),
    }),
  }),
  alertStarted: announcement({
    level: 'app',
    summary: 'An alert rule of an app crossed its threshold',
    data: Type.Object(alert),
  }),
  alertEnded: announcement({
    level: 'app',
    summary: 'An alert rule of an app is within its threshold again',
    data: Type.Object({ ...alert, ended_at: at('When the alert ended.') }),
  }),
  memberJoined: announcement({
    level: 'org',
    summary: 'A user became a member of an organization',
    data: Type.Object({
      ...ofOrg,
      user_name: text('The name of the user.'),
      user_display_name: text('The display name of the user.'),
      role: Type.Enum(['member', 'collaborator', 'admin'], {
        description: 'The role of the user in the organization.',
      }),
    }),
  }),
  healthEventChanged: announcement({
    level: 'org',
    summary: 'A health event of a subscription of the organization was published, updated, resolved or withdrawn',
    data: Type.Object({
      ...ofOrg,
      tracking_id: text('The tracking ID of the health event.'),
      change: Type.Enum(['published', 'updated', 'resolved', 'withdrawn'], { description: 'The kind of change.' }),
      title: text('The title of the health event.'),
      event_type: text('The type of the health event, such as ServiceIssue.'),
      status: text('The status of the health event: Active or Resolved.'),
      subscription_id: text('One of the affected subscriptions of the organization.'),
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
/** Types that webhooks of an app can subscribe to; those of an organization can use all. */
export const appAnnouncementTypes = announcementTypes.filter((type) => announcements[type].level === 'app');

/** Fields for filters of webhooks: all plain values of announcements. */
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
          // Exact times and URLs are not useful in filters.
          const isFilterable = kind !== undefined && field.format !== 'date-time' && name !== 'url';
          return isFilterable ? [[name, { name, kind }]] : [];
        },
      ),
    ),
  ]).values(),
];
