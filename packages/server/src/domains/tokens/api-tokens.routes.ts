import {
  adminUserTokens_delete,
  adminUserTokens_deleteAll,
  adminUserTokens_list,
  appApiTokens_create,
  appApiTokens_delete,
  appApiTokens_list,
  type EndpointInput,
  serviceAccountTokens_create,
  serviceAccountTokens_delete,
  serviceAccountTokens_list,
  userApiTokens_create,
  userApiTokens_delete,
  userApiTokens_list,
} from '@mooring/contract';
import { route } from '../../http/mount.ts';
import { toIso } from '../../kernel/clock.ts';
import {
  type ApiToken,
  type CreatedToken,
  createAppToken,
  createServiceAccountToken,
  createUserToken,
  deleteAccountToken,
  deleteAccountTokens,
  deleteAppToken,
  deleteServiceAccountToken,
  deleteUserToken,
  listAccountTokens,
  listAppTokens,
  listServiceAccountTokens,
  listUserTokens,
  type NewToken,
} from './api-tokens.ts';
import { limitsToWire, scopeToWire } from './token-limits.ts';

const isoOrAbsent = (time: number | undefined) => (time === undefined ? undefined : toIso(time));

const toWire = (token: ApiToken) => ({
  id: token.id,
  description: token.description,
  scope: scopeToWire(token.limits),
  ...limitsToWire(token.limits),
  created_at: toIso(token.createdAt),
  expires_at: isoOrAbsent(token.expiresAt),
  last_used_at: isoOrAbsent(token.lastUsedAt),
  last_used_from: token.lastUsedFrom,
  last_four: token.lastFour,
  created_by: token.createdBy.name,
});

const createdToWire = (token: CreatedToken) => ({
  id: token.id,
  api_token: token.value,
  description: token.description,
  scope: scopeToWire(token.limits),
  ...limitsToWire(token.limits),
  created_at: toIso(token.createdAt),
  expires_at: isoOrAbsent(token.expiresAt),
});

const fromWire = ({ not_before, ...body }: EndpointInput<typeof userApiTokens_create>['body']): NewToken => ({
  description: body.description,
  scope: body.scope,
  apps: body.apps,
  deployments: body.deployments,
  networks: body.networks,
  notBefore: not_before === undefined ? undefined : Date.parse(not_before),
  expiresAt: body.expires_at === undefined ? undefined : Date.parse(body.expires_at),
});

export const apiTokenRoutes = [
  route(userApiTokens_list, async (ctx, { query }) => (await listUserTokens(ctx, query)).map(toWire)),
  route(userApiTokens_create, async (ctx, { body }) => createdToWire(await createUserToken(ctx, fromWire(body)))),
  route(userApiTokens_delete, (ctx, { params }) => deleteUserToken(ctx, params.api_token_id)),
  route(serviceAccountTokens_list, async (ctx, { params, query }) =>
    (await listServiceAccountTokens(ctx, params.account_name, query)).map(toWire),
  ),
  route(serviceAccountTokens_create, async (ctx, { params, body }) =>
    createdToWire(await createServiceAccountToken(ctx, params.account_name, fromWire(body))),
  ),
  route(serviceAccountTokens_delete, (ctx, { params }) =>
    deleteServiceAccountToken(ctx, params.account_name, params.api_token_id),
  ),
  route(appApiTokens_list, async (ctx, { query }) => (await listAppTokens(ctx, query)).map(toWire)),
  route(appApiTokens_create, async (ctx, { body }) => createdToWire(await createAppToken(ctx, fromWire(body)))),
  route(appApiTokens_delete, (ctx, { params }) => deleteAppToken(ctx, params.api_token_id)),
  route(adminUserTokens_list, async (ctx, { params, query }) =>
    (await listAccountTokens(ctx, params.user_id, query)).map((token) => ({ ...toWire(token), app: token.app })),
  ),
  route(adminUserTokens_delete, (ctx, { params }) => deleteAccountToken(ctx, params.user_id, params.api_token_id)),
  route(adminUserTokens_deleteAll, (ctx, { params }) => deleteAccountTokens(ctx, params.user_id)),
];
