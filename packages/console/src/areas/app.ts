import {
  Analytics_DeviceCounts,
  alertRules_list,
  appApiTokens_list,
  appAudit_list,
  apps_get,
  apps_update,
  billingAggregatedInformation_getByApp,
  codePushDeployments_list,
  crashIssues_list,
  distributionGroups_list,
  ExportConfigurations_List,
  ingestion_get,
  notifications_getAppEmailSettings,
  releases_list,
  symbols_list,
  users_list,
  webhooks_list,
} from '@mooring/contract';
import {
  IconAlertTriangle,
  IconAntennaBars5,
  IconBell,
  IconBug,
  IconChartDots,
  IconChartLine,
  IconCloudUpload,
  IconDatabaseExport,
  IconGauge,
  IconHistory,
  IconHome,
  IconKey,
  IconPackage,
  IconSettings,
  IconUserHeart,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import type { Area } from './area.ts';

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
          load: () => import('../pages/apps/overview.page.tsx'),
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
              load: () => import('../pages/analytics/overview.page.tsx'),
            },
            {
              page: 'appEvents',
              label: 'Events',
              needs: Analytics_DeviceCounts,
              load: () => import('../pages/analytics/events.page.tsx'),
              below: [{ page: 'appEvent', load: () => import('../pages/analytics/event.page.tsx') }],
            },
            {
              page: 'appAudiences',
              label: 'Audiences',
              needs: Analytics_DeviceCounts,
              load: () => import('../pages/analytics/audiences.page.tsx'),
            },
            {
              page: 'appLogFlow',
              label: 'Log flow',
              needs: Analytics_DeviceCounts,
              load: () => import('../pages/analytics/log-flow.page.tsx'),
              below: [{ page: 'appLogSearch', load: () => import('../pages/analytics/log-search.page.tsx') }],
            },
          ],
        },
        {
          label: 'Explore',
          icon: IconChartDots,
          tabs: [
            {
              page: 'appExplore',
              label: 'Trends',
              needs: Analytics_DeviceCounts,
              load: () => import('../pages/analytics/explore.page.tsx'),
            },
            {
              page: 'appFunnel',
              label: 'Funnels',
              needs: Analytics_DeviceCounts,
              load: () => import('../pages/analytics/funnel.page.tsx'),
            },
            {
              page: 'appRetention',
              label: 'Retention',
              needs: Analytics_DeviceCounts,
              load: () => import('../pages/analytics/retention.page.tsx'),
            },
            {
              page: 'appPaths',
              label: 'Paths',
              needs: Analytics_DeviceCounts,
              load: () => import('../pages/analytics/paths.page.tsx'),
            },
          ],
        },
        {
          label: 'Crashes',
          icon: IconBug,
          tabs: [
            {
              page: 'appCrashes',
              label: 'Issues',
              needs: crashIssues_list,
              load: () => import('../pages/crashes/crashes.page.tsx'),
              below: [{ page: 'appCrash', load: () => import('../pages/crashes/issue.page.tsx') }],
            },
            {
              page: 'appSymbols',
              label: 'Symbols',
              needs: symbols_list,
              load: () => import('../pages/symbols/symbols.page.tsx'),
            },
          ],
        },
        {
          label: 'Ingestion',
          icon: IconAntennaBars5,
          tabs: [
            {
              page: 'appIngestion',
              label: 'Logs',
              needs: ingestion_get,
              load: () => import('../pages/ingest/ingestion.page.tsx'),
            },
            {
              page: 'appAnalyticsSetUp',
              label: 'SDK setup',
              needs: ingestion_get,
              load: () => import('../pages/analytics/set-up.page.tsx'),
            },
          ],
        },
      ],
    },
    {
      heading: 'Ship',
      sections: [
        {
          page: 'appReleases',
          label: 'Releases',
          icon: IconPackage,
          needs: releases_list,
          load: () => import('../pages/releases/releases.page.tsx'),
          below: [{ page: 'appRelease', load: () => import('../pages/releases/release.page.tsx') }],
        },
        {
          page: 'appGroups',
          label: 'Tester groups',
          icon: IconUserHeart,
          needs: distributionGroups_list,
          load: () => import('../pages/groups/app-groups.page.tsx'),
          below: [{ page: 'appGroup', load: () => import('../pages/groups/app-group.page.tsx') }],
        },
        {
          page: 'appDeployments',
          label: 'CodePush',
          icon: IconCloudUpload,
          needs: codePushDeployments_list,
          load: () => import('../pages/codepush/deployments.page.tsx'),
          below: [{ page: 'appDeployment', load: () => import('../pages/codepush/deployment.page.tsx') }],
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
          load: () => import('../pages/apps/users.page.tsx'),
        },
        {
          page: 'appExports',
          label: 'Export',
          icon: IconDatabaseExport,
          needs: ExportConfigurations_List,
          load: () => import('../pages/exports/exports.page.tsx'),
        },
        {
          page: 'appAlerts',
          label: 'Alerts',
          icon: IconAlertTriangle,
          needs: alertRules_list,
          load: () => import('../pages/alerts/alerts.page.tsx'),
        },
        {
          page: 'appNotifications',
          label: 'Notifications',
          icon: IconBell,
          needs: notifications_getAppEmailSettings,
          load: () => import('../pages/notifications/app-notifications.page.tsx'),
        },
        {
          page: 'appWebhooks',
          label: 'Webhooks',
          icon: IconWebhook,
          needs: webhooks_list,
          load: () => import('../pages/webhooks/app-webhooks.page.tsx'),
          below: [{ page: 'appWebhook', load: () => import('../pages/webhooks/app-webhook.page.tsx') }],
        },
        {
          page: 'appUsage',
          label: 'Usage',
          icon: IconGauge,
          needs: billingAggregatedInformation_getByApp,
          load: () => import('../pages/usage/app-usage.page.tsx'),
        },
        {
          page: 'appTokens',
          label: 'API tokens',
          icon: IconKey,
          needs: appApiTokens_list,
          load: () => import('../pages/tokens/app.page.tsx'),
        },
        {
          page: 'appAudit',
          label: 'Audit log',
          icon: IconHistory,
          needs: appAudit_list,
          load: () => import('../pages/audit/app.page.tsx'),
        },
        {
          page: 'appSettings',
          label: 'Settings',
          icon: IconSettings,
          needs: apps_update,
          load: () => import('../pages/apps/settings.page.tsx'),
        },
      ],
    },
  ],
};
