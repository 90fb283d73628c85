import type { EmptyResponse } from '@mooring/contract';
import type { MountResponse } from './kind.ts';

export const mountEmptyResponse: MountResponse<EmptyResponse> = ({ status }) => ({
  async respond(_request, reply, run) {
    await run();
    return reply.code(status).header('cache-control', 'no-store').send();
  },
});
