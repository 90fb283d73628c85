import { integer } from '../../setting-kinds.ts';

export const mailSettings = {
  mailRetentionDays: integer(
    { variable: 'MOORING_MAIL_RETENTION_DAYS', description: 'How many days a mail stays in the outbox.' },
    90,
    1,
    3650,
  ),
};
