import { integer, type SettingValues } from '../../setting-kinds.ts';

export const crashesSettings = {
  crashesRetentionDays: integer(
    {
      variable: 'MOORING_CRASHES_RETENTION_DAYS',
      description:
        'Days that crash and error reports are retained, with attachments. An app can choose 28 or 90 days if that is shorter. Counts stay.',
    },
    90,
    1,
    3650,
  ),
  crashesAnnouncedPerHour: integer(
    {
      variable: 'MOORING_CRASHES_ANNOUNCED_PER_HOUR',
      description:
        'New and regressed crash groups of an app that are announced separately within an hour, by webhook, email and automatic ticket. Further groups are announced together at the end of the hour, without tickets.',
    },
    20,
    1,
    10_000,
  ),
};

declare module '../../config.ts' {
  interface Config extends SettingValues<typeof crashesSettings> {}
}
