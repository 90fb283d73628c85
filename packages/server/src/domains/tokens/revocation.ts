import { type AppPermission, atLeast, type TokenScope } from '@mooring/contract';
import type { Ctx } from '../../context.ts';
import { lockAccounts } from '../accounts/index.ts';
import { findUserPermission } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { deleteToken, listAppTokens, listAppTokensMadeBy, listTokensMadeBy } from './revocation.store.ts';
import { limitsCodec, type StoredLimits, scopeToWire } from './token-limits.ts';

/** Fields of a revoked API token for the audit log. */
export interface RevokedToken {
  id: string;
  description: string | null;
  scope: TokenScope;
  limits: string | null;
  last_four: string;
  creator_name: string;
  /** Set for an app token. */
  app_id: string | null;
  /** The organization, if the token belongs to a service account. */
  service_org_id: string | null;
}

/** Revokes tokens, with an audit entry for each. */
export async function revokeTokens(ctx: Ctx, tokens: readonly RevokedToken[]): Promise<void> {
  for (const token of tokens) {
    if (!(await deleteToken.first(ctx.db, { id: token.id }))) continue;
    const where = { appId: token.app_id ?? undefined, orgId: (!token.app_id && token.service_org_id) || undefined };
    const subject = { kind: 'api_token', id: token.id, name: token.description ?? undefined, ...where } as const;
    const before = { scope: describeScope(token), last_four: token.last_four, created_by: token.creator_name };
    await record(ctx, 'api_token.delete', subject, { before });
  }
}

/** Revokes the tokens of an account and, optionally, those that it created for apps. */
export async function revokeTokensMadeBy(ctx: Ctx, userId: string, { includesAppTokens = true } = {}): Promise<void> {
  const tokens = await listTokensMadeBy.all(ctx.db, { userId });
  await revokeTokens(
    ctx,
    tokens.filter(({ app_id }) => includesAppTokens || app_id === null),
  );
}

export const revokeAppTokens = async (ctx: Ctx, appId: string): Promise<void> =>
  revokeTokens(ctx, await listAppTokens.all(ctx.db, { appId }));

/** The scope of a token, also of one with limits. */
export const readStoredLimits = ({ scope, limits }: { scope: TokenScope; limits: string | null }): StoredLimits =>
  limits === null ? { preset: scope } : limitsCodec.parse(limits);

const describeScope = (token: { scope: TokenScope; limits: string | null }): string =>
  scopeToWire(readStoredLimits(token)).join(' ');

/** A limited app token may act as Manager in some areas. */
const neededScope = (token: { scope: TokenScope; limits: string | null }): TokenScope => readStoredLimits(token).preset;

/** Permission on the app that creating an app token with this scope requires. */
const neededFor: Record<TokenScope, AppPermission> = { all: 'manager', viewer: 'developer' };

/** An app token is valid only while its creator could create it again. */
export async function mayHoldAppToken(
  ctx: Pick<Ctx, 'db'>,
  { appId, userId, scope }: { appId: string; userId: string; scope: TokenScope },
): Promise<boolean> {
  const permission = await findUserPermission(ctx, appId, userId);
  return permission !== undefined && atLeast(permission, neededFor[scope]);
}

/** Revokes app tokens that these accounts could no longer create. */
export async function revokeUnentitledTokens(
  ctx: Ctx,
  { userIds, appId }: { userIds: readonly string[]; appId?: string },
): Promise<void> {
  const creators = { userIds: JSON.stringify(userIds) };
  // Waits for accounts that are creating a token, which lock their row.
  await lockAccounts(ctx, userIds);
  const unentitled: RevokedToken[] = [];
  for (const token of await listAppTokensMadeBy.all(ctx.db, creators)) {
    const { app_id, created_by: userId } = token;
    const scope = neededScope(token);
    if (app_id === null || (appId !== undefined && app_id !== appId)) continue;
    if (!(await mayHoldAppToken(ctx, { appId: app_id, userId, scope }))) unentitled.push(token);
  }
  await revokeTokens(ctx, unentitled);
}
