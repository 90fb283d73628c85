import { distributionGroups_list } from '@mooring/contract';
import type { AppOverviewPart } from '../../extensions/app-overviews.ts';
import { groupsIn } from './groups.store.ts';

export const groupOverview: AppOverviewPart = {
  needs: distributionGroups_list,
  read: async (ctx) => ({ group_count: (await groupsIn.app.list.all(ctx.db, { homeId: ctx.app.id })).length }),
};
