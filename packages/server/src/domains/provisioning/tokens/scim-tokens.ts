import { SCIM_TOKENS_MAX } from '@mooring/contract';
import type { Deps, DirectoryActor, LastUseEntry, OrgCtx } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { sha256 } from '../../../kernel/crypto/crypto.ts';
import { conflict, notFound } from '../../../kernel/errors.ts';
import { record } from '../../audit/index.ts';
import { mintToken } from '../../tokens/index.ts';
import { deleteToken, findTokenOrg, insertToken, listTokens, touchTokens } from './scim-tokens.store.ts';

export interface ScimToken {
  id: string;
  description: string | undefined;
  lastFour: string;
  createdAt: number;
  lastUsedAt: number | undefined;
  createdBy: string | undefined;
}

/** Finds the organization of a token. The token outlives its creator, like a service account. */
export async function findDirectoryActor(
  deps: Pick<Deps, 'db'>,
  value: string,
): Promise<{ actor: DirectoryActor; expiresAt: number } | undefined> {
  const row = await findTokenOrg.first(deps.db, { hash: sha256(value) });
  if (!row) return undefined;
  const actor = { kind: 'directory', orgId: row.org_id, orgName: row.name, tokenId: row.id } as const;
  return { actor, expiresAt: Number.POSITIVE_INFINITY };
}

export const listScimTokens = async (ctx: OrgCtx): Promise<ScimToken[]> =>
  (await listTokens.all(ctx.db, { orgId: ctx.org.id })).map((row) => ({
    id: row.id,
    description: row.description ?? undefined,
    lastFour: row.last_four,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at ?? undefined,
    createdBy: row.creator_name ?? undefined,
  }));

type CreatedToken = Pick<ScimToken, 'id' | 'description' | 'createdAt'> & { value: string };

export async function createScimToken(ctx: OrgCtx, description: string | undefined): Promise<CreatedToken> {
  const { value, hash, lastFour } = mintToken('directory');
  const { id: orgId, name } = ctx.org;
  return tx(ctx, async (ctx) => {
    await lock(ctx, 'limits', `scim tokens ${orgId}`);
    if ((await listTokens.all(ctx.db, { orgId })).length >= SCIM_TOKENS_MAX) {
      throw conflict(`${name} already has ${SCIM_TOKENS_MAX} SCIM tokens. Revoke one first.`);
    }
    const row = {
      id: ctx.newId(),
      hash,
      org_id: orgId,
      description: description || null,
      last_four: lastFour,
      created_by: ctx.actor.user.id,
      created_at: ctx.clock.now(),
      last_used_at: null,
    };
    await insertToken.run(ctx.db, row);
    await record(ctx, 'scim_token.create', tokenSubject(ctx, row), { after: { last_four: row.last_four } });
    return { id: row.id, description: row.description ?? undefined, createdAt: row.created_at, value };
  });
}

const tokenSubject = ({ org }: OrgCtx, { id, description }: { id: string; description: string | null }) =>
  ({ kind: 'scim_token', id, name: description ?? undefined, orgId: org.id }) as const;

export const deleteScimToken = (ctx: OrgCtx, id: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const row = await deleteToken.first(ctx.db, { orgId: ctx.org.id, id });
    if (!row) throw notFound('SCIM token', id);
    const subject = tokenSubject(ctx, { id, description: row.description });
    await record(ctx, 'scim_token.delete', subject, { before: { last_four: row.last_four } });
  });

/** Stores when tokens were last used; the times are collected outside of requests. */
export const writeLastUsed = (deps: Deps, entries: LastUseEntry[]): Promise<void> =>
  tx(deps, async ({ db }) => void (await touchTokens.run(db, { uses: JSON.stringify(entries) })));
