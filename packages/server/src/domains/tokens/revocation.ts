import { type AppPermission, atLeast, type TokenScope } from '@mooring/contract';
import type { Ctx } from '../../context.ts';
import { findUserPermission } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import {
  deleteToken,
  listAppTokensMadeBy,
  listTokensMadeBy,
  listTokensOfApp,
  lockCreators,
} from './revocation.store.ts';

/** What the audit log keeps of an API token that is gone. */
export interface RevokedToken {
  id: string;
  description: string | null;
  scope: string;
  last_four: string;
  creator_name: string;
  /** Of an app token. */
  app_id: string | null;
  /** The organization of the service account whose token it is. */
  service_org_id: string | null;
}

/** Revokes each with an entry of its own. */
export async function revokeTokens(ctx: Ctx, tokens: readonly RevokedToken[]): Promise<void> {
  for (const token of tokens) {
    if (!(await deleteToken.first(ctx.db, { id: token.id }))) continue;
    const where = { appId: token.app_id ?? undefined, orgId: (!token.app_id && token.service_org_id) || undefined };
    const subject = { kind: 'api_token', id: token.id, name: token.description ?? undefined, ...where } as const;
    const before = { scope: token.scope, last_four: token.last_four, created_by: token.creator_name };
    await record(ctx, 'api_token.delete', subject, { before });
  }
}

/** Those that act for an account and, if said so, those that it made for apps. */
export async function revokeTokensMadeBy(ctx: Ctx, userId: string, { alsoOfApps = true } = {}): Promise<void> {
  const tokens = await listTokensMadeBy.all(ctx.db, { userId });
  await revokeTokens(
    ctx,
    tokens.filter(({ app_id }) => alsoOfApps || app_id === null),
  );
}

export const revokeTokensOfApp = async (ctx: Ctx, appId: string): Promise<void> =>
  revokeTokens(ctx, await listTokensOfApp.all(ctx.db, { appId }));

/** Creating an app token of a scope needs this permission on the app. */
const neededFor: Record<TokenScope, AppPermission> = { all: 'manager', viewer: 'developer' };

/** An app token lasts only as long as its creator could create it again. */
export async function mayHoldAppToken(
  ctx: Pick<Ctx, 'db'>,
  { appId, userId, scope }: { appId: string; userId: string; scope: TokenScope },
): Promise<boolean> {
  const permission = await findUserPermission(ctx, appId, userId);
  return permission !== undefined && atLeast(permission, neededFor[scope]);
}

/** Revokes the app tokens that these accounts could no longer create. */
export async function revokeUnentitledTokens(
  ctx: Ctx,
  { userIds, appId }: { userIds: readonly string[]; appId?: string },
): Promise<void> {
  const creators = { userIds: JSON.stringify(userIds) };
  await lockCreators.all(ctx.db, creators);
  const unentitled: RevokedToken[] = [];
  for (const token of await listAppTokensMadeBy.all(ctx.db, creators)) {
    const { app_id, created_by: userId, scope } = token;
    if (app_id === null || (appId !== undefined && app_id !== appId)) continue;
    if (!(await mayHoldAppToken(ctx, { appId: app_id, userId, scope }))) unentitled.push(token);
  }
  await revokeTokens(ctx, unentitled);
}
