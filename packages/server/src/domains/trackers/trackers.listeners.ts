import { onInTransaction } from '../../jobs/index.ts';
import { appTransferred } from '../apps/index.ts';
import { issueChanged } from '../crashes/index.ts';
import { announced } from '../webhooks/index.ts';
import { disconnectTransferred } from './bug-trackers.ts';
import { ticketForChangedIssue, ticketForNewIssue, ticketForRegressedIssue } from './tickets.ts';

export const trackerListeners = [
  onInTransaction(announced, ticketForNewIssue),
  onInTransaction(announced, ticketForRegressedIssue),
  onInTransaction(issueChanged, ticketForChangedIssue),
  onInTransaction(appTransferred, (ctx, { appId }) => disconnectTransferred(ctx, appId)),
];
