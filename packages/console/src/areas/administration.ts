import {
  adminAudit_list,
  adminIdentityProviders_list,
  adminJobs_list,
  adminMails_list,
  adminOauthClients_list,
  adminQuotas_list,
  adminServer_get,
  adminUsers_list,
  healthOperators_list,
  runners_listForServer,
  Subscriptions_Save,
} from '@mooring/contract';
import {
  IconFingerprint,
  IconGauge,
  IconHistory,
  IconHome,
  IconLayoutGrid,
  IconListCheck,
  IconMail,
  IconReceipt,
  IconServer,
  IconServerCog,
  IconUserCog,
  IconUsers,
} from '@tabler/icons-react';
import type { Area } from './area.ts';

export const administration: Area = {
  label: 'Administration',
  unknown: 'adminUnknown',
  isSubject: true,
  groups: [
    {
      sections: [
        {
          page: 'admin',
          label: 'Overview',
          icon: IconHome,
          needs: adminServer_get,
          load: () => import('../pages/administration/overview.page.tsx'),
        },
      ],
    },
    {
      heading: 'People and access',
      sections: [
        {
          page: 'adminUsers',
          label: 'Users',
          icon: IconUsers,
          needs: adminUsers_list,
          load: () => import('../pages/accounts/users.page.tsx'),
          below: [{ page: 'adminUserTokens', load: () => import('../pages/tokens/user.page.tsx') }],
        },
        {
          page: 'adminProviders',
          label: 'Identity providers',
          icon: IconFingerprint,
          needs: adminIdentityProviders_list,
          load: () => import('../pages/sign-in/identity-providers.page.tsx'),
        },
        {
          page: 'adminClients',
          label: 'OAuth clients',
          icon: IconLayoutGrid,
          needs: adminOauthClients_list,
          load: () => import('../pages/identity/clients.page.tsx'),
        },
        {
          page: 'adminOperators',
          label: 'Health operators',
          icon: IconUserCog,
          needs: healthOperators_list,
          load: () => import('../pages/subscriptions/operators.page.tsx'),
        },
        {
          page: 'adminSubscriptions',
          label: 'Subscriptions',
          icon: IconReceipt,
          needs: Subscriptions_Save,
          load: () => import('../pages/subscriptions/subscriptions.page.tsx'),
          below: [{ page: 'adminSubscription', load: () => import('../pages/subscriptions/subscription.page.tsx') }],
        },
      ],
    },
    {
      heading: 'Server',
      sections: [
        {
          page: 'adminRunners',
          label: 'Runners',
          icon: IconServerCog,
          needs: runners_listForServer,
          load: () => import('../pages/runners/server-runners.page.tsx'),
        },
        {
          page: 'adminQuotas',
          label: 'Quotas',
          icon: IconGauge,
          needs: adminQuotas_list,
          load: () => import('../pages/administration/quotas.page.tsx'),
        },
        {
          page: 'adminJobs',
          label: 'Jobs',
          icon: IconListCheck,
          needs: adminJobs_list,
          load: () => import('../pages/administration/jobs.page.tsx'),
        },
        {
          page: 'adminMails',
          label: 'Email',
          icon: IconMail,
          needs: adminMails_list,
          load: () => import('../pages/administration/mails.page.tsx'),
        },
        {
          page: 'adminServer',
          label: 'Server',
          icon: IconServer,
          needs: adminServer_get,
          load: () => import('../pages/administration/server.page.tsx'),
        },
        {
          page: 'adminAudit',
          label: 'Audit log',
          icon: IconHistory,
          needs: adminAudit_list,
          load: () => import('../pages/audit/server.page.tsx'),
        },
      ],
    },
  ],
};
