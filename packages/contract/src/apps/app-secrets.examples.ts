import type { EndpointExamples } from '../endpoint/example.ts';

const params = { owner_name: 'ada', app_name: 'compass' };
const previous = { app_secret: '3f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b11', ends_at: '2027-01-30T09:00:00.000Z' };
const response = { app_secret: '4a0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b44', former: [previous] };

export const appSecretsExamples = {
  appSecrets_get: { params, response },
  appSecrets_rotate: { params, body: { overlap_hours: 2160 }, response },
  appSecrets_endFormer: { params },
} satisfies EndpointExamples<typeof import('./app-secrets.contract.ts')>;
