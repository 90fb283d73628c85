import type { EndpointExamples } from '../endpoint/example.ts';

export const appAccessExamples = {
  apps_listAccess: {
    params: { owner_name: 'lighthouse', app_name: 'compass' },
    query: { search: 'ada', sort: 'permission', order: 'desc' },
    response: {
      values: [
        {
          id: '0198c7a2-5f10-7c1e-9a53-2f4be3a0b2d7',
          name: 'ada',
          display_name: 'Ada Lovelace',
          email: 'ada@example.com',
          permission: 'manager',
          is_owner: false,
          via: [
            { kind: 'direct', permission: 'manager' },
            { kind: 'organization', permission: 'manager', name: 'lighthouse', display_name: 'Lighthouse' },
          ],
        },
      ],
      total: 1,
    },
  },
} satisfies EndpointExamples<typeof import('./app-access.contract.ts')>;
