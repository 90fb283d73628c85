import type { Ctx, Deps } from '../../../context.ts';
import { defineScope } from '../../../http/access/scopes.ts';
import { Failure, forbidden } from '../../../kernel/errors.ts';
import { createSecretMemory, type SecretOwner } from './app-secrets.ts';

/** Context of requests from a device, which identify their app by its secret. */
export interface AppSecretCtx extends Ctx, SecretOwner {}

declare module '../../../http/access/scopes.ts' {
  interface ScopeContexts {
    appSecret: AppSecretCtx;
  }
}

/** Update SDKs check the error code; logging SDKs check the status. */
const unknownSecret = ([, secret = '']: readonly string[]) =>
  secret === ''
    ? forbidden('Unknown app secret in the header App-Secret. Copy the secret from the page of the app.')
    : new Failure(
        'NotFound',
        'No app on this server has this secret. Copy the secret from the page of the app.',
        {},
        'not_found',
      );

/**
 * The app whose secret is in the header or path. The secret is built into installed apps, so it proves nothing beyond the
 * app's identity.
 */
export function appSecretScope(deps: Deps) {
  const findApp = createSecretMemory(deps);
  return defineScope({
    name: 'appSecret',
    actors: ['user', 'app', 'anonymous'],
    params: [
      { in: 'header', name: 'app-secret' },
      { in: 'path', name: 'app_secret' },
    ],
    find: async (_deps, _actor, [sent = '', secret = '']) => {
      const match = await findApp(secret || sent);
      return match && { rank: 'appSecret', context: match };
    },
    notFound: unknownSecret,
    refuse: ({ params }) => unknownSecret(params),
  });
}
