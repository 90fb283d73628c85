import type { ApiSurface } from '../endpoint/index.ts';

/** Requests of CodePush SDKs inside apps. */
export const codepushSurface: ApiSurface = { name: 'codepush' };
