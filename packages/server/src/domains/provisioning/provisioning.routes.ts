import {
  adminOrgDomains_get,
  adminOrgDomains_set,
  orgProvisioning_get,
  orgScimTokens_create,
  orgScimTokens_delete,
  orgScimTokens_list,
} from '@mooring/contract';
import { route } from '../../http/mount.ts';
import { toIso } from '../../kernel/clock.ts';
import { getOrgDomains, getProvisioning, setOrgDomains } from './org-domains.ts';
import { createScimToken, deleteScimToken, listScimTokens } from './tokens/scim-tokens.ts';

export const provisioningRoutes = [
  route(orgProvisioning_get, async (ctx) => {
    const { baseUrl, domains, users, groups } = await getProvisioning(ctx);
    return { base_url: baseUrl, domains, users, groups };
  }),
  route(orgScimTokens_list, async (ctx) =>
    (await listScimTokens(ctx)).map((token) => ({
      id: token.id,
      description: token.description,
      created_at: toIso(token.createdAt),
      last_four: token.lastFour,
      last_used_at: token.lastUsedAt === undefined ? undefined : toIso(token.lastUsedAt),
      created_by: token.createdBy,
    })),
  ),
  route(orgScimTokens_create, async (ctx, { body }) => {
    const { id, description, createdAt, value } = await createScimToken(ctx, body.description);
    return { id, description, created_at: toIso(createdAt), scim_token: value };
  }),
  route(orgScimTokens_delete, (ctx, { params }) => deleteScimToken(ctx, params.scim_token_id)),
  route(adminOrgDomains_get, async (ctx, { params }) => ({ domains: await getOrgDomains(ctx, params.org_name) })),
  route(adminOrgDomains_set, async (ctx, { params, body }) => ({
    domains: await setOrgDomains(ctx, params.org_name, body.domains),
  })),
];
