import type { OrgCtx, UserActor } from '../../../context.ts';
import { defineScope } from '../../../http/access/scopes.ts';
import { forbidden, notFound } from '../../../kernel/errors.ts';
import { currentOwnerName, findOrgGrant } from './orgs.ts';

declare module '../../../http/access/scopes.ts' {
  interface ScopeContexts {
    org: OrgCtx;
  }
}

/** The organization in the path; visible to its members only. */
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
    forbidden(`This requires the role ${needs} in ${org.name}; you are ${has}.`),
});
