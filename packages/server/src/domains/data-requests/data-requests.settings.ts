import { integer, type SettingValues } from '../../setting-kinds.ts';

export const dataRequestsSettings = {
  accountDeletionDays: integer(
    {
      variable: 'MOORING_ACCOUNT_DELETION_DAYS',
      description:
        'Days between the request to delete an account and its deletion. Until then its owner can cancel the request.',
    },
    28,
    0,
    30,
  ),
};

declare module '../../config.ts' {
  interface Config extends SettingValues<typeof dataRequestsSettings> {}
}
