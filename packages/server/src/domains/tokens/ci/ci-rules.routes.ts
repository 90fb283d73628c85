import { ciRules_create, ciRules_delete, ciRules_list } from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { toIso } from '../../../kernel/clock.ts';
import { type CiRule, createCiRule, deleteCiRule, listCiRules } from './ci-rules.ts';

const toWire = ({ createdBy, createdAt, lastUsedAt, ...rule }: CiRule) => ({
  ...rule,
  created_by: createdBy.name,
  created_at: toIso(createdAt),
  last_used_at: lastUsedAt === undefined ? undefined : toIso(lastUsedAt),
});

export const ciRuleRoutes = [
  route(ciRules_list, async (ctx) => ({ values: (await listCiRules(ctx)).map(toWire) })),
  route(ciRules_create, async (ctx, { body }) => toWire(await createCiRule(ctx, body))),
  route(ciRules_delete, (ctx, { params }) => deleteCiRule(ctx, params.ci_rule_id)),
];
