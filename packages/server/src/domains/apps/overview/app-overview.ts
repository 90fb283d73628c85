import { type Attention, attentionKinds, attentionLevels, mayCall } from '@mooring/contract';
import type { AppCtx } from '../../../context.ts';
import { appOverviews } from '../../../extensions/app-overviews.ts';
import { getPartScope } from '../../../extensions/part-needs.ts';
import { listAppUsers } from '../access/app-users.ts';

const toRank = ({ kind, level }: Attention): number =>
  // Health events concern services that the app uses, so they follow the problems of the app itself.
  (kind === 'health_event' ? 1_000 : 0) +
  attentionLevels.indexOf(level) * attentionKinds.length +
  attentionKinds.indexOf(kind);

/** The contributions of all domains that the caller may see. */
export async function getAppOverview(ctx: AppCtx) {
  const open = appOverviews.list(ctx).filter(({ needs }) => {
    const scope = getPartScope(ctx, needs);
    return scope !== undefined && mayCall(needs, `app:${ctx.permission}`, scope);
  });
  const [users, ...parts] = await Promise.all([listAppUsers(ctx), ...open.map(({ read }) => read(ctx))]);
  const attention = parts.flatMap((part) => part.attention ?? []);
  return {
    ...Object.assign({}, ...parts),
    member_count: users.length,
    attention: attention.toSorted((a, b) => toRank(a) - toRank(b)),
  };
}
