import { onInTransaction } from '../../jobs/index.ts';
import { senderForgotten } from '../ingest/index.ts';
import { markForgotten } from './deletion/forgotten.ts';

export const analyticsListeners = [
  onInTransaction(senderForgotten, (ctx, { appId, kind, value }) => markForgotten(ctx, appId, { kind, value })),
];
