import { integer } from '../../setting-kinds.ts';

export const dataRequestsSettings = {
  accountDeletionDays: integer(
    {
      variable: 'MOORING_ACCOUNT_DELETION_DAYS',
      description: 'How many days after somebody asked for it their account is deleted; until then they can cancel it.',
    },
    28,
    0,
    30,
  ),
};
