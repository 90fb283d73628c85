import type { SignInEffect } from '@mooring/contract';
import type { Ctx, User } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { conflict, forbidden, notFound } from '../../../kernel/errors.ts';
import { type ListInput, type Page, readList, type Sorts } from '../../../kernel/paging.ts';
import { record } from '../../audit/index.ts';
import { lockProviderRow } from '../providers/providers.store.ts';
import { canBeRequired, findProvider, type IdentityProvider, isInDomain } from '../providers/providers.ts';
import { deleteRuleRow, findRule, listUserRules, pagePeople, saveRule } from './rules.store.ts';

/** Whom a rule is for: everyone on the server, or the members of an organization. */
export interface RuleScope {
  org: { id: string; name: string } | undefined;
}

const SERVER = 'server';
const getRuleId = ({ org }: RuleScope): string => org?.id ?? SERVER;

const toSubject = (scope: RuleScope) =>
  ({
    kind: 'sign_in_rule',
    id: getRuleId(scope),
    ...(scope.org ? { name: scope.org.name, orgId: scope.org.id } : {}),
  }) as const;

export const getRule = async (ctx: Ctx, scope: RuleScope): Promise<string | undefined> =>
  (await findRule.first(ctx.db, { id: getRuleId(scope) }))?.provider;

async function getRequirable(ctx: Ctx, name: string): Promise<IdentityProvider> {
  const provider = await findProvider(ctx, name);
  if (!provider) throw conflict(`This server has no identity provider "${name}". Choose an existing one.`);
  if (!canBeRequired(provider)) {
    throw conflict(
      `The identity provider "${name}" is disabled or has no allowed domains, so it can't replace passwords.`,
    );
  }
  return provider;
}

export const setRule = (ctx: Ctx, scope: RuleScope, name: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    // A provider that a rule requires cannot be deleted or disabled.
    await lockProviderRow.first(ctx.db, { name });
    await getRequirable(ctx, name);
    const before = await getRule(ctx, scope);
    const row = { id: getRuleId(scope), org_id: scope.org?.id ?? null, provider: name, created_at: ctx.clock.now() };
    await saveRule.run(ctx.db, row);
    await record(ctx, 'sign_in_rule.set', toSubject(scope), {
      ...(before === undefined ? {} : { before: { provider: before } }),
      after: { provider: name },
    });
  });

export const deleteRule = (ctx: Ctx, scope: RuleScope): Promise<void> =>
  tx(ctx, async (ctx) => {
    const before = await getRule(ctx, scope);
    if (before === undefined) throw notFound('sign-in rule');
    await deleteRuleRow.run(ctx.db, { id: getRuleId(scope) });
    await record(ctx, 'sign_in_rule.delete', toSubject(scope), { before: { provider: before } });
  });

/** The provider that a rule requires for this user instead of a password. */
export async function findRequiredProvider(
  ctx: Ctx,
  { id, email, isAdmin }: Pick<User, 'id' | 'email' | 'isAdmin'>,
): Promise<IdentityProvider | undefined> {
  // Without the provider, someone must be able to repair it.
  return isAdmin ? undefined : findRuleProvider(ctx, { id, email });
}

/** The provider that a rule would require if the user were no administrator. */
export async function findRuleProvider(
  ctx: Ctx,
  { id, email }: Pick<User, 'id' | 'email'>,
): Promise<IdentityProvider | undefined> {
  for (const { provider: name } of await listUserRules.all(ctx.db, { userId: id })) {
    // An operator may have removed the provider of the settings.
    const provider = await findProvider(ctx, name);
    if (provider && canBeRequired(provider) && isInDomain(provider.allowedDomains, email)) return provider;
  }
  return undefined;
}

/** For `passwordRules`. */
export async function refusePassword(ctx: Ctx, user: User): Promise<void> {
  const provider = await findRequiredProvider(ctx, user);
  if (!provider) return;
  throw forbidden(
    `Your password no longer works, because your account requires ${provider.displayName}. Sign in with ${provider.displayName} in the console; scripts need an API token that you create there.`,
  );
}

export interface PersonEffect {
  name: string;
  displayName: string;
  email: string;
  effect: SignInEffect;
}

export const effectSorts = { name: 'name', display_name: 'name', email: 'name' } satisfies Sorts<string>;
export type EffectSort = keyof typeof effectSorts;

type Row = Awaited<ReturnType<typeof pagePeople>>[number];

function toEffect({ allowedDomains }: IdentityProvider, row: Row): SignInEffect {
  if (row.is_admin === 1) return 'administrator';
  if (!isInDomain(allowedDomains, row.email)) return 'unaffected';
  if (row.linked_at !== null) return 'provider';
  return row.is_email_verified === 1 ? 'first_sign_in' : 'locked_out';
}

/** Lists what a rule would do to each person. */
export async function previewRule(
  ctx: Ctx,
  { org }: RuleScope,
  { provider: name, ...input }: ListInput<EffectSort> & { provider: string },
): Promise<Page<PersonEffect>> {
  const provider = await getRequirable(ctx, name);
  return readList(
    input,
    effectSorts,
    (listing) => pagePeople(ctx.db, { orgId: org?.id, issuer: provider.issuer }, listing),
    (row) => ({ name: row.name, displayName: row.display_name, email: row.email, effect: toEffect(provider, row) }),
  );
}
