import type { EndpointSpec } from '@mooring/contract';
import { passkeysExamples } from '@mooring/contract/examples';
import type { Fixtures } from '@mooring/contract/fixtures';
import { type Call, password, type TestApp } from '../harness/app.ts';
import { createPasskeyDevice } from '../harness/passkey-device.ts';
import { openCookieBrowser } from '../harness/sign-in-provider.ts';

type Response = Record<string, unknown>;

/** Puts the values that an authenticator returned into the place of those of an example. */
function putCredential(
  { ids }: Fixtures,
  example: { id: string; response: Response },
  made: { id: string; response: Response },
): void {
  ids.set(example.id, made.id);
  for (const [name, value] of Object.entries(example.response)) ids.set(String(value), String(made.response[name]));
}

/** Prepares an example about passkeys, and returns the browser that sends it; undefined for other examples. */
export async function preparePasskey(
  { id }: EndpointSpec,
  app: TestApp,
  fixtures: Fixtures,
): Promise<Call | undefined> {
  if (!/^(passkeys_(create|update|delete)|passkeySignIn_complete)$/.test(id)) return undefined;
  const browser = openCookieBrowser(app);
  const post = async (path: string, body: object = {}) => (await browser.send('POST', `/v0.1/${path}`, body)).json();
  await post('sessions', { login: 'ada', password });
  const { options } = await post('user/passkeys/options');
  const device = createPasskeyDevice();
  const made = device.create(options);
  putCredential(fixtures, passkeysExamples.passkeys_create.body.credential, made);
  if (id !== 'passkeys_create') await post('user/passkeys', { name: 'Key', credential: made });
  if (id === 'passkeySignIn_complete') {
    const started = (await post('sign_in/passkey/options')).options;
    putCredential(fixtures, passkeysExamples.passkeySignIn_complete.body.credential, device.get(started));
  }
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return { headers: { cookie, 'sec-fetch-site': 'same-origin' } };
}
