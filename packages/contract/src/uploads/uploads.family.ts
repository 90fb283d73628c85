import type { EndpointFamily } from '../endpoint/family.ts';

/** For clients of a file host, which show a token for one file. */
export const uploadsFamily: EndpointFamily = { name: 'uploads' };
