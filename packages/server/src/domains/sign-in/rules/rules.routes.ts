import {
  adminSignInRule_delete,
  adminSignInRule_get,
  adminSignInRule_preview,
  adminSignInRule_set,
  orgSignInRule_delete,
  orgSignInRule_get,
  orgSignInRule_preview,
  orgSignInRule_set,
} from '@mooring/contract';
import type { Ctx } from '../../../context.ts';
import { route } from '../../../http/mount.ts';
import { pageToWire } from '../../../http/responses/pages.ts';
import { deleteRule, getRule, type PersonEffect, previewRule, type RuleScope, setRule } from './rules.ts';

const server: RuleScope = { org: undefined };

const effectToWire = ({ name, displayName, email, effect }: PersonEffect) => ({
  name,
  display_name: displayName,
  email,
  effect,
});

const ruleToWire = async (ctx: Ctx, scope: RuleScope) => ({ provider: await getRule(ctx, scope) });

export const ruleRoutes = [
  route(adminSignInRule_get, (ctx) => ruleToWire(ctx, server)),
  route(adminSignInRule_set, async (ctx, { body }) => {
    await setRule(ctx, server, body.provider);
    return body;
  }),
  route(adminSignInRule_delete, (ctx) => deleteRule(ctx, server)),
  route(adminSignInRule_preview, async (ctx, { query }) =>
    pageToWire(await previewRule(ctx, server, query), effectToWire),
  ),
  route(orgSignInRule_get, (ctx) => ruleToWire(ctx, ctx)),
  route(orgSignInRule_set, async (ctx, { body }) => {
    await setRule(ctx, ctx, body.provider);
    return body;
  }),
  route(orgSignInRule_delete, (ctx) => deleteRule(ctx, ctx)),
  route(orgSignInRule_preview, async (ctx, { query }) => pageToWire(await previewRule(ctx, ctx, query), effectToWire)),
];
