import type { Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { defineSchedule, publish } from '../../jobs/index.ts';
import { DAY } from '../../kernel/clock.ts';
import { listExpiring } from './api-tokens.store.ts';
import { tokenExpiring } from './tokens.events.ts';

const NOTICE_PERIOD = 7 * DAY;
const BATCH = 500;

export const tokensExpiring = defineSchedule('api_token.tell_expiring', DAY);

/** Announces every token that expires soon, before automation stops unexpectedly. */
export async function notifyExpiring(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now();
  for (let after = ''; ; ) {
    const rows = await listExpiring.all(ctx.db, { after, from: now, until: now + NOTICE_PERIOD, limit: BATCH });
    await tx(ctx, async (ctx) => {
      for (const { id, app_id, created_by, name, service_org_id, description, expires_at } of rows) {
        await publish(ctx, tokenExpiring, {
          tokenId: id,
          userId: created_by,
          holder: name,
          expiresAt: expires_at ?? 0,
          ...(app_id ? { appId: app_id } : service_org_id ? { orgId: service_org_id } : {}),
          ...(description ? { description } : {}),
        });
      }
    });
    const last = rows.at(-1);
    if (rows.length < BATCH || !last) return;
    after = last.id;
  }
}
