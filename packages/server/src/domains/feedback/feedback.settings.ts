import { integer, type SettingValues } from '../../setting-kinds.ts';

export const feedbackSettings = {
  feedbackPerHour: integer(
    {
      variable: 'MOORING_FEEDBACK_PER_HOUR',
      description:
        'Maximum number of feedback messages per app and hour, from all sources. Beyond it, the install page and the API return 429, and messages from Sentry SDKs are dropped.',
    },
    200,
    1,
    100_000,
  ),
  feedbackRetentionDays: integer(
    {
      variable: 'MOORING_FEEDBACK_RETENTION_DAYS',
      description: 'Days that feedback is retained, with pictures and replies.',
    },
    730,
    1,
    3650,
  ),
};

declare module '../../config.ts' {
  interface Config extends SettingValues<typeof feedbackSettings> {}
}
