import type { EndpointExamples } from '../endpoint/example.ts';

export const searchExamples = {
  search_find: {
    query: { q: 'lighthouse', limit: 1 },
    response: {
      values: [
        {
          kind: 'app',
          id: '0198c7a6-0000-7c1e-9a53-2f4be3a0b2d7',
          title: 'Compass',
          detail: 'lighthouse/compass · Android',
          path: { owner_name: 'lighthouse', app_name: 'compass' },
        },
        {
          kind: 'organization',
          id: '0198c7a5-0000-7c1e-9a53-2f4be3a0b2d7',
          title: 'Lighthouse',
          detail: 'lighthouse',
          path: { org_name: 'lighthouse' },
        },
      ],
    },
  },
} satisfies EndpointExamples<typeof import('./search.contract.ts')>;
