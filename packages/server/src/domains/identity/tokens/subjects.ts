import type { JWTPayload } from 'jose';
import { type Ctx, type Deps, systemCtx, type User } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { publish } from '../../../jobs/index.ts';
import { notFound } from '../../../kernel/errors.ts';
import { toUser } from '../../accounts/index.ts';
import { record } from '../../audit/index.ts';
import { consentEnded } from '../identity.events.ts';
import { deleteSubjects, findPersonByEmail, findUserBySubject, insertSubject } from './subjects.store.ts';

/**
 * Client ID for the provider of MOORING_OIDC_ISSUER, whose tokens depend on the link between its subject and a user.
 */
export const TRUSTED_ISSUER = 'trusted-issuer';

const disabled = 'The access token is invalid: its user is disabled.';
const unknown =
  'The access token is invalid: no account on this server matches it. An administrator must create one with the email address of this user, and the identity provider must have verified that address.';
const unverified =
  'The access token is invalid: the account with this email address has not confirmed it. If the account is yours, reset its password by email, or ask an administrator to confirm the address.';
const taken =
  'The access token is invalid: the account with this email address is linked to another user of the identity provider. An administrator can remove that link.';

/** Returns the email address that the provider has verified, in lower case. */
function findTrustedEmail(deps: Deps, claims: JWTPayload): string | undefined {
  const isTrusted = deps.config.oidcTrustEmail;
  const candidates = isTrusted ? [claims.email, claims.upn, claims.preferred_username] : [claims.email];
  if (!isTrusted && claims.email_verified !== true) return undefined;
  const match = candidates.find((text): text is string => typeof text === 'string' && text.includes('@'));
  return match && match.length <= 254 ? match.toLowerCase() : undefined;
}

/**
 * Finds the user for a token of the trusted identity provider, or the reason why there is none. The first token links the
 * subject to the account with the same email address; afterwards only the subject counts, so that a changed or reused email
 * address gains no access.
 */
export async function findSubjectUser(deps: Deps, claims: JWTPayload): Promise<User | string> {
  const { iss: issuer = '', sub: subject = '' } = claims;
  if (subject === '' || subject.length > 255 || subject.includes('\0')) return unknown;
  const linked = await findUserBySubject.first(deps.db, { issuer, subject });
  if (linked) return linked.is_disabled ? disabled : toUser(linked);
  const key = findTrustedEmail(deps, claims);
  if (key === undefined || key.includes('\0')) return unknown;
  const row = await findPersonByEmail.first(deps.db, { key });
  if (!row) return unknown;
  if (row.is_disabled) return disabled;
  if (!row.is_email_verified) return unverified;
  const isLinked = await tx(systemCtx(deps), async (ctx) => {
    const link = { issuer, subject, user_id: row.id, linked_at: ctx.clock.now() };
    if (!(await insertSubject.first(ctx.db, link))) return false;
    const after = { issuer, subject };
    await record(ctx, 'oidc_subject.link', { kind: 'user', id: row.id, name: row.name }, { after });
    return true;
  });
  if (isLinked) return toUser(row);
  // A concurrent request of the same user may have created the link.
  const now = await findUserBySubject.first(deps.db, { issuer, subject });
  return now?.id === row.id ? toUser(now) : taken;
}

export const unlinkSubject = (ctx: Ctx, userId: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    if ((await deleteSubjects.run(ctx.db, { userId })) === 0) throw notFound('link to the identity provider', userId);
    await publish(ctx, consentEnded, { clientId: TRUSTED_ISSUER, userId });
    await record(ctx, 'oidc_subject.unlink', { kind: 'user', id: userId });
  });
