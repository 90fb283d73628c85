import type { Fixtures } from '../fixtures/fixtures.ts';
import { Analytics_CreateOrUpdateAudience } from './audiences.contract.ts';
import { audiencesExamples } from './audiences.examples.ts';

/** The audience that the examples refer to. */
export async function addAudience({ ada }: Fixtures): Promise<void> {
  const { params, body } = audiencesExamples.Analytics_CreateOrUpdateAudience;
  await ada.call(Analytics_CreateOrUpdateAudience, { params, body });
}
