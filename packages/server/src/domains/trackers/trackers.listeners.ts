import { onInTransaction } from '../../jobs/index.ts';
import { appTransferred } from '../apps/index.ts';
import { announced } from '../webhooks/index.ts';
import { disconnectTransferred } from './bug-trackers.ts';
import { ticketForNewIssue } from './tickets.ts';

export const trackerListeners = [
  onInTransaction(announced, ticketForNewIssue),
  onInTransaction(appTransferred, (ctx, { appId }) => disconnectTransferred(ctx, appId)),
];
