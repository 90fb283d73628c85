import {
  CI_RULES_MAX,
  type CiProvider,
  ciIssuers,
  ciProviders,
  identifyingClaims,
  type TokenPermission,
} from '@mooring/contract';
import Type from 'typebox';
import type { AppCtx, Ctx, UserCtx } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { badRequest, conflict, forbidden, notFound } from '../../../kernel/errors.ts';
import { jsonCodec, StringList, StringRecord } from '../../../kernel/text/json-codec.ts';
import { issuerProblem } from '../../../outbound/issuer-url.ts';
import { lockAccounts } from '../../accounts/index.ts';
import { lockApp } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import { mayHoldAppToken } from '../revocation.ts';
import { countAppRules, deleteRule, findAppRule, insertRule, listAppRules, listRulesMadeBy } from './ci-rules.store.ts';
import { namesOwner } from './claim-patterns.ts';

export interface CiRule {
  id: string;
  provider: CiProvider;
  issuer: string;
  claims: Record<string, string>;
  permissions: TokenPermission[];
  createdBy: { id: string; name: string };
  createdAt: number;
  lastUsedAt: number | undefined;
}

export type NewCiRule = Pick<CiRule, 'provider' | 'claims' | 'permissions'> & { issuer?: string };

const claimsCodec = jsonCodec('ci_rules.claims', StringRecord);
export const permissionsCodec = jsonCodec('ci_rules.permissions', Type.Unsafe<TokenPermission[]>(StringList));

export type RuleRow = Awaited<ReturnType<typeof listAppRules.all>>[number];

export const toRule = (row: RuleRow): CiRule => ({
  id: row.id,
  provider: row.provider,
  issuer: row.issuer,
  claims: claimsCodec.parse(row.claims),
  permissions: permissionsCodec.parse(row.permissions),
  createdBy: { id: row.created_by, name: row.creator_name },
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at ?? undefined,
});

export const listCiRules = async ({ db, app }: AppCtx): Promise<CiRule[]> =>
  (await listAppRules.all(db, { appId: app.id })).map(toRule);

const describeClaims = (claims: Readonly<Record<string, string>>): string =>
  Object.entries(claims)
    .map(([name, pattern]) => `${name}=${pattern}`)
    .join(' ');

const describeRule = ({ issuer, claims, permissions }: Pick<CiRule, 'issuer' | 'claims' | 'permissions'>) => ({
  issuer,
  claims: describeClaims(claims),
  permissions: permissions.join(' '),
});

/** Both sides write the issuer the same way: tokens are compared with it as text. */
function readIssuer(ctx: Ctx, { provider, issuer = ciIssuers[provider] }: NewCiRule): string {
  const problem = issuerProblem(issuer, ctx.config.outboundAllow);
  if (problem) throw badRequest(`issuer ${problem}`);
  const other = ciProviders.find((each) => each !== provider && ciIssuers[each] === issuer.replace(/\/$/, ''));
  if (other) throw badRequest(`The issuer ${issuer} is that of ${other}. Send "provider": "${other}".`);
  return issuer;
}

export async function createCiRule(ctx: AppCtx & UserCtx, input: NewCiRule): Promise<CiRule> {
  const { provider, claims } = input;
  const issuer = readIssuer(ctx, input);
  if (!namesOwner(provider, claims)) {
    throw badRequest(
      `claims must contain ${identifyingClaims[provider].join(', ')} with a full owner, such as "${provider === 'github' ? 'repository": "octo/compass' : 'project_path": "octo/compass'}". Otherwise the rule would match projects of anyone.`,
    );
  }
  const { user } = ctx.actor;
  const permissions = [...new Set(input.permissions)].sort();
  return tx(ctx, async (ctx) => {
    // Locked, because a transfer or the removal of the creator ends existing rules.
    await lockApp(ctx);
    await lockAccounts(ctx, [user.id]);
    if (!(await mayHoldAppToken(ctx, { appId: ctx.app.id, userId: user.id, scope: 'all' }))) {
      throw forbidden(
        "Can't create the rule: you no longer manage this app, or only as an administrator of the server.",
      );
    }
    await lock(ctx, 'limits', `ci_rules ${ctx.app.id}`);
    if (Number((await countAppRules.first(ctx.db, { appId: ctx.app.id }))?.count) >= CI_RULES_MAX) {
      throw conflict(
        `This app already has ${CI_RULES_MAX} CI rules. Delete one, or use a pattern for several repositories.`,
      );
    }
    const id = ctx.newId();
    const createdAt = ctx.clock.now();
    await insertRule.run(ctx.db, {
      id,
      app_id: ctx.app.id,
      provider,
      issuer,
      claims: JSON.stringify(claims),
      permissions: JSON.stringify(permissions),
      created_by: user.id,
      created_at: createdAt,
      last_used_at: null,
    });
    const rule = { id, provider, issuer, claims, permissions, createdAt, lastUsedAt: undefined };
    await record(ctx, 'ci_rule.create', toSubject({ id, app_id: ctx.app.id, claims }), { after: describeRule(rule) });
    return { ...rule, createdBy: { id: user.id, name: user.name } };
  });
}

const toSubject = ({ id, app_id, claims }: { id: string; app_id: string; claims: Record<string, string> }) =>
  ({ kind: 'ci_rule', id, name: describeClaims(claims).slice(0, 200), appId: app_id }) as const;

/** Deletes rules with their tokens, with an audit entry for each rule. */
async function endRules(ctx: Ctx, rows: readonly RuleRow[]): Promise<void> {
  for (const row of rows) {
    if (!(await deleteRule.first(ctx.db, { id: row.id }))) continue;
    const rule = toRule(row);
    const before = { ...describeRule(rule), created_by: rule.createdBy.name };
    await record(ctx, 'ci_rule.delete', toSubject({ ...rule, app_id: row.app_id }), { before });
  }
}

export const deleteCiRule = (ctx: AppCtx, id: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const row = await findAppRule.first(ctx.db, { id, appId: ctx.app.id });
    if (!row) throw notFound('CI rule', id);
    await endRules(ctx, [row]);
  });

export const endAppRules = async (ctx: Ctx, appId: string): Promise<void> =>
  endRules(ctx, await listAppRules.all(ctx.db, { appId }));

export const endRulesMadeBy = async (ctx: Ctx, userId: string): Promise<void> =>
  endRules(ctx, await listRulesMadeBy.all(ctx.db, { userIds: JSON.stringify([userId]) }));

/** Ends rules that these accounts could no longer create. */
export async function endUnentitledRules(
  ctx: Ctx,
  { userIds, appId }: { userIds: readonly string[]; appId?: string },
): Promise<void> {
  const unentitled: RuleRow[] = [];
  for (const row of await listRulesMadeBy.all(ctx.db, { userIds: JSON.stringify(userIds) })) {
    if (appId !== undefined && row.app_id !== appId) continue;
    const holder = { appId: row.app_id, userId: row.created_by, scope: 'all' } as const;
    if (!(await mayHoldAppToken(ctx, holder))) unentitled.push(row);
  }
  await endRules(ctx, unentitled);
}
