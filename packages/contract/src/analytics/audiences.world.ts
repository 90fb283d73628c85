import type { World } from '../world/world.ts';
import { Analytics_CreateOrUpdateAudience } from './audiences.contract.ts';
import { audiencesExamples } from './audiences.examples.ts';

/** The audience that the examples speak of. */
export async function addAudience({ ada }: World): Promise<void> {
  const { params, body } = audiencesExamples.Analytics_CreateOrUpdateAudience;
  await ada.call(Analytics_CreateOrUpdateAudience, { params, body });
}
