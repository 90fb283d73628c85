import { onInTransaction } from '../../jobs/index.ts';
import { appTransferred } from '../apps/index.ts';
import { removeRunnersOfApp } from './runners.ts';

export const runnerListeners = [onInTransaction(appTransferred, (ctx, { appId }) => removeRunnersOfApp(ctx, appId))];
