import type { EndpointExamples } from '../../endpoint/example.ts';

const params = { owner_name: 'ada', app_name: 'compass' };

export const releaseGateExamples = {
  releaseGate_get: { params, response: { hold_failed: false, waiting: [] } },
  releaseGate_set: { params, body: { hold_failed: false }, response: { hold_failed: false, waiting: [] } },
} satisfies EndpointExamples<typeof import('./release-gate.contract.ts')>;
