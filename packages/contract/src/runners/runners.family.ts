import type { EndpointFamily } from '../endpoint/index.ts';

/** What runners ask and tell, with a token of their own. */
export const runnersFamily: EndpointFamily = { name: 'runners' };
