import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { ApiError, COMMAND_LINE_CLIENT, DEVICE_GRANT, oauth_deviceCode, oauth_token } from '@mooring/contract';
import { openConnection, Unreachable } from '../../connection/connection.ts';
import type { Profile } from '../../connection/profile.ts';
import { type Failure, notSignedIn } from '../../framework/errors.ts';
import type { Output } from '../../terminal/output.ts';

const SECOND = 1000;
const SLOW_DOWN = 5;

/** Errors that end the sign-in, with their texts. */
const refusals: Record<string, [message: string, advice: string]> = {
  access_denied: ['The sign-in was refused in the browser.', 'Sign in again: mooring login'],
  expired_token: ['The code was not confirmed within 10 minutes.', 'Sign in again: mooring login'],
};

/**
 * Prints a code that a person confirms in any browser, waits, and returns the new API token (RFC 8628). Undefined if the
 * server doesn't support that.
 */
export async function signInByDeviceCode(
  server: string,
  out: Output,
): Promise<Pick<Profile, 'token' | 'token_id'> | undefined> {
  const call = openConnection({ server });
  const started = await call(oauth_deviceCode, {
    body: { client_id: COMMAND_LINE_CLIENT, device_name: hostname() },
  }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  });
  if (!started) return undefined;
  out.note(`Open ${started.verification_uri} in a browser, sign in, and enter the code ${started.user_code}.`);
  out.note(`Or open ${started.verification_uri_complete} and compare the code.`);
  out.note(`Waiting for you to confirm it, up to ${started.expires_in / 60} minutes. Cancel with Ctrl+C.`);
  const end = Date.now() + started.expires_in * SECOND;
  for (let wait = started.interval; Date.now() < end; ) {
    await setTimeout(wait * SECOND);
    try {
      const body = { grant_type: DEVICE_GRANT, client_id: COMMAND_LINE_CLIENT, device_code: started.device_code };
      const { access_token, token_id } = await call(oauth_token, { body });
      return { token: access_token, ...(token_id === undefined ? {} : { token_id }) };
    } catch (error) {
      wait += readDelay(error);
    }
  }
  throw toRefusal('expired_token');
}

const toRefusal = (code: string): Failure => {
  const [message, advice] = refusals[code] ?? [];
  return notSignedIn(message ?? `The sign-in failed (${code}).`, advice);
};

/** Seconds to add to the interval; throws if the sign-in can no longer succeed. */
function readDelay(error: unknown): number {
  // The server may restart while a person looks for their phone.
  if (error instanceof Unreachable || (error instanceof ApiError && error.status >= 500)) return 0;
  if (!(error instanceof ApiError)) throw error;
  if (error.oauthError === 'authorization_pending') return 0;
  if (error.oauthError === 'slow_down' || error.status === 429) return SLOW_DOWN;
  throw error.oauthError !== undefined && refusals[error.oauthError] ? toRefusal(error.oauthError) : error;
}
