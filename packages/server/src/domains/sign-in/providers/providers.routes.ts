import {
  adminIdentityProviders_create,
  adminIdentityProviders_delete,
  adminIdentityProviders_list,
  adminIdentityProviders_update,
  type EndpointInput,
  signInProviders_list,
} from '@mooring/contract';
import type { Deps } from '../../../context.ts';
import { route } from '../../../http/mount.ts';
import { toIso } from '../../../kernel/clock.ts';
import {
  createProvider,
  deleteProvider,
  type IdentityProvider,
  listProviders,
  redirectUri,
  startPath,
  updateProvider,
} from './providers.ts';

const toWire = (deps: Deps, provider: IdentityProvider) => ({
  name: provider.name,
  display_name: provider.displayName,
  issuer: provider.issuer,
  client_id: provider.clientId,
  scopes: provider.scopes,
  allowed_domains: provider.allowedDomains,
  creates_accounts: provider.createsAccounts,
  trusts_email: provider.trustsEmail,
  groups_claim: provider.groupsClaim,
  signs_out: provider.signsOut,
  is_enabled: provider.isEnabled,
  has_client_secret: provider.clientSecret !== undefined,
  redirect_uri: redirectUri(deps, provider),
  is_from_settings: provider.isFromSettings,
  created_at: provider.createdAt === undefined ? undefined : toIso(provider.createdAt),
});

const fromWire = (body: EndpointInput<typeof adminIdentityProviders_update>['body']) => ({
  displayName: body.display_name,
  issuer: body.issuer,
  clientId: body.client_id,
  clientSecret: body.client_secret,
  scopes: body.scopes,
  allowedDomains: body.allowed_domains,
  createsAccounts: body.creates_accounts,
  trustsEmail: body.trusts_email,
  groupsClaim: body.groups_claim,
  signsOut: body.signs_out,
  isEnabled: body.is_enabled,
});

export const providerRoutes = [
  route(signInProviders_list, async (ctx) =>
    (await listProviders(ctx))
      .filter(({ isEnabled }) => isEnabled)
      .map((provider) => ({
        name: provider.name,
        display_name: provider.displayName,
        url: startPath(provider),
      })),
  ),
  route(adminIdentityProviders_list, async (ctx) => {
    const providers = await listProviders(ctx);
    return providers.map((provider) => toWire(ctx, provider));
  }),
  route(adminIdentityProviders_create, async (ctx, { body }) => {
    const { name, display_name: displayName, issuer, client_id: clientId } = body;
    return toWire(ctx, await createProvider(ctx, { ...fromWire(body), name, displayName, issuer, clientId }));
  }),
  route(adminIdentityProviders_update, async (ctx, { params, body }) =>
    toWire(ctx, await updateProvider(ctx, params.provider_name, fromWire(body))),
  ),
  route(adminIdentityProviders_delete, (ctx, { params }) => deleteProvider(ctx, params.provider_name)),
];
