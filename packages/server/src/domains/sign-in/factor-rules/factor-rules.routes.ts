import {
  adminFactorRule_delete,
  adminFactorRule_get,
  adminFactorRule_preview,
  adminFactorRule_set,
  factorSetUp_confirm,
  factorSetUp_start,
  orgFactorRule_delete,
  orgFactorRule_get,
  orgFactorRule_preview,
  orgFactorRule_set,
} from '@mooring/contract';
import type { Ctx } from '../../../context.ts';
import { route } from '../../../http/mount.ts';
import { pageToWire } from '../../../http/responses/pages.ts';
import { toIso } from '../../../kernel/clock.ts';
import type { RuleScope } from '../rules/rules.ts';
import { confirmAtSignIn, startAtSignIn } from '../second-factor/set-up-at-sign-in.ts';
import {
  deleteFactorRule,
  type FactorPerson,
  getFactorRule,
  previewFactorRule,
  setFactorRule,
} from './factor-rules.ts';

const server: RuleScope = { org: undefined };

const personToWire = ({ name, displayName, email, effect }: FactorPerson) => ({
  name,
  display_name: displayName,
  email,
  effect,
});

async function ruleToWire(ctx: Ctx, scope: RuleScope) {
  const from = await getFactorRule(ctx, scope);
  return { required_from: from === undefined ? undefined : toIso(from) };
}

export const factorRuleRoutes = [
  route(adminFactorRule_get, (ctx) => ruleToWire(ctx, server)),
  route(adminFactorRule_set, async (ctx, { body }) => ({
    required_from: toIso(await setFactorRule(ctx, server, body.grace_days)),
  })),
  route(adminFactorRule_delete, (ctx) => deleteFactorRule(ctx, server)),
  route(adminFactorRule_preview, async (ctx, { query }) =>
    pageToWire(await previewFactorRule(ctx, server, query), personToWire),
  ),
  route(orgFactorRule_get, (ctx) => ruleToWire(ctx, ctx)),
  route(orgFactorRule_set, async (ctx, { body }) => ({
    required_from: toIso(await setFactorRule(ctx, ctx, body.grace_days)),
  })),
  route(orgFactorRule_delete, (ctx) => deleteFactorRule(ctx, ctx)),
  route(orgFactorRule_preview, async (ctx, { query }) =>
    pageToWire(await previewFactorRule(ctx, ctx, query), personToWire),
  ),
  route(factorSetUp_start, (ctx, { body }) => startAtSignIn(ctx, body)),
  route(factorSetUp_confirm, async (ctx, { body }, reply) => {
    const { codes, session } = await confirmAtSignIn(ctx, body);
    reply.setSession(session.secret, session.expiresAt);
    return { recovery_codes: codes };
  }),
];
