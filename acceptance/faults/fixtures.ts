import { setTimeout as sleep } from 'node:timers/promises';
import { adminUsers_update, appApiTokens_create, userApiTokens_create } from '@mooring/contract';
import { examples } from '@mooring/contract/examples';
import { buildFixtures, type FixtureServer, type Fixtures, putId, restoreFixtures } from '@mooring/contract/fixtures';
import type { RunningServer } from '../harness/server.ts';

export interface FaultFixtures extends Fixtures {
  readOnlyToken: string;
  appToken: string;
  /** Restores missing fixtures. */
  repair(): Promise<void>;
}

/** Uses its own address with trusted proxies, because guesses are counted by address. Waits after a 429. */
const fetchWithRetries: FixtureServer['fetch'] = async (input, init) => {
  for (;;) {
    const headers = { ...(init?.headers as object), 'x-forwarded-for': '192.0.2.1' };
    const response = await fetch(input, { ...init, headers });
    const seconds = Number(response.headers.get('retry-after'));
    // Sign-ins wait at most a minute. The fixtures can do without requests that wait longer, such as emails to one
    // recipient.
    if (response.status !== 429 || seconds > 60) return response;
    await sleep(1000 * seconds);
  }
};

/** The test fixtures, and tokens of other kinds; `linkTo` if the server sends email. */
export async function openFixtures(
  { httpUrl }: RunningServer,
  linkTo?: FixtureServer['linkTo'],
): Promise<FaultFixtures> {
  const fixtures = await buildFixtures({
    baseUrl: httpUrl,
    fetch: fetchWithRetries,
    now: Date.now,
    ...(linkTo ? { linkTo } : {}),
  });
  const { ada, grace } = fixtures;
  // The account that restores the fixtures must not be one that random requests change.
  putId(fixtures, adminUsers_update, 'user_id', grace.id);
  const readOnly = await ada.call(userApiTokens_create, { body: { description: 'Fixtures', scope: ['viewer'] } });
  const ofApp = await ada.call(appApiTokens_create, { params: examples.appApiTokens_create.params, body: {} });
  return {
    ...fixtures,
    readOnlyToken: readOnly.api_token,
    appToken: ofApp.api_token,
    repair: () => restoreFixtures(fixtures),
  };
}
