import type { World } from '../world/world.ts';
import { adminQuotas_set } from './usage.contract.ts';
import { usageExamples } from './usage.examples.ts';

export async function addQuota(world: World): Promise<void> {
  await world.ada.call(adminQuotas_set, usageExamples.adminQuotas_set);
}
