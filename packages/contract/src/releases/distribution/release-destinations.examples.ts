import type { EndpointExamples } from '../../endpoint/example.ts';

const params = { owner_name: 'ada', app_name: 'compass', release_id: '1' };
const id = '9a9486b8-9a75-4882-a817-3eb4c31d6076';
const tester = '5f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b00';
const ofGroup = { ...params, group_id: id };
const ofTester = { ...params, tester_id: tester };

export const releaseDestinationsExamples = {
  releases_addDistributionGroup: {
    params,
    body: { id, mandatory_update: true, notify_testers: false },
    response: { id, mandatory_update: true },
  },
  releases_putDistributionGroup: { params: ofGroup, body: { mandatory_update: true } },
  releases_deleteDistributionGroup: { params: ofGroup },
  releases_addTesters: {
    params,
    body: { email: 'ada@example.com', mandatory_update: false, notify_testers: false },
    response: { id: tester, mandatory_update: false },
  },
  releases_putDistributionTester: { params: ofTester, body: { mandatory_update: true } },
  releases_deleteDistributionTester: { params: ofTester },
  releases_deleteTesterFromDestinations: {
    params: { owner_name: 'ada', app_name: 'compass', tester_id: tester },
  },
} satisfies EndpointExamples<typeof import('./release-destinations.contract.ts')>;
