import type { Ctx, Deps } from '../../context.ts';
import { defineScope } from '../../http/scopes.ts';
import { Failure, forbidden } from '../../kernel/errors.ts';
import { type AppOfSecret, createSecretMemory } from './app-secrets.ts';

/** What a device tells, or asks, of the app that it runs. */
export interface AppSecretCtx extends Ctx, AppOfSecret {}

declare module '../../http/scopes.ts' {
  interface ScopeContexts {
    appSecret: AppSecretCtx;
  }
}

/** SDKs that ask for updates look for the code; those that send logs for the status. */
const unknownSecret = ([, asked = '']: readonly string[]) =>
  asked === ''
    ? forbidden('No app of this server has the secret in the header App-Secret. It is shown on the page of the app.')
    : new Failure('NotFound', 'No app of this server has this secret.', {}, 'not_found');

/** The app whose secret is in the header, or in the path; it is built into what its users have installed, so it proves nothing else. */
export function appSecretScope(deps: Deps) {
  const findApp = createSecretMemory(deps);
  return defineScope({
    name: 'appSecret',
    actors: ['user', 'app', 'anonymous'],
    params: [
      { in: 'header', name: 'app-secret' },
      { in: 'path', name: 'app_secret' },
    ],
    find: async (_deps, _actor, [sent = '', asked = '']) => {
      const found = await findApp(asked || sent);
      return found && { rank: 'appSecret', context: found };
    },
    notFound: unknownSecret,
    refuse: ({ params }) => unknownSecret(params),
  });
}
