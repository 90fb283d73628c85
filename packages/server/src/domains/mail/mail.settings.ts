import { integer, type SettingValues } from '../../setting-kinds.ts';

export const mailSettings = {
  mailRetentionDays: integer(
    { variable: 'MOORING_MAIL_RETENTION_DAYS', description: 'Days that an email stays in the outbox.' },
    90,
    1,
    3650,
  ),
};

declare module '../../config.ts' {
  interface Config extends SettingValues<typeof mailSettings> {}
}
