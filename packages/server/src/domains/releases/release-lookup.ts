import type { ReleaseLookup } from '../../extensions/release-lookups.ts';
import { findNewestByVersion } from './releases.store.ts';

/** Devices send the version that users see, and the number of the build. */
export const findReleaseByVersion: ReleaseLookup = async ({ db }, appId, { version, build }) =>
  (await findNewestByVersion.first(db, { appId, version, build }))?.id;
