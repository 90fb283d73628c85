import { adminServer_get, Events_ListByTenantId, users_get } from '@mooring/contract';
import { IconActivityHeartbeat, IconApps, IconBuilding, IconShieldCheck } from '@tabler/icons-react';
import { useActiveEventCount } from '../api/health/health.ts';
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
          load: () => import('../pages/apps/home.page.tsx'),
        },
        {
          page: 'orgs',
          label: 'Organizations',
          icon: IconBuilding,
          needs: users_get,
          load: () => import('../pages/orgs/orgs.page.tsx'),
        },
        {
          page: 'health',
          label: 'Service health',
          icon: IconActivityHeartbeat,
          needs: Events_ListByTenantId,
          useBadge: useActiveEventCount,
        },
        { page: 'admin', label: 'Administration', icon: IconShieldCheck, needs: adminServer_get },
      ],
    },
  ],
  others: [
    { page: 'newApp', load: () => import('../pages/apps/create.page.tsx') },
    { page: 'newOrg', load: () => import('../pages/orgs/create.page.tsx') },
    { page: 'cliLogin', load: () => import('../pages/tokens/cli-login.page.tsx') },
    { page: 'updateSetup', load: () => import('../pages/releases/update-setup.page.tsx') },
    { page: 'earlierUpdateSetup', load: () => import('../pages/releases/update-setup.page.tsx') },
    { page: 'deviceRegistered', load: () => import('../pages/releases/devices/device-registered.page.tsx') },
  ],
};
