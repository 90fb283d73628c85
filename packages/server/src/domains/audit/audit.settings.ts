import { must, optional } from '../../setting-kinds.ts';

export const auditSettings = {
  auditRetentionDays: optional(
    {
      variable: 'MOORING_AUDIT_RETENTION_DAYS',
      description: 'How many days the audit log keeps a change, from 30 to 3650. Unset: for ever.',
    },
    (value) => {
      const days = Number(value);
      must(Number.isInteger(days) && days >= 30 && days <= 3650, 'a whole number from 30 to 3650');
      return days;
    },
  ),
};
