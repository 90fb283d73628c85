import { API_TOKENS_PER_ACCOUNT, type tokenSorts } from '@mooring/contract';
import type { AppActor, AppCtx, Ctx, Deps, LastUseEntry, OrgCtx, UserActor, UserCtx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { toIso } from '../../kernel/clock.ts';
import { sha256 } from '../../kernel/crypto/crypto.ts';
import { badRequest, conflict, forbidden, notFound } from '../../kernel/errors.ts';
import { readArrangement, type Sorts, type UnpagedListInput } from '../../kernel/paging.ts';
import { getAccount, getServiceAccount, lockAccounts, toUser } from '../accounts/index.ts';
import { lockApp } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import {
  countAccountTokens,
  findAppToken,
  findExpiry,
  findTokenMadeBy,
  findTokenUser,
  findUserToken,
  insertToken,
  listAppTokenRows,
  listTokensMadeBy,
  listUserTokenRows,
  touchTokens,
} from './api-tokens.store.ts';
import { findCiActor } from './ci/ci-tokens.ts';
import { mayHoldAppToken, readStoredLimits, revokeTokens, revokeTokensMadeBy } from './revocation.ts';
import {
  compileLimits,
  limitsCodec,
  type RequestedLimits,
  readLimits,
  type StoredLimits,
  scopeToWire,
} from './token-limits.ts';
import { isCiToken, mintToken, type TokenKind } from './token-value.ts';

export interface ApiToken {
  id: string;
  description: string | undefined;
  limits: StoredLimits;
  lastFour: string;
  createdAt: number;
  expiresAt: number | undefined;
  lastUsedAt: number | undefined;
  lastUsedFrom: string | undefined;
  createdBy: { id: string; name: string };
}

export type CreatedToken = Pick<ApiToken, 'id' | 'description' | 'limits' | 'createdAt' | 'expiresAt'> & {
  /** Returned once; only its hash is stored. */
  value: string;
};

export interface NewToken extends RequestedLimits {
  description?: string;
  expiresAt?: number;
}

type TokenRow = Awaited<ReturnType<typeof listUserTokenRows>>[number];

const toToken = (row: TokenRow): ApiToken => ({
  id: row.id,
  description: row.description ?? undefined,
  limits: readStoredLimits(row),
  lastFour: row.last_four,
  createdAt: row.created_at,
  expiresAt: row.expires_at ?? undefined,
  lastUsedAt: row.last_used_at ?? undefined,
  lastUsedFrom: row.last_used_from ?? undefined,
  createdBy: { id: row.created_by, name: row.creator_name },
});

export const createUserToken = async (ctx: UserCtx, input: NewToken): Promise<CreatedToken> =>
  createToken(ctx, { kind: 'user', creatorId: ctx.actor.user.id }, input, await readLimits(ctx, input));

/**
 * Admins of the organization create tokens for its service accounts; the token acts for the service account and counts against
 * its limit.
 */
export async function createServiceAccountToken(ctx: OrgCtx, account: string, input: NewToken): Promise<CreatedToken> {
  const { id } = await getServiceAccount(ctx, account);
  return createToken(ctx, { kind: 'user', creatorId: id, orgId: ctx.org.id }, input, await readLimits(ctx, input));
}

export async function createAppToken(ctx: AppCtx, input: NewToken): Promise<CreatedToken> {
  const creatorId = ctx.actor.kind === 'app' ? ctx.actor.createdBy.id : ctx.actor.user.id;
  if (ctx.actor.kind === 'app' && ctx.actor.ciRuleId !== undefined) {
    throw forbidden("The token of a CI job can't create tokens. Use an API token.");
  }
  if (input.apps) throw badRequest('An app token works for one app anyway. Omit apps.');
  const limits = await readLimits(ctx, input);
  if (limits.permissions && ctx.permission !== 'manager') {
    throw forbidden(
      'Only Managers of the app can create a token with permissions; Developers can create a Read-Only one.',
    );
  }
  return tx(ctx, async (ctx) => {
    // Locked, because a transfer or the removal of the creator revokes existing tokens.
    await lockApp(ctx);
    await lockAccounts(ctx, [creatorId]);
    if (!(await mayHoldAppToken(ctx, { appId: ctx.app.id, userId: creatorId, scope: limits.preset }))) {
      throw forbidden(
        "Can't create the token: the account that would own it has just lost the permission. Ask a manager of the app.",
      );
    }
    return createToken(ctx, { kind: 'app', creatorId, appId: ctx.app.id }, input, limits);
  });
}

/** The token of this request. */
const actingTokenId = ({ actor }: Ctx): string | undefined => {
  if (actor.kind === 'app') return actor.tokenId;
  return actor.kind === 'user' && actor.credential.kind === 'token' ? actor.credential.id : undefined;
};

/** A token created with an expiring token expires with it at the latest. */
async function readExpiry(ctx: Ctx, requested: number | undefined): Promise<number | undefined> {
  const id = actingTokenId(ctx);
  const latest = id === undefined ? undefined : ((await findExpiry.first(ctx.db, { id }))?.expires_at ?? undefined);
  if (latest === undefined) return requested;
  if (requested !== undefined && requested > latest) {
    throw badRequest(
      `expires_at must not be after ${toIso(latest)}, when the token that you use expires. Choose an earlier time, or sign in to create a longer one.`,
    );
  }
  return requested ?? latest;
}

/** The subject of a token: the account that created it, one app, or a service account of an organization. */
interface Holder {
  kind: TokenKind;
  creatorId: string;
  appId?: string;
  orgId?: string;
}

async function createToken(
  ctx: Ctx,
  holder: Holder,
  input: Pick<NewToken, 'description' | 'expiresAt'>,
  limits: StoredLimits,
): Promise<CreatedToken> {
  const { kind, creatorId, appId, orgId } = holder;
  const { description } = input;
  const scope = scopeToWire(limits).join(' ');
  const isLimited = Object.keys(limits).length > 1;
  const createdAt = ctx.clock.now();
  if (input.expiresAt !== undefined && input.expiresAt <= createdAt) {
    throw badRequest('expires_at must be in the future.');
  }
  const expiresAt = await readExpiry(ctx, input.expiresAt);
  const { value, hash, lastFour } = mintToken(kind);
  const id = ctx.newId();
  await tx(ctx, async (ctx) => {
    // Serializes token creation per account, so that the limit holds.
    await lockAccounts(ctx, [creatorId]);
    const has = (await countAccountTokens.first(ctx.db, { userId: creatorId }))?.count ?? 0;
    if (has >= API_TOKENS_PER_ACCOUNT) {
      throw conflict(`This account already has ${API_TOKENS_PER_ACCOUNT} API tokens, the maximum. Delete one first.`);
    }
    await insertToken.run(ctx.db, {
      hash,
      id,
      app_id: appId ?? null,
      created_by: creatorId,
      description: description ?? null,
      scope: isLimited ? 'viewer' : limits.preset,
      limits: isLimited ? limitsCodec.serialize(limits) : null,
      last_four: lastFour,
      created_at: createdAt,
      expires_at: expiresAt ?? null,
    });
    const { apps = [], deployments = [], networks = [] } = limits;
    const after = {
      kind,
      scope,
      last_four: lastFour,
      app_id: appId,
      expires_at: expiresAt && toIso(expiresAt),
      ...(apps.length > 0 ? { apps: apps.map(({ name }) => name).join(' ') } : {}),
      ...(deployments.length > 0 ? { deployments: deployments.join(' ') } : {}),
      ...(networks.length > 0 ? { networks: networks.join(' ') } : {}),
    };
    await record(ctx, 'api_token.create', { kind: 'api_token', id, name: description, appId, orgId }, { after });
  });
  return { id, value, description, limits, createdAt, expiresAt };
}

type TokenSort = (typeof tokenSorts)[number];
const sorts = {
  created_at: 'time',
  description: 'name',
  scope: 'name',
  last_four: 'name',
  created_by: 'name',
  last_used_at: 'time',
  expires_at: 'time',
} satisfies Sorts<TokenSort>;
type TokensInput = UnpagedListInput<TokenSort>;

export const listUserTokens = async (ctx: UserCtx, input: TokensInput): Promise<ApiToken[]> =>
  (await listUserTokenRows(ctx.db, ctx.actor.user.id, readArrangement(input, sorts))).map(toToken);

export async function listServiceAccountTokens(ctx: OrgCtx, account: string, input: TokensInput): Promise<ApiToken[]> {
  const { id } = await getServiceAccount(ctx, account);
  return (await listUserTokenRows(ctx.db, id, readArrangement(input, sorts))).map(toToken);
}

export const listAppTokens = async (ctx: AppCtx, input: TokensInput): Promise<ApiToken[]> =>
  (await listAppTokenRows(ctx.db, ctx.app.id, readArrangement(input, sorts))).map(toToken);

export const deleteUserToken = (ctx: UserCtx, id: string): Promise<void> => revokeUserToken(ctx, ctx.actor.user.id, id);

export async function deleteServiceAccountToken(ctx: OrgCtx, account: string, id: string): Promise<void> {
  const { id: accountId } = await getServiceAccount(ctx, account);
  await revokeUserToken(ctx, accountId, id);
}

const revokeUserToken = (ctx: Ctx, userId: string, id: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const row = await findUserToken.first(ctx.db, { id, userId });
    if (!row) throw notFound('API token', id);
    await revokeTokens(ctx, [row]);
  });

/** Managers delete any token of the app, Developers their own. */
export const deleteAppToken = (ctx: AppCtx, id: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const row = await findAppToken.first(ctx.db, { id, appId: ctx.app.id });
    if (!row) throw notFound('API token', id);
    const isOwn = ctx.actor.kind === 'user' && ctx.actor.user.id === row.created_by;
    if (ctx.permission !== 'manager' && !isOwn) {
      throw forbidden('Only Managers of the app can delete tokens of other users.');
    }
    await revokeTokens(ctx, [row]);
  });

/** A token of an account, as administrators see it. */
export interface AccountToken extends ApiToken {
  /** Owner and name of the app, for an app token. */
  app: string | undefined;
}

/** For administrators, after an account was compromised. */
export async function listAccountTokens(ctx: UserCtx, userId: string, input: TokensInput): Promise<AccountToken[]> {
  await getAccount(ctx, userId);
  const rows = await listTokensMadeBy(ctx.db, userId, readArrangement(input, sorts));
  return rows.map((row) => ({ ...toToken(row), app: row.app_name ? `${row.app_owner}/${row.app_name}` : undefined }));
}

export const deleteAccountToken = (ctx: UserCtx, userId: string, id: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const row = await findTokenMadeBy.first(ctx.db, { id, userId });
    if (!row) throw notFound('API token', id);
    await revokeTokens(ctx, [row]);
  });

export const deleteAccountTokens = (ctx: UserCtx, userId: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    await getAccount(ctx, userId);
    await revokeTokensMadeBy(ctx, userId);
  });

/** Finds the actor of a token and its expiry. A user token ends with the account, an app token does not. */
export async function findTokenActor(
  deps: Deps,
  value: string,
): Promise<{ actor: UserActor | AppActor; expiresAt: number } | undefined> {
  if (isCiToken(value)) return findCiActor(deps, value);
  const row = await findTokenUser.first(deps.db, { hash: sha256(value) });
  if (!row) return undefined;
  const expiresAt = row.expires_at ?? Number.POSITIVE_INFINITY;
  if (expiresAt <= deps.clock.now()) return undefined;
  const stored = readStoredLimits(row);
  if ((stored.not_before ?? 0) > deps.clock.now()) return undefined;
  const withLimits = <A extends UserActor | AppActor>(actor: A): A =>
    row.limits === null ? actor : compileLimits(actor, stored);
  if (row.app_id !== null) {
    const createdBy = { id: row.id, name: row.name };
    const { app_id: appId, token_id: tokenId, scope: tokenScope } = row;
    return { actor: withLimits({ kind: 'app', appId, tokenId, tokenScope, createdBy }), expiresAt };
  }
  if (row.is_disabled) return undefined;
  const credential = { kind: 'token', id: row.token_id } as const;
  return { actor: withLimits({ kind: 'user', user: toUser(row), credential, tokenScope: row.scope }), expiresAt };
}

/** Stores when tokens were last used; the times are collected outside of requests. */
export const writeLastUsed = (deps: Deps, entries: LastUseEntry[]): Promise<void> =>
  tx(deps, async ({ db }) => void (await touchTokens.run(db, { uses: JSON.stringify(entries) })));
