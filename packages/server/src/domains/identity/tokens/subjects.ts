import type { JWTPayload } from 'jose';
import { type Ctx, type Deps, systemCtx, type User } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { publish } from '../../../jobs/index.ts';
import { notFound } from '../../../kernel/errors.ts';
import { toUser } from '../../accounts/index.ts';
import { record } from '../../audit/index.ts';
import { consentEnded } from '../identity.events.ts';
import { deleteSubjects, findPersonByEmail, findUserBySubject, insertSubject } from './subjects.store.ts';

/** In the place of a client: the provider of MOORING_OIDC_ISSUER, whose tokens rest on a link of its subject to a person. */
export const TRUSTED_ISSUER = 'trusted-issuer';

const disabled = 'The access token is invalid: its user is disabled.';
const unknown =
  'The access token is invalid: no account here belongs to it. An administrator must create one with the e-mail of this person, which the identity provider must have verified.';
const unverified =
  'The access token is invalid: the account with this e-mail was made by somebody who has not shown that the e-mail is theirs. If it is yours, set a new password with a link that is mailed to you, or ask an administrator to confirm your e-mail.';
const taken =
  'The access token is invalid: the account with this e-mail belongs to another person of the identity provider. An administrator can forget who that was.';

/** The e-mail that a provider vouches for, in lower case. */
function emailOf(deps: Deps, claims: JWTPayload): string | undefined {
  const isTrusted = deps.config.oidcTrustEmail;
  const candidates = isTrusted ? [claims.email, claims.upn, claims.preferred_username] : [claims.email];
  if (!isTrusted && claims.email_verified !== true) return undefined;
  const found = candidates.find((text): text is string => typeof text === 'string' && text.includes('@'));
  return found && found.length <= 254 ? found.toLowerCase() : undefined;
}

/**
 * Who a person of the trusted identity provider is here, or why nobody. The first token of a person links their subject
 * to the account with their e-mail; from then on the subject decides, so that a changed or reused e-mail gives nothing.
 */
export async function findSubjectUser(deps: Deps, claims: JWTPayload): Promise<User | string> {
  const { iss: issuer = '', sub: subject = '' } = claims;
  if (subject === '' || subject.length > 255 || subject.includes('\0')) return unknown;
  const linked = await findUserBySubject.first(deps.db, { issuer, subject });
  if (linked) return linked.is_disabled ? disabled : toUser(linked);
  const key = emailOf(deps, claims);
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
  // Another request of the same person may have been quicker.
  const now = await findUserBySubject.first(deps.db, { issuer, subject });
  return now?.id === row.id ? toUser(now) : taken;
}

export const forgetSubject = (ctx: Ctx, userId: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    if ((await deleteSubjects.run(ctx.db, { userId })) === 0) throw notFound('link to the identity provider', userId);
    await publish(ctx, consentEnded, { clientId: TRUSTED_ISSUER, userId });
    await record(ctx, 'oidc_subject.unlink', { kind: 'user', id: userId });
  });
