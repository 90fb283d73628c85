import { appApiTokens_list } from '@mooring/contract';
import { type AppOverviewPart, summarize } from '../../extensions/app-overviews.ts';
import { DAY, toIso } from '../../kernel/clock.ts';
import { listAppExpiries } from './api-tokens.store.ts';

/** Tokens that expire within this time need attention; expired ones are no longer in use. */
const SOON = 14 * DAY;

export const tokenOverview: AppOverviewPart = {
  needs: appApiTokens_list,
  async read(ctx) {
    const now = ctx.clock.now();
    const tokens = await listAppExpiries.all(ctx.db, { appId: ctx.app.id });
    const expiring = tokens.flatMap(({ id, description, expires_at: at }) =>
      at !== null && at > now && at < now + SOON
        ? { name: description ?? '', path: { api_token_id: id }, at: toIso(at) }
        : [],
    );
    return { token_count: tokens.length, attention: summarize('expiring_token', 'warning', expiring) };
  },
};
