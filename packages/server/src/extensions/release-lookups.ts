import type { Deps } from '../context.ts';
import { defineExtensionPoint } from './extension-point.ts';

/** Finds the newest release of an app with this version and build; the build may be empty if it is unknown. */
export type ReleaseLookup = (
  ctx: Pick<Deps, 'db'>,
  appId: string,
  version: { version: string; build: string },
) => Promise<number | undefined>;

/** Read by the domain `feedback`. */
export const releaseLookups = defineExtensionPoint<ReleaseLookup>('release-lookups');
