import type { Finder } from '../../../context.ts';
import { findPage, parseAll, readerEverywhere } from './listing.ts';

/** Of the newest; the list of events finds older ones. */
const LOOKED_AT = 5000;

export const eventFinder: Finder = {
  async find(ctx, words, limit) {
    const reader = await readerEverywhere(ctx);
    const asked = { size: limit, filter: undefined, words, scanned: LOOKED_AT };
    const { bodies } = await findPage(ctx, reader, asked);
    return parseAll(ctx, reader, bodies).map(({ name, properties: { title, status, impact = [] } }) => ({
      kind: 'health_event',
      id: name,
      title,
      detail: [status, name, impact[0]?.impactedService].filter(Boolean).join(' · '),
      path: { tracking_id: name },
    }));
  },
};
