import { Events_ListByTenantId, HealthEvent_Publish, HealthEvents_Import, Subscriptions_List } from '@mooring/contract';
import {
  IconActivityHeartbeat,
  IconFileImport,
  IconListDetails,
  IconSpeakerphone,
  IconWebhook,
} from '@tabler/icons-react';
import { useActiveEventCount } from '../api/health/health.ts';
import type { Area } from './area.ts';

export const health: Area = {
  label: 'Service health',
  unknown: 'healthUnknown',
  isSubject: true,
  groups: [
    {
      sections: [
        {
          page: 'health',
          query: { status: 'Active' },
          label: 'Active',
          icon: IconActivityHeartbeat,
          needs: Events_ListByTenantId,
          useBadge: useActiveEventCount,
        },
        {
          page: 'health',
          label: 'History',
          icon: IconListDetails,
          needs: Events_ListByTenantId,
          load: () => import('../pages/health/health.page.tsx'),
          below: [{ page: 'healthEvent', load: () => import('../pages/health/event/event.page.tsx') }],
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
          load: () => import('../pages/webhooks/subscriptions.page.tsx'),
          below: [
            { page: 'healthSubscription', load: () => import('../pages/webhooks/subscription.page.tsx') },
            { page: 'healthWebhook', load: () => import('../pages/webhooks/webhook.page.tsx') },
          ],
        },
      ],
    },
    {
      heading: 'Manage',
      sections: [
        {
          page: 'healthPublish',
          label: 'Publish',
          icon: IconSpeakerphone,
          needs: HealthEvent_Publish,
          load: () => import('../pages/health/publish/publish.page.tsx'),
        },
        {
          page: 'healthImport',
          label: 'Import',
          icon: IconFileImport,
          needs: HealthEvents_Import,
          load: () => import('../pages/health/import/import.page.tsx'),
        },
      ],
    },
  ],
};
