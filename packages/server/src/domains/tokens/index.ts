import { defineDomain } from '../../domain.ts';
import { appOverviews } from '../../extensions/app-overviews.ts';
import { apiTokenRoutes } from './api-tokens.routes.ts';
import { findTokenActor, writeLastUsed } from './api-tokens.ts';
import { ciRuleRoutes } from './ci/ci-rules.routes.ts';
import { tokenOverview } from './token-overview.ts';
import { isDirectoryToken, isToken, mintToken } from './token-value.ts';
import { tokenEvents } from './tokens.events.ts';
import { tokenJobs } from './tokens.jobs.ts';
import { tokenListeners } from './tokens.listeners.ts';
import { tokensTables } from './tokens.tables.ts';

export { createUserToken } from './api-tokens.ts';
export { issueCiToken } from './ci/ci-tokens.ts';
export { tokenExpiring } from './tokens.events.ts';
export { useOnce } from './used-proofs.ts';
export { isDirectoryToken, mintToken };

export const tokens = defineDomain({
  tables: tokensTables,
  events: tokenEvents,
  jobs: tokenJobs,
  routes: [...apiTokenRoutes, ...ciRuleRoutes],
  extensions: [appOverviews.add(tokenOverview)],
  listeners: tokenListeners,
  credentials: (deps) => [
    {
      name: 'token',
      sent: 'token',
      fits: isToken,
      find: (value) => findTokenActor(deps, value),
      writeLastUse: (entries) => writeLastUsed(deps, entries),
    },
  ],
});
