import { onInTransaction } from '../../jobs/index.ts';
import { packageMade } from '../runners/index.ts';
import { expectPackage } from './uploads/built-packages.ts';

/** What was built here becomes a release. */
export const releaseListeners = [onInTransaction(packageMade, expectPackage)];
