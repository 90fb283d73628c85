import type { Ctx, DirectoryActor } from '../../context.ts';
import { defineScope } from '../../http/access/scopes.ts';
import { forbidden, unauthorized } from '../../kernel/errors.ts';
import { currentOwnerName, findOwner } from '../accounts/index.ts';

/** Context of requests of the directory of an organization. */
export interface DirectoryCtx extends Ctx {
  actor: DirectoryActor;
  org: { id: string; name: string; displayName: string };
}

declare module '../../http/access/scopes.ts' {
  interface ScopeContexts {
    directory: DirectoryCtx;
  }
}

/** The organization in the path, for its SCIM tokens. A previous name still works, so that a rename breaks nothing. */
export const directoryScope = defineScope({
  name: 'directory',
  actors: ['directory'],
  params: [{ in: 'path', name: 'org_name' }],
  async find(deps, { orgId, orgName }: DirectoryActor, [name = '']) {
    const owner = (await findOwner(deps, name)) ?? (await findOwner(deps, await currentOwnerName(deps, name)));
    if (owner?.id !== orgId) return undefined;
    return { rank: 'directory', context: { org: { id: orgId, name: orgName, displayName: orgName } } };
  },
  notFound: unauthorized,
  refuse: () => forbidden('This operation is for the directory of the organization.'),
});
