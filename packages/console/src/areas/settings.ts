import {
  dataRequests_list,
  devices_userDevicesList,
  notifications_getUserEmailSettings,
  users_get,
} from '@mooring/contract';
import {
  IconBell,
  IconDeviceMobile,
  IconDevices,
  IconFileZip,
  IconKey,
  IconPlugConnected,
  IconUser,
} from '@tabler/icons-react';
import type { Area } from './area.ts';

export const settings: Area = {
  label: 'Account settings',
  unknown: 'settingsUnknown',
  groups: [
    {
      sections: [
        {
          page: 'profile',
          label: 'Profile',
          icon: IconUser,
          needs: users_get,
          load: () => import('../pages/accounts/profile.page.tsx'),
        },
        {
          page: 'sessions',
          label: 'Sessions',
          icon: IconDevices,
          needs: users_get,
          load: () => import('../pages/accounts/sessions.page.tsx'),
        },
        {
          page: 'devices',
          label: 'Devices',
          icon: IconDeviceMobile,
          needs: devices_userDevicesList,
          load: () => import('../pages/releases/devices/my-devices.page.tsx'),
        },
        {
          page: 'tokens',
          label: 'API tokens',
          icon: IconKey,
          needs: users_get,
          load: () => import('../pages/tokens/my-tokens.page.tsx'),
        },
        {
          page: 'connections',
          label: 'Connections',
          icon: IconPlugConnected,
          needs: users_get,
          load: () => import('../pages/identity/connections.page.tsx'),
        },
        {
          page: 'notifications',
          label: 'Notifications',
          icon: IconBell,
          needs: notifications_getUserEmailSettings,
          load: () => import('../pages/notifications/my-notifications.page.tsx'),
        },
        {
          page: 'yourData',
          label: 'Your data',
          icon: IconFileZip,
          needs: dataRequests_list,
          load: () => import('../pages/accounts/your-data.page.tsx'),
        },
      ],
    },
  ],
};
