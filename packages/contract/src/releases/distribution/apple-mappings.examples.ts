import type { EndpointExamples } from '../../endpoint/example.ts';

const params = { owner_name: 'ada', app_name: 'compass' };
const mapping = {
  service_connection_id: '7c1b6a52-21a5-4b36-9d9f-5f0c5d2e9b42',
  apple_id: '1234567890',
  bundle_identifier: 'com.example.compass',
  team_identifier: 'A1B2C3D4E5',
};
const group = { id: 'beta-crew', name: 'Beta crew' };

export const appleMappingsExamples = {
  appleMapping_get: { params, response: { ...mapping, app_id: '5f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b68' } },
  appleMapping_create: {
    params,
    body: { ...mapping, test_flight_groups: [group] },
    response: { ...mapping, app_id: '5f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b68' },
  },
  appleMapping_delete: { params },
  appleMapping_TestFlightGroups: { params, response: [{ ...group, appleId: 1234567890 }] },
} satisfies EndpointExamples<typeof import('./apple-mappings.contract.ts')>;
