import { createClient } from '../client.ts';
import { type Fixtures, putId } from '../fixtures/fixtures.ts';
import { deviceSignIns_get, oauth_deviceCode } from './device-sign-ins.contract.ts';
import { deviceSignInsExamples } from './device-sign-ins.examples.ts';

/** A machine that waits for a person to confirm its code. */
export async function addDeviceSignIn(fixtures: Fixtures): Promise<void> {
  const { body } = deviceSignInsExamples.oauth_deviceCode;
  const { user_code } = await createClient(fixtures.server)(oauth_deviceCode, { body });
  putId(fixtures, deviceSignIns_get, 'user_code', user_code);
}
