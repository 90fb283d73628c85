import { onInTransaction } from '../../jobs/index.ts';
import { appTransferred } from '../apps/index.ts';
import { disableTransferred } from './configurations.ts';

export const exportListeners = [onInTransaction(appTransferred, (ctx, { appId }) => disableTransferred(ctx, appId))];
