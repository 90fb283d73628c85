import type { AppActor, AppCtx, UserActor } from '../../context.ts';
import { defineScope } from '../../http/access/scopes.ts';
import { forbidden, notFound } from '../../kernel/errors.ts';
import { currentOwnerName } from '../accounts/index.ts';
import { findAppGrant } from './apps.ts';

declare module '../../http/access/scopes.ts' {
  interface ScopeContexts {
    app: AppCtx;
  }
}

/** The app in the path, for its users, admins of its organization, and its own tokens. */
export const appScope = defineScope({
  name: 'app',
  actors: ['user', 'app'],
  params: [
    { in: 'path', name: 'owner_name' },
    { in: 'path', name: 'app_name' },
  ],
  isHidden: true,
  async find(deps, actor: UserActor | AppActor, [owner = '', name = '']) {
    const context = await findAppGrant(deps, actor, owner, name);
    return context && { rank: context.permission, context };
  },
  findRenamed: async (deps, [owner = '', name = '']) => [await currentOwnerName(deps, owner), name],
  notFound: (params) => notFound('app', params.join('/')),
  refuse: ({ needs, has, params }) =>
    forbidden(`This requires ${needs} permission on ${params.join('/')}; you have ${has}.`),
});
