import { onInTransaction } from '../../jobs/index.ts';
import { appCreated } from '../apps/index.ts';
import { addProject } from './sdk-keys.ts';

export const sdkKeyListeners = [onInTransaction(appCreated, (ctx, { appId }) => addProject(ctx, appId))];
