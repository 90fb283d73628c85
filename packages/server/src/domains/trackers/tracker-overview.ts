import { bugtracker_getSettings } from '@mooring/contract';
import { type AppOverviewPart, summarize } from '../../extensions/app-overviews.ts';
import { findTracker } from './bug-trackers.store.ts';

/** A bug tracker that refuses the credentials. */
export const trackerOverview: AppOverviewPart = {
  needs: bugtracker_getSettings,
  async read(ctx) {
    const tracker = await findTracker.first(ctx.db, { appId: ctx.app.id });
    if (tracker?.state !== 'unauthorized') return {};
    return { attention: summarize('tracker_unauthorized', 'warning', [{ name: tracker.project }]) };
  },
};
