import type { AnnouncementType } from '@mooring/contract';

/** What can be told, for people. */
export const eventWords: Record<AnnouncementType, string> = {
  newCrashGroupCreated: 'New crash or error',
  newAppReleased: 'Release given to testers or stores',
  crashGroupRegressed: 'A closed crash is back',
  codePushReleased: 'CodePush update released',
  codePushHalted: 'CodePush rollout halted',
  exportFailed: 'Export failed',
  buildFinished: 'Build finished',
  testRunFinished: 'Test run finished',
  appTokenExpiring: 'API token of an app ends soon',
  serviceAccountTokenExpiring: 'API token of a service account ends soon',
  alertStarted: 'Alert began',
  alertEnded: 'Alert ended',
  memberJoined: 'Member joined',
  healthEventChanged: 'Health event changed',
};

export const formatWords = {
  cloudevents: 'CloudEvents',
  plain: 'JSON, as receivers of old know it',
  slack: 'Slack',
  teams: 'Microsoft Teams',
} as const;
