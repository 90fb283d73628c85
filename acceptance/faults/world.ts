import { setTimeout as sleep } from 'node:timers/promises';
import { adminUsers_update, appApiTokens_create, userApiTokens_create } from '@mooring/contract';
import { examples } from '@mooring/contract/examples';
import { buildWorld, mendWorld, putId, type World, type WorldServer } from '@mooring/contract/world';
import type { RunningServer } from '../harness/server.ts';

export interface FaultWorld extends World {
  readOnlyToken: string;
  appToken: string;
  /** Makes whatever of the world is no longer there. */
  repair(): Promise<void>;
}

/** From an address of its own, where proxies are trusted: guesses are counted by address. Told to wait, it waits. */
const patientFetch: WorldServer['fetch'] = async (input, init) => {
  for (;;) {
    const headers = { ...(init?.headers as object), 'x-forwarded-for': '192.0.2.1' };
    const response = await fetch(input, { ...init, headers });
    const seconds = Number(response.headers.get('retry-after'));
    // Sign-ins wait a minute at most; what waits longer, such as mail to one recipient, the world can do without.
    if (response.status !== 429 || seconds > 60) return response;
    await sleep(1000 * seconds);
  }
};

/** The world of the examples, and tokens of other kinds; `linkTo` where the server sends mail. */
export async function openWorld({ httpUrl }: RunningServer, linkTo?: WorldServer['linkTo']): Promise<FaultWorld> {
  const world = await buildWorld({
    baseUrl: httpUrl,
    fetch: patientFetch,
    now: Date.now,
    ...(linkTo ? { linkTo } : {}),
  });
  const { ada, grace } = world;
  // The account that repairs the world must not be one that requests change at random.
  putId(world, adminUsers_update, 'user_id', grace.id);
  const readOnly = await ada.call(userApiTokens_create, { body: { description: 'world', scope: ['viewer'] } });
  const ofApp = await ada.call(appApiTokens_create, { params: examples.appApiTokens_create.params, body: {} });
  return { ...world, readOnlyToken: readOnly.api_token, appToken: ofApp.api_token, repair: () => mendWorld(world) };
}
