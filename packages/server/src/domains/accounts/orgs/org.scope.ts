import type { OrgCtx, UserActor } from '../../../context.ts';
import { defineScope } from '../../../http/scopes.ts';
import { forbidden, notFound } from '../../../kernel/errors.ts';
import { currentOwnerName, findOrgGrant } from './orgs.ts';

declare module '../../../http/scopes.ts' {
  interface ScopeContexts {
    org: OrgCtx;
  }
}

/** The organization in the path, for its members. */
export const orgScope = defineScope({
  name: 'org',
  actors: ['user'],
  params: [{ in: 'path', name: 'org_name' }],
  isHidden: true,
  async find(deps, actor: UserActor, [name = '']) {
    const context = await findOrgGrant(deps, actor, name);
    return context && { rank: context.role, context };
  },
  findRenamed: async (deps, [name = '']) => [await currentOwnerName(deps, name)],
  notFound: ([name]) => notFound('organization', name),
  refuse: ({ needs, has, context: { org } }) =>
    forbidden(`This needs the role ${needs} in ${org.name}; you are ${has}.`),
});
