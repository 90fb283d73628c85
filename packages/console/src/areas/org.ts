import {
  apps_listForOrg,
  azureSubscription_listForOrg,
  billingAggregatedInformation_getForOrg,
  distributionGroups_listForOrg,
  orgAudit_list,
  organizations_get,
  organizations_update,
  orgInvitations_listPending,
  orgWebhooks_list,
  runners_listForOrg,
  serviceAccounts_list,
  teams_listAll,
  users_listForOrg,
} from '@mooring/contract';
import {
  IconApps,
  IconGauge,
  IconHistory,
  IconHome,
  IconReceipt,
  IconServerCog,
  IconSettings,
  IconUserHeart,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
} from '@tabler/icons-react';
import type { Area } from './area.ts';

export const org: Area = {
  label: 'Organization',
  unknown: 'orgUnknown',
  groups: [
    {
      sections: [
        {
          page: 'org',
          label: 'Overview',
          icon: IconHome,
          needs: organizations_get,
          load: () => import('../pages/orgs/overview.page.tsx'),
        },
        {
          page: 'orgApps',
          label: 'Apps',
          icon: IconApps,
          needs: apps_listForOrg,
          load: () => import('../pages/orgs/apps.page.tsx'),
        },
      ],
    },
    {
      heading: 'People',
      sections: [
        {
          label: 'Members',
          icon: IconUsers,
          tabs: [
            {
              page: 'orgPeople',
              label: 'People',
              needs: users_listForOrg,
              load: () => import('../pages/orgs/people.page.tsx'),
            },
            {
              page: 'orgInvitations',
              label: 'Invitations',
              needs: orgInvitations_listPending,
              load: () => import('../pages/orgs/invitations.page.tsx'),
            },
            {
              page: 'orgServiceAccounts',
              label: 'Service accounts',
              needs: serviceAccounts_list,
              load: () => import('../pages/orgs/service-accounts.page.tsx'),
              below: [{ page: 'orgServiceAccount', load: () => import('../pages/tokens/service-account.page.tsx') }],
            },
          ],
        },
        {
          page: 'orgTeams',
          label: 'Teams',
          icon: IconUsersGroup,
          needs: teams_listAll,
          load: () => import('../pages/teams/teams.page.tsx'),
          below: [{ page: 'orgTeam', load: () => import('../pages/teams/team.page.tsx') }],
        },
        {
          page: 'orgGroups',
          label: 'Distribution groups',
          icon: IconUserHeart,
          needs: distributionGroups_listForOrg,
          load: () => import('../pages/groups/org-groups.page.tsx'),
          below: [{ page: 'orgGroup', load: () => import('../pages/groups/org-group.page.tsx') }],
        },
      ],
    },
    {
      heading: 'Manage',
      sections: [
        {
          page: 'orgSubscriptions',
          label: 'Subscriptions',
          icon: IconReceipt,
          needs: azureSubscription_listForOrg,
          load: () => import('../pages/orgs/subscriptions.page.tsx'),
        },
        {
          page: 'orgRunners',
          label: 'Runners',
          icon: IconServerCog,
          needs: runners_listForOrg,
          load: () => import('../pages/runners/org-runners.page.tsx'),
        },
        {
          page: 'orgUsage',
          label: 'Usage',
          icon: IconGauge,
          needs: billingAggregatedInformation_getForOrg,
          load: () => import('../pages/usage/org-usage.page.tsx'),
        },
        {
          page: 'orgWebhooks',
          label: 'Webhooks',
          icon: IconWebhook,
          needs: orgWebhooks_list,
          load: () => import('../pages/webhooks/org-webhooks.page.tsx'),
          below: [{ page: 'orgWebhook', load: () => import('../pages/webhooks/org-webhook.page.tsx') }],
        },
        {
          page: 'orgAudit',
          label: 'Audit log',
          icon: IconHistory,
          needs: orgAudit_list,
          load: () => import('../pages/audit/org.page.tsx'),
        },
        {
          page: 'orgSettings',
          label: 'Settings',
          icon: IconSettings,
          needs: organizations_update,
          load: () => import('../pages/orgs/settings.page.tsx'),
        },
      ],
    },
  ],
};
