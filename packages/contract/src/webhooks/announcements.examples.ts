import type { AnnouncementData, AnnouncementType } from './announcements.ts';

const sent_at = '2026-11-01T09:00:00.000Z';
const page = 'https://mooring.example.com/orgs/harbour/apps/compass';
const app = {
  app_id: '0192f3d0-0000-7000-8000-000000000001',
  app_name: 'compass',
  app_display_name: 'Compass',
  owner_name: 'harbour',
  sent_at,
};
const org = {
  org_id: '0192f3d0-0000-7000-8000-000000000002',
  org_name: 'harbour',
  org_display_name: 'Harbour',
  sent_at,
};
const crash = {
  ...app,
  id: '0192f3d0-0000-7000-8000-000000000003',
  issue_id: '0192f3d0-0000-7000-8000-000000000004',
  url: `${page}/crashes/0192f3d0-0000-7000-8000-000000000004`,
  kind: 'crash',
  name: 'Chart.draw (Chart.java:41)',
  reason: 'java.lang.IllegalStateException: no depth',
  app_platform: 'Java',
  app_version: '2.0.1(42)',
  stack_trace: ['com.example.Chart.draw (Chart.java:41)', 'com.example.Main.onCreate (Main.java:12)'],
} as const;

const alert = {
  ...app,
  url: `${page}/alerts`,
  alert_id: '0192f3d0-0000-7000-8000-000000000009',
  rule_id: '0192f3d0-0000-7000-8000-00000000000a',
  rule_name: 'Too many crashes',
  kind: 'crash_free_percent',
  threshold: 99.5,
  value: 98.1,
  started_at: sent_at,
} as const;

/** What each announcement says; a test message says the same, and that it is a test. */
export const announcementExamples: { readonly [T in AnnouncementType]: AnnouncementData<T> } = {
  newCrashGroupCreated: {
    ...crash,
    stack_trace: [...crash.stack_trace],
    is_new_issue: true,
    affected_users: 1,
    crash_count: 1,
  },
  newAppReleased: {
    ...app,
    url: `${page}/releases/7`,
    release_id: '7',
    platform: 'Java',
    uploaded_at: sent_at,
    fingerprint: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    release_notes: 'Shows depths.',
    version: '42',
    short_version: '2.0.1',
    min_os: '8.0',
    mandatory_update: false,
    size: 4_812_345,
    bundle_identifier: 'com.example.compass',
    install_link: 'https://mooring.example.com/install/orgs/harbour/apps/compass/releases/7',
    distribution_group_id: '0192f3d0-0000-7000-8000-000000000005',
    destination_type: 'group',
    destination_name: 'Beta',
    installable: true,
  },
  crashGroupRegressed: { ...crash, stack_trace: [...crash.stack_trace], closed_version: '1.9' },
  codePushReleased: {
    ...app,
    url: `${page}/codepush/Production`,
    deployment: 'Production',
    label: 'v7',
    method: 'Promote',
    rollout: 20,
    is_mandatory: false,
    released_by: 'ada',
    description: 'Shows depths.',
  },
  codePushHalted: {
    ...app,
    url: `${page}/codepush/Production`,
    deployment: 'Production',
    label: 'v7',
    installed: 80,
    failed: 20,
  },
  exportFailed: {
    ...app,
    url: `${page}/exports`,
    export_configuration_id: '0192f3d0-0000-7000-8000-000000000006',
    type: 's3',
    reason: 'The key is not known there any more.',
  },
  appTokenExpiring: {
    ...app,
    url: `${page}/tokens`,
    api_token_id: '0192f3d0-0000-7000-8000-000000000007',
    description: 'Pipeline',
    expires_at: '2026-11-08T09:00:00.000Z',
    created_by: 'ada',
  },
  serviceAccountTokenExpiring: {
    ...org,
    url: 'https://mooring.example.com/orgs/harbour/service-accounts/pipeline',
    api_token_id: '0192f3d0-0000-7000-8000-000000000008',
    description: 'Pipeline',
    expires_at: '2026-11-08T09:00:00.000Z',
    service_account: 'pipeline',
  },
  alertStarted: { ...alert },
  alertEnded: { ...alert, ended_at: '2026-11-01T09:30:00.000Z' },
  memberJoined: {
    ...org,
    url: 'https://mooring.example.com/orgs/harbour/people',
    user_name: 'grace',
    user_display_name: 'Grace',
    role: 'collaborator',
  },
  healthEventChanged: {
    ...org,
    url: 'https://mooring.example.com/health/events/BC_1-FXZ',
    tracking_id: 'BC_1-FXZ',
    change: 'published',
    title: 'Mail is delayed',
    event_type: 'ServiceIssue',
    status: 'Active',
    subscription_id: '5f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b11',
  },
};
