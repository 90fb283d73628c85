import type { ReleaseLookup } from '../../extensions/release-lookups.ts';
import { findNewestOfVersion } from './releases.store.ts';

/** Devices send the version that users see, and the number of the build. */
export const findReleaseOfVersion: ReleaseLookup = async ({ db }, appId, { version, build }) =>
  (await findNewestOfVersion.first(db, { appId, version, build }))?.id;
