import type { Finder } from '../../../extensions/finders.ts';
import { findPage, parseAll, readerEverywhere } from './listing.ts';

/** Searches only the newest events; the list of events finds older ones. */
const LOOKED_AT = 5000;

export const eventFinder: Finder = {
  async find(ctx, terms, limit) {
    const reader = await readerEverywhere(ctx);
    const request = { size: limit, filter: undefined, terms, scanned: LOOKED_AT };
    const { bodies } = await findPage(ctx, reader, request);
    return parseAll(ctx, reader, bodies).map(({ name, properties: { title, status, impact = [] } }) => ({
      kind: 'health_event',
      id: name,
      title,
      detail: [status, name, impact[0]?.impactedService].filter(Boolean).join(' · '),
      path: { tracking_id: name },
    }));
  },
};
