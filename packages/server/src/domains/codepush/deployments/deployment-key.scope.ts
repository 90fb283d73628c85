import type { Ctx } from '../../../context.ts';
import { defineScope } from '../../../http/access/scopes.ts';
import { unknownKey } from './deployment-keys.ts';

declare module '../../../http/access/scopes.ts' {
  interface ScopeContexts {
    deploymentKey: Ctx;
  }
}

const nothing = {};

/**
 * Requests with the deployment key of an app, in the query or body. Anyone can extract the key from the app, so it
 * authorizes nothing; handlers look up the deployment.
 */
export const deploymentKeyScope = defineScope({
  name: 'deploymentKey',
  actors: ['user', 'app', 'anonymous'],
  find: () => ({ rank: 'deploymentKey', context: nothing }),
  refuse: unknownKey,
});
