import type { EndpointFamily } from '../endpoint/index.ts';

/** What CodePush SDKs inside of apps ask and report. */
export const codepushFamily: EndpointFamily = { name: 'codepush' };
