import { must, optional, type SettingValues } from '../../setting-kinds.ts';

export const auditSettings = {
  auditRetentionDays: optional(
    {
      variable: 'MOORING_AUDIT_RETENTION_DAYS',
      description: 'Days that the audit log retains a change, from 30 to 3650. Unset: forever.',
    },
    (value) => {
      const days = Number(value);
      must(Number.isInteger(days) && days >= 30 && days <= 3650, 'a whole number from 30 to 3650');
      return days;
    },
  ),
};

declare module '../../config.ts' {
  interface Config extends SettingValues<typeof auditSettings> {}
}
