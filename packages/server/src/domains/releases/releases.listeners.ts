import { onInTransaction } from '../../jobs/index.ts';
import { appTransferred } from '../apps/index.ts';
import { packageMade, packageTested } from '../runners/index.ts';
import { clearStoreCredentials } from './stores/stores.store.ts';
import { noteTested } from './test-gates.ts';
import { expectPackage } from './uploads/built-packages.ts';

export const releaseListeners = [
  onInTransaction(packageTested, noteTested),
  // What was built here becomes a release.
  onInTransaction(packageMade, expectPackage),
  // Who has the app now publishes in their own name.
  onInTransaction(appTransferred, async ({ db }, { appId }) => {
    await clearStoreCredentials.run(db, { appId });
  }),
];
