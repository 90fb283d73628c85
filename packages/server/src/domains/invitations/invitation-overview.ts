import { appInvitations_list } from '@mooring/contract';
import type { AppOverviewPart } from '../../extensions/app-overviews.ts';
import { countAppInvitations } from './invitations.store.ts';

/** Invitations without an answer. */
export const invitationOverview: AppOverviewPart = {
  needs: appInvitations_list,
  async read(ctx) {
    const open = await countAppInvitations.first(ctx.db, { appId: ctx.app.id, now: ctx.clock.now() });
    const count = Number(open?.count ?? 0);
    return count > 0 ? { attention: [{ kind: 'open_invitations', level: 'info', count }] } : {};
  },
};
