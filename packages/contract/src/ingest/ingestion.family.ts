import type { EndpointFamily } from '../endpoint/index.ts';

/** What SDKs inside of apps send. */
export const ingestionFamily: EndpointFamily = { name: 'ingestion' };
