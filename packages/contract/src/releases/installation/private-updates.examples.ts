import type { EndpointExamples } from '../../endpoint/example.ts';
import { inAppUpdatesExamples } from './in-app-updates.examples.ts';

const { params, query, response } = inAppUpdatesExamples.releases_getLatestPublicRelease;
const id = '6b1f0c5d-2e9b-4d2f-8a57-6f0c5d2e9c01';
const token = 'Kq3Zx8Vn1Bm5Ls7Dw2Ht9Rf4Jc6Pg0YuEaQoXiTvNbM';

export const privateUpdatesExamples = {
  releases_getLatestPrivateRelease: { params, query, headers: { 'x-api-token': token }, response },
  privateUpdates_setUp: {
    params,
    body: {
      release_hash: query.release_hash,
      redirect_id: 'com.example.compass',
      request_id: '0d2f3f0c-5d2e-4b11-9a57-6f0c5d2e9b01',
      platform: 'Android',
    },
    response: {
      is_set_up: true,
      redirect_url: `intent://updates/#Intent;scheme=appcenter;package=com.example.compass;S.request_id=0d2f3f0c-5d2e-4b11-9a57-6f0c5d2e9b01;S.distribution_group_id=9a9486b8-9a75-4882-a817-3eb4c31d6076;S.update_token=${token};end`,
      app_display_name: 'Needle',
    },
  },
  updateTokens_list: {
    response: [
      {
        id,
        platform: 'Android',
        app: { owner_name: 'ada', name: 'compass', display_name: 'Needle' },
        created_at: '2026-11-01T09:00:00.000Z',
      },
    ],
  },
  updateTokens_delete: { params: { update_token_id: id } },
} satisfies EndpointExamples<typeof import('./private-updates.contract.ts')>;
