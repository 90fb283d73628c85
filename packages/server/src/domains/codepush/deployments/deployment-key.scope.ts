import type { Ctx } from '../../../context.ts';
import { defineScope } from '../../../http/scopes.ts';
import { unknownKey } from './deployment-keys.ts';

declare module '../../../http/scopes.ts' {
  interface ScopeContexts {
    deploymentKey: Ctx;
  }
}

const nothing = {};

/**
 * What a device asks or tells by the key that is built into its app, in the query or in the body. Anybody can read it out of
 * the app, so it lets nobody in: whoever answers looks the deployment up.
 */
export const deploymentKeyScope = defineScope({
  name: 'deploymentKey',
  actors: ['user', 'app', 'anonymous'],
  find: () => ({ rank: 'deploymentKey', context: nothing }),
  refuse: unknownKey,
});
