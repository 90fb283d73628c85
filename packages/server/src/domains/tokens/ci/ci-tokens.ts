import { CI_TOKEN_SECONDS, type TokenPermission } from '@mooring/contract';
import type { AppActor, Ctx, Deps } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { defineSchedule } from '../../../jobs/index.ts';
import { HOUR, MINUTE, SECOND } from '../../../kernel/clock.ts';
import { sha256 } from '../../../kernel/crypto/crypto.ts';
import { countAttempt, networkSubject } from '../../accounts/index.ts';
import { record } from '../../audit/index.ts';
import { compileLimits } from '../token-limits.ts';
import { mintToken } from '../token-value.ts';
import { useOnce } from '../used-proofs.ts';
import {
  countRuleTokens,
  deleteEndedCiTokens,
  findCiToken,
  hasIssuer,
  insertCiToken,
  listMatchable,
  lockRule,
  noteRuleUse,
} from './ci-rules.store.ts';
import { type CiRule, permissionsCodec, type RuleRow, toRule } from './ci-rules.ts';
import { matchesClaims } from './claim-patterns.ts';
import { type ClaimedIdToken, getProof, InvalidIdToken, isSignedByIssuer, readIdToken } from './id-token.ts';
import { getIssuerKeys } from './issuer-keys.ts';

/** A job that starts many others must not fill the table. */
const MAX_TOKENS_OF_RULE = 1000;

export interface CiToken {
  value: string;
  expiresIn: number;
  permissions: readonly TokenPermission[];
}

/** Why an ID token was not exchanged. Strangers learn nothing about the apps and rules of this server. */
export interface CiRefusal {
  error: 'invalid_grant' | 'temporarily_unavailable';
  description: string;
}

const refused: CiRefusal = {
  error: 'invalid_grant',
  description:
    'No CI rule of this app accepts the ID token. Compare the claims of the job with the rules of the app; each ID token works once.',
};

/** The name of the app that a token is requested for. */
export interface NamedApp {
  owner: string;
  name: string;
}

/** The rule with the most permissions; among equal ones, the oldest. */
const pickRule = (rules: readonly CiRule[]): CiRule | undefined =>
  rules.reduce<CiRule | undefined>(
    (best, rule) => (best && best.permissions.length >= rule.permissions.length ? best : rule),
    undefined,
  );

const readText = (value: unknown): string | undefined =>
  ['string', 'number'].includes(typeof value) ? String(value).replace(/\p{C}/gu, '').slice(0, 300) : undefined;

/** Issues a token for the best rule of the app that matches, and records it. Undefined if there is none, or if the ID token was used before. */
async function issue(ctx: Ctx, app: NamedApp, idToken: string, claimed: ClaimedIdToken): Promise<CiToken | CiRefusal> {
  const { issuer, claims } = claimed;
  const keys = { ownerKey: app.owner.toLowerCase(), appKey: app.name.toLowerCase(), issuer };
  const rows = await listMatchable.all(ctx.db, keys);
  const rule = pickRule(rows.map(toRule).filter((each) => matchesClaims(each.claims, claims)));
  const row = rows.find(({ id }) => id === rule?.id);
  if (!rule || !row) return refused;
  return tx(ctx, async (ctx) => {
    // A deletion that comes first has ended the rule.
    if (!(await lockRule.first(ctx.db, { id: rule.id }))) return refused;
    const now = ctx.clock.now();
    if (Number((await countRuleTokens.first(ctx.db, { ruleId: rule.id, now }))?.count) >= MAX_TOKENS_OF_RULE) {
      return { error: 'temporarily_unavailable', description: 'The CI rule has too many tokens. Retry in 15 minutes.' };
    }
    const memory = Math.max(0, (claims.exp ?? 0) * SECOND - now) + 2 * MINUTE;
    if (!(await useOnce(ctx, getProof(idToken, claimed), memory))) return refused;
    const { value, hash } = mintToken('ci');
    const id = ctx.newId();
    await insertCiToken.run(ctx.db, { hash, id, rule_id: rule.id, expires_at: now + CI_TOKEN_SECONDS * SECOND });
    await noteRuleUse.run(ctx.db, { id: rule.id, now });
    await recordUse(
      { ...ctx, actor: toActor({ ...row, id, rule_id: rule.id, creator_id: row.created_by }) },
      row,
      claims,
    );
    return { value, expiresIn: CI_TOKEN_SECONDS, permissions: rule.permissions };
  });
}

function recordUse(ctx: Ctx, row: RuleRow, claims: ClaimedIdToken['claims']): Promise<void> {
  const subject = readText(claims.sub);
  const after = {
    issuer: row.issuer,
    subject,
    run: readText(claims.run_id ?? claims.pipeline_id),
    job: readText(claims.job_id),
  };
  return record(ctx, 'ci_rule.use', { kind: 'ci_rule', id: row.id, name: subject, appId: row.app_id }, { after });
}

async function exchange(ctx: Ctx, app: NamedApp, idToken: string): Promise<CiToken | CiRefusal> {
  const now = ctx.clock.now();
  const claimed = readIdToken(idToken, { audience: ctx.publicUrl(), now });
  // Otherwise strangers could make this server call others.
  if (!(await hasIssuer.first(ctx.db, { issuer: claimed.issuer }))) return refused;
  let isSigned: boolean;
  try {
    isSigned = await isSignedByIssuer(getIssuerKeys(ctx), idToken, claimed, now);
  } catch (error) {
    ctx.log.warn({ issuer: claimed.issuer, error: String(error) }, 'keys of a CI issuer are unavailable');
    return {
      error: 'temporarily_unavailable',
      description: 'The keys of the issuer could not be fetched. Retry later.',
    };
  }
  return isSigned ? issue(ctx, app, idToken, claimed) : refused;
}

/** Exchanges the ID token of a CI job for a token of an app. Only failures count against the network of the caller. */
export async function issueCiToken(ctx: Ctx, app: NamedApp, idToken: string): Promise<CiToken | CiRefusal> {
  const outcome = await exchange(ctx, app, idToken).catch((error: unknown): CiRefusal => {
    if (!(error instanceof InvalidIdToken)) throw error;
    return { error: 'invalid_grant', description: `The ID token is invalid: ${error.message}.` };
  });
  if ('error' in outcome && outcome.error === 'invalid_grant') {
    await tx(ctx, (ctx) => countAttempt(ctx, 'address', networkSubject(ctx, 'ci'), 'refused ID tokens'));
  }
  return outcome;
}

type TokenRow = Pick<
  NonNullable<Awaited<ReturnType<typeof findCiToken.first>>>,
  'id' | 'rule_id' | 'app_id' | 'permissions' | 'creator_id' | 'creator_name'
>;

function toActor(row: TokenRow): AppActor {
  const createdBy = { id: row.creator_id, name: row.creator_name };
  const actor: AppActor = {
    kind: 'app',
    appId: row.app_id,
    tokenId: row.id,
    tokenScope: 'all',
    createdBy,
    ciRuleId: row.rule_id,
  };
  return compileLimits(actor, { preset: 'all', permissions: permissionsCodec.parse(row.permissions) });
}

/** Finds the actor of a token and its expiry. */
export async function findCiActor(
  deps: Deps,
  value: string,
): Promise<{ actor: AppActor; expiresAt: number } | undefined> {
  const row = await findCiToken.first(deps.db, { hash: sha256(value) });
  return row && row.expires_at > deps.clock.now() ? { actor: toActor(row), expiresAt: row.expires_at } : undefined;
}

export const ciTokensSweep = defineSchedule('ci_tokens.sweep', HOUR);

export const sweepCiTokens = (deps: Deps): Promise<void> =>
  tx(deps, async ({ db, clock }) => {
    await deleteEndedCiTokens.run(db, { now: clock.now() });
  });
