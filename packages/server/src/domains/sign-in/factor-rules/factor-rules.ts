import type { FactorEffect } from '@mooring/contract';
import type { Ctx, User } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { DAY, toIso } from '../../../kernel/clock.ts';
import { notFound } from '../../../kernel/errors.ts';
import { type ListInput, type Page, readList } from '../../../kernel/paging.ts';
import { toUser } from '../../accounts/index.ts';
import { record } from '../../audit/index.ts';
import {
  type EffectSort,
  effectSorts,
  findRequiredProvider,
  findRuleProvider,
  type RuleScope,
} from '../rules/rules.ts';
import {
  deleteFactorRuleRow,
  findFactorRule,
  findUserFactorRule,
  pageFactorPeople,
  saveFactorRule,
} from './factor-rules.store.ts';

const getRuleId = ({ org }: RuleScope): string => org?.id ?? 'server';

const toSubject = (scope: RuleScope) =>
  ({
    kind: 'factor_rule',
    id: getRuleId(scope),
    ...(scope.org ? { name: scope.org.name, orgId: scope.org.id } : {}),
  }) as const;

/** When the grace period of a rule ends. */
export const getFactorRule = async (ctx: Ctx, scope: RuleScope): Promise<number | undefined> =>
  (await findFactorRule.first(ctx.db, { id: getRuleId(scope) }))?.required_from;

export const setFactorRule = (ctx: Ctx, scope: RuleScope, graceDays: number): Promise<number> =>
  tx(ctx, async (ctx) => {
    const before = await getFactorRule(ctx, scope);
    const requiredFrom = ctx.clock.now() + graceDays * DAY;
    const row = { id: getRuleId(scope), org_id: scope.org?.id ?? null, required_from: requiredFrom };
    await saveFactorRule.run(ctx.db, row);
    await record(ctx, 'factor_rule.set', toSubject(scope), {
      ...(before === undefined ? {} : { before: { required_from: toIso(before) } }),
      after: { required_from: toIso(requiredFrom) },
    });
    return requiredFrom;
  });

export const deleteFactorRule = (ctx: Ctx, scope: RuleScope): Promise<void> =>
  tx(ctx, async (ctx) => {
    const before = await getFactorRule(ctx, scope);
    if (before === undefined) throw notFound('rule that requires a second factor');
    await deleteFactorRuleRow.run(ctx.db, { id: getRuleId(scope) });
    await record(ctx, 'factor_rule.delete', toSubject(scope), { before: { required_from: toIso(before) } });
  });

/**
 * From when this user needs a second factor for their password. An administrator who keeps a password although others must use
 * an identity provider needs one at all times: that password would otherwise be the weakest way in.
 */
export async function findRequiredFrom(ctx: Ctx, user: User): Promise<number | undefined> {
  if (user.isAdmin && (await findRuleProvider(ctx, user))) return 0;
  return (await findUserFactorRule.first(ctx.db, { userId: user.id }))?.required_from ?? undefined;
}

export const isFactorRequired = async (ctx: Ctx, user: User): Promise<boolean> => {
  const from = await findRequiredFrom(ctx, user);
  return from !== undefined && from <= ctx.clock.now();
};

export interface FactorPerson {
  name: string;
  displayName: string;
  email: string;
  effect: FactorEffect;
}

type Row = Awaited<ReturnType<typeof pageFactorPeople>>[number];

async function toEffect(ctx: Ctx, row: Row): Promise<FactorEffect> {
  if (row.enabled_at !== null || Number(row.passkeys) > 0) return 'ready';
  return (await findRequiredProvider(ctx, toUser(row))) ? 'provider' : 'set_up';
}

/** Lists what a rule would do to each person. */
export async function previewFactorRule(
  ctx: Ctx,
  { org }: RuleScope,
  input: ListInput<EffectSort>,
): Promise<Page<FactorPerson>> {
  const { values, ...page } = await readList(
    input,
    effectSorts,
    (listing) => pageFactorPeople(ctx.db, org?.id, listing),
    (row) => row,
  );
  const people: FactorPerson[] = [];
  for (const row of values) {
    const { name, display_name: displayName, email } = row;
    people.push({ name, displayName, email, effect: await toEffect(ctx, row) });
  }
  return { ...page, values: people };
}
