import type { Deps } from '../context.ts';
import { defineExtensionPoint } from './extension-point.ts';

/** Decides whether pages of an origin may read responses of endpoints that are `readableFrom` this group. */
export interface CrossOriginReader {
  group: 'clients' | 'senders';
  isAllowed(deps: Deps, origin: string): Promise<boolean>;
}

/** Read by `http/requests/cross-origin.ts`. */
export const crossOriginReaders = defineExtensionPoint<CrossOriginReader>('cross-origin-readers');
