import { onInTransaction } from '../../jobs/index.ts';
import { appTransferred } from '../apps/index.ts';
import { packageMade } from '../runners/index.ts';
import { clearStoreCredentials } from './stores/stores.store.ts';
import { expectPackage } from './uploads/built-packages.ts';

export const releaseListeners = [
  // What was built here becomes a release.
  onInTransaction(packageMade, expectPackage),
  // Who has the app now publishes in their own name.
  onInTransaction(appTransferred, async ({ db }, { appId }) => {
    await clearStoreCredentials.run(db, { appId });
  }),
];
