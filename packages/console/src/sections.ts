import {
  Analytics_DeviceCounts,
  adminAudit_list,
  adminJobs_list,
  adminMails_list,
  adminOauthClients_list,
  adminServer_get,
  adminUsers_list,
  appApiTokens_list,
  appAudit_list,
  apps_get,
  apps_listForOrg,
  apps_update,
  distributionGroups_list,
  distributionGroups_listForOrg,
  Events_ListByTenantId,
  HealthEvent_Publish,
  HealthEvents_Import,
  healthOperators_list,
  ingestion_get,
  orgAudit_list,
  organizations_get,
  organizations_update,
  orgInvitations_listPending,
  Subscriptions_List,
  Subscriptions_Save,
  serviceAccounts_list,
  teams_listAll,
  users_get,
  users_list,
  users_listForOrg,
} from '@mooring/contract';
import {
  IconActivityHeartbeat,
  IconAntennaBars5,
  IconApps,
  IconBuilding,
  IconChartLine,
  IconDevices,
  IconFileImport,
  IconHistory,
  IconHome,
  IconKey,
  IconLayoutGrid,
  IconListCheck,
  IconListDetails,
  IconMail,
  IconPlugConnected,
  IconReceipt,
  IconServer,
  IconSettings,
  IconShieldCheck,
  IconSpeakerphone,
  IconTimeline,
  IconUser,
  IconUserCog,
  IconUserHeart,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
} from '@tabler/icons-react';
import { useActiveEventCount } from './api/health.ts';
import type { Area } from './area.ts';

export const home: Area = {
  label: 'Home',
  groups: [
    {
      sections: [
        {
          page: 'home',
          label: 'Apps',
          icon: IconApps,
          needs: users_get,
          load: () => import('./pages/apps/home.page.tsx'),
        },
        {
          page: 'orgs',
          label: 'Organizations',
          icon: IconBuilding,
          needs: users_get,
          load: () => import('./pages/orgs/orgs.page.tsx'),
        },
        {
          page: 'health',
          label: 'Service health',
          icon: IconActivityHeartbeat,
          needs: Events_ListByTenantId,
          useBadge: useActiveEventCount,
        },
        { page: 'adminUsers', label: 'Administration', icon: IconShieldCheck, needs: adminUsers_list },
      ],
    },
  ],
  others: [
    { page: 'newApp', load: () => import('./pages/apps/create.page.tsx') },
    { page: 'newOrg', load: () => import('./pages/orgs/create.page.tsx') },
    { page: 'cliLogin', load: () => import('./pages/tokens/cli-login.page.tsx') },
  ],
};

export const app: Area = {
  label: 'App',
  groups: [
    {
      sections: [
        {
          page: 'app',
          label: 'Overview',
          icon: IconHome,
          needs: apps_get,
          load: () => import('./pages/apps/overview.page.tsx'),
        },
      ],
    },
    {
      heading: 'Monitor',
      sections: [
        {
          label: 'Analytics',
          icon: IconChartLine,
          // Whoever may see one figure may see all: one operation stands for them, as each is loaded with the first page.
          tabs: [
            {
              page: 'appAnalytics',
              label: 'Overview',
              needs: Analytics_DeviceCounts,
              load: () => import('./pages/analytics/overview.page.tsx'),
            },
            {
              page: 'appEvents',
              label: 'Events',
              needs: Analytics_DeviceCounts,
              load: () => import('./pages/analytics/events.page.tsx'),
              below: [{ page: 'appEvent', load: () => import('./pages/analytics/event.page.tsx') }],
            },
            {
              page: 'appLogFlow',
              label: 'Log flow',
              needs: Analytics_DeviceCounts,
              load: () => import('./pages/analytics/log-flow.page.tsx'),
            },
            {
              page: 'appAnalyticsSetUp',
              label: 'Set up',
              needs: ingestion_get,
              load: () => import('./pages/analytics/set-up.page.tsx'),
            },
          ],
        },
        {
          page: 'appIngestion',
          label: 'Ingestion',
          icon: IconAntennaBars5,
          needs: ingestion_get,
          load: () => import('./pages/ingest/ingestion.page.tsx'),
        },
      ],
    },
    {
      heading: 'Ship',
      sections: [
        {
          page: 'appGroups',
          label: 'Tester groups',
          icon: IconUserHeart,
          needs: distributionGroups_list,
          load: () => import('./pages/groups/app-groups.page.tsx'),
          below: [{ page: 'appGroup', load: () => import('./pages/groups/app-group.page.tsx') }],
        },
      ],
    },
    {
      heading: 'Manage',
      sections: [
        {
          page: 'appUsers',
          label: 'Members',
          icon: IconUsers,
          needs: users_list,
          load: () => import('./pages/apps/users.page.tsx'),
        },
        {
          page: 'appTokens',
          label: 'API tokens',
          icon: IconKey,
          needs: appApiTokens_list,
          load: () => import('./pages/tokens/app.page.tsx'),
        },
        {
          page: 'appAudit',
          label: 'Audit log',
          icon: IconHistory,
          needs: appAudit_list,
          load: () => import('./pages/audit/app.page.tsx'),
        },
        {
          page: 'appSettings',
          label: 'Settings',
          icon: IconSettings,
          needs: apps_update,
          load: () => import('./pages/apps/settings.page.tsx'),
        },
      ],
    },
  ],
};

export const org: Area = {
  label: 'Organization',
  groups: [
    {
      sections: [
        {
          page: 'org',
          label: 'Overview',
          icon: IconHome,
          needs: organizations_get,
          load: () => import('./pages/orgs/overview.page.tsx'),
        },
        {
          page: 'orgApps',
          label: 'Apps',
          icon: IconApps,
          needs: apps_listForOrg,
          load: () => import('./pages/orgs/apps.page.tsx'),
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
              load: () => import('./pages/orgs/people.page.tsx'),
            },
            {
              page: 'orgInvitations',
              label: 'Invitations',
              needs: orgInvitations_listPending,
              load: () => import('./pages/orgs/invitations.page.tsx'),
            },
            {
              page: 'orgServiceAccounts',
              label: 'Service accounts',
              needs: serviceAccounts_list,
              load: () => import('./pages/orgs/service-accounts.page.tsx'),
              below: [{ page: 'orgServiceAccount', load: () => import('./pages/tokens/service-account.page.tsx') }],
            },
          ],
        },
        {
          page: 'orgTeams',
          label: 'Teams',
          icon: IconUsersGroup,
          needs: teams_listAll,
          load: () => import('./pages/teams/teams.page.tsx'),
          below: [{ page: 'orgTeam', load: () => import('./pages/teams/team.page.tsx') }],
        },
        {
          page: 'orgGroups',
          label: 'Tester groups',
          icon: IconUserHeart,
          needs: distributionGroups_listForOrg,
          load: () => import('./pages/groups/org-groups.page.tsx'),
          below: [{ page: 'orgGroup', load: () => import('./pages/groups/org-group.page.tsx') }],
        },
      ],
    },
    {
      heading: 'Manage',
      sections: [
        {
          page: 'orgAudit',
          label: 'Audit log',
          icon: IconHistory,
          needs: orgAudit_list,
          load: () => import('./pages/audit/org.page.tsx'),
        },
        {
          page: 'orgSettings',
          label: 'Settings',
          icon: IconSettings,
          needs: organizations_update,
          load: () => import('./pages/orgs/settings.page.tsx'),
        },
      ],
    },
  ],
};

export const health: Area = {
  label: 'Service health',
  isSubject: true,
  groups: [
    {
      sections: [
        {
          page: 'health',
          query: { status: 'Active' },
          label: 'Now',
          icon: IconActivityHeartbeat,
          needs: Events_ListByTenantId,
          useBadge: useActiveEventCount,
        },
        {
          page: 'health',
          query: { view: 'timeline' },
          label: 'Timeline',
          icon: IconTimeline,
          needs: Events_ListByTenantId,
        },
        {
          page: 'health',
          label: 'History',
          icon: IconListDetails,
          needs: Events_ListByTenantId,
          load: () => import('./pages/health/health.page.tsx'),
          below: [{ page: 'healthEvent', load: () => import('./pages/health/event.page.tsx') }],
        },
      ],
    },
    {
      heading: 'Notify',
      sections: [
        {
          page: 'healthSubscriptions',
          label: 'Webhooks and feeds',
          icon: IconWebhook,
          needs: Subscriptions_List,
          load: () => import('./pages/webhooks/subscriptions.page.tsx'),
          below: [
            { page: 'healthSubscription', load: () => import('./pages/webhooks/subscription.page.tsx') },
            { page: 'healthWebhook', load: () => import('./pages/webhooks/webhook.page.tsx') },
          ],
        },
      ],
    },
    {
      heading: 'Operate',
      sections: [
        {
          page: 'healthPublish',
          label: 'Publish',
          icon: IconSpeakerphone,
          needs: HealthEvent_Publish,
          load: () => import('./pages/health/publish.page.tsx'),
        },
        {
          page: 'healthImport',
          label: 'Import',
          icon: IconFileImport,
          needs: HealthEvents_Import,
          load: () => import('./pages/health/import.page.tsx'),
        },
      ],
    },
  ],
};

export const administration: Area = {
  label: 'Administration',
  isSubject: true,
  groups: [
    {
      heading: 'People and access',
      sections: [
        {
          page: 'adminUsers',
          label: 'Users',
          icon: IconUsers,
          needs: adminUsers_list,
          load: () => import('./pages/accounts/users.page.tsx'),
          below: [{ page: 'adminUserTokens', load: () => import('./pages/tokens/user.page.tsx') }],
        },
        {
          page: 'adminClients',
          label: 'OAuth clients',
          icon: IconLayoutGrid,
          needs: adminOauthClients_list,
          load: () => import('./pages/identity/clients.page.tsx'),
        },
        {
          page: 'adminOperators',
          label: 'Health operators',
          icon: IconUserCog,
          needs: healthOperators_list,
          load: () => import('./pages/subscriptions/operators.page.tsx'),
        },
        {
          page: 'adminSubscriptions',
          label: 'Subscriptions',
          icon: IconReceipt,
          needs: Subscriptions_Save,
          load: () => import('./pages/subscriptions/subscriptions.page.tsx'),
          below: [{ page: 'adminSubscription', load: () => import('./pages/subscriptions/subscription.page.tsx') }],
        },
      ],
    },
    {
      heading: 'Server',
      sections: [
        {
          page: 'adminJobs',
          label: 'Jobs',
          icon: IconListCheck,
          needs: adminJobs_list,
          load: () => import('./pages/administration/jobs.page.tsx'),
        },
        {
          page: 'adminMails',
          label: 'Mail',
          icon: IconMail,
          needs: adminMails_list,
          load: () => import('./pages/administration/mails.page.tsx'),
        },
        {
          page: 'adminServer',
          label: 'Server',
          icon: IconServer,
          needs: adminServer_get,
          load: () => import('./pages/administration/server.page.tsx'),
        },
        {
          page: 'adminAudit',
          label: 'Audit log',
          icon: IconHistory,
          needs: adminAudit_list,
          load: () => import('./pages/audit/server.page.tsx'),
        },
      ],
    },
  ],
};

export const settings: Area = {
  label: 'Your account',
  groups: [
    {
      sections: [
        {
          page: 'profile',
          label: 'Profile',
          icon: IconUser,
          needs: users_get,
          load: () => import('./pages/accounts/profile.page.tsx'),
        },
        {
          page: 'sessions',
          label: 'Sessions',
          icon: IconDevices,
          needs: users_get,
          load: () => import('./pages/accounts/sessions.page.tsx'),
        },
        {
          page: 'tokens',
          label: 'API tokens',
          icon: IconKey,
          needs: users_get,
          load: () => import('./pages/tokens/my-tokens.page.tsx'),
        },
        {
          page: 'connections',
          label: 'Connections',
          icon: IconPlugConnected,
          needs: users_get,
          load: () => import('./pages/identity/connections.page.tsx'),
        },
      ],
    },
  ],
};
