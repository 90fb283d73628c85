import type { Ctx, Deps } from '../../context.ts';
import { defineScope } from '../../http/access/scopes.ts';
import { forbidden } from '../../kernel/errors.ts';
import type { AppRef } from '../apps/index.ts';
import { createProjectMemory } from './project-memory.ts';
import { parseSentryAuth } from './sent-credentials.ts';

/** Context of requests of Sentry SDKs. */
export interface SdkKeyCtx extends Ctx {
  app: AppRef;
  sdk: {
    projectId: number;
    /** The key in the headers or the query. Undefined if only the body can have one. */
    publicKey: string | undefined;
    client: string | undefined;
    /** All keys that the app accepts now. */
    acceptedKeys: readonly string[];
  };
}

declare module '../../http/access/scopes.ts' {
  interface ScopeContexts {
    sdkKey: SdkKeyCtx;
  }
}

const unknownProject = () => forbidden('No app of this server has the project ID in the path. Copy the DSN again.');
const unknownKey = () =>
  forbidden('The key does not exist, is disabled, or belongs to another project. Copy the DSN of the app again.');

/**
 * The app with the project ID in the path and one of its keys. Both are built into installed apps, so they prove nothing beyond
 * the app's identity.
 */
export function sdkKeyScope(deps: Deps) {
  const findProject = createProjectMemory(deps);
  return defineScope({
    name: 'sdkKey',
    actors: ['user', 'app', 'anonymous'],
    params: [
      { in: 'path', name: 'project_id' },
      { in: 'header', name: 'x-sentry-auth' },
      { in: 'header', name: 'authorization' },
      { in: 'query', name: 'sentry_key' },
      { in: 'query', name: 'sentry_client' },
    ],
    find: async (_deps, _actor, [id = '', auth = '', authorization = '', queryKey = '', queryClient = '']) => {
      const project = await findProject(id);
      if (!project) throw unknownProject();
      const header = parseSentryAuth(auth) ?? parseSentryAuth(authorization);
      const publicKey = (header?.publicKey ?? queryKey).toLowerCase() || undefined;
      if (header?.publicKey && queryKey && queryKey.toLowerCase() !== publicKey) {
        throw forbidden('The header X-Sentry-Auth and the query have different keys. Send one of them.');
      }
      if (publicKey !== undefined && !project.keys.includes(publicKey)) throw unknownKey();
      const client = header?.client ?? (queryClient || undefined);
      const sdk = { projectId: project.id, publicKey, client, acceptedKeys: project.keys };
      return { rank: 'sdkKey', context: { app: project.app, sdk } };
    },
    refuse: unknownKey,
  });
}
