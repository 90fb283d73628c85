import type { RedirectResponse } from '@mooring/contract';
import type { MountResponse } from './kind.ts';

/** The address may hold a secret, so it is neither kept nor passed on. */
export const mountRedirectResponse: MountResponse<RedirectResponse> = ({ status }) => ({
  async answer(_request, reply, run) {
    const location = (await run()) as string;
    return reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }).redirect(location, status);
  },
});
