import { integer, type SettingValues } from '../../setting-kinds.ts';

export const feedbackSettings = {
  feedbackPerHour: integer(
    {
      variable: 'MOORING_FEEDBACK_PER_HOUR',
      description:
        'Feedback that an app accepts within an hour, from all sources. The install page and the API then return 429; that of Sentry SDKs is dropped.',
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
