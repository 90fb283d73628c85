import { adminUsers_update, appApiTokens_create, userApiTokens_create } from '@mooring/contract';
import { examples } from '@mooring/contract/examples';
import { buildWorld, mendWorld, putId, type World, type WorldServer } from '@mooring/contract/world';
import type { RunningServer } from '../harness/server.ts';

export interface FaultWorld extends World {
  readOnlyToken: string;
  appToken: string;
  /** Makes whatever of the world is no longer there. */
  mend(): Promise<void>;
}

/** The world of the examples, and tokens of other kinds; `linkTo` where the server sends mail. */
export async function openWorld({ httpUrl }: RunningServer, linkTo?: WorldServer['linkTo']): Promise<FaultWorld> {
  const world = await buildWorld({ baseUrl: httpUrl, fetch, now: Date.now, ...(linkTo ? { linkTo } : {}) });
  const { ada, grace } = world;
  // Whoever is changed at random had better not be the one who mends.
  putId(world, adminUsers_update, 'user_id', grace.id);
  const readOnly = await ada.call(userApiTokens_create, { body: { description: 'world', scope: ['viewer'] } });
  const ofApp = await ada.call(appApiTokens_create, { params: examples.appApiTokens_create.params, body: {} });
  return { ...world, readOnlyToken: readOnly.api_token, appToken: ofApp.api_token, mend: () => mendWorld(world) };
}
