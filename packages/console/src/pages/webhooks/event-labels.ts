import type { AnnouncementType } from '@mooring/contract';

/** Labels of event types. */
export const eventLabels: Record<AnnouncementType, string> = {
  newCrashGroupCreated: 'New crash or error',
  newAppReleased: 'Release distributed to testers or stores',
  crashGroupRegressed: 'Closed crash regressed',
  feedbackReceived: 'Feedback received',
  codePushReleased: 'CodePush update released',
  codePushHalted: 'CodePush rollout halted',
  exportFailed: 'Export failed',
  buildFinished: 'Build finished',
  testRunFinished: 'Test run finished',
  appTokenExpiring: 'App token expires soon',
  serviceAccountTokenExpiring: 'Service account token expires soon',
  alertStarted: 'Alert started',
  alertEnded: 'Alert ended',
  memberJoined: 'Member joined',
  healthEventChanged: 'Health event changed',
};

export const formatLabels = {
  cloudevents: 'CloudEvents',
  plain: 'App Center JSON',
  slack: 'Slack',
  teams: 'Microsoft Teams',
} as const;
