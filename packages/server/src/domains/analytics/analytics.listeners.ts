import { onInTransaction } from '../../jobs/index.ts';
import { erasureRequested } from '../ingest/index.ts';
import { markErased } from './deletion/erasures.ts';

export const analyticsListeners = [
  onInTransaction(erasureRequested, (ctx, { appId, kind, value }) => markErased(ctx, appId, { kind, value })),
];
