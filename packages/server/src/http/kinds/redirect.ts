import type { RedirectResponse } from '@mooring/contract';
import type { MountResponse } from './kind.ts';

/** The URL may contain a secret, so it must not be cached or sent as a referrer. */
export const mountRedirectResponse: MountResponse<RedirectResponse> = ({ status }) => ({
  async respond(_request, reply, run) {
    const location = (await run()) as string;
    return reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }).redirect(location, status);
  },
});
