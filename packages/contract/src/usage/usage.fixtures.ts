import type { Fixtures } from '../fixtures/fixtures.ts';
import { adminQuotas_set } from './usage.contract.ts';
import { usageExamples } from './usage.examples.ts';

export async function addQuota(fixtures: Fixtures): Promise<void> {
  await fixtures.ada.call(adminQuotas_set, usageExamples.adminQuotas_set);
}
