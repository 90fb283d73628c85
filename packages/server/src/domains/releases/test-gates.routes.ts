import { releaseGate_get, releaseGate_set } from '@mooring/contract';
import type { AppCtx } from '../../context.ts';
import { route } from '../../http/mount.ts';
import { toIso } from '../../kernel/clock.ts';
import { blocksFailed, listWaiting, setBlocksFailed } from './test-gates.ts';

const gateToWire = async (ctx: AppCtx) => ({
  hold_failed: await blocksFailed(ctx),
  waiting: (await listWaiting(ctx)).map((blocked) => ({
    release_id: Number(blocked.release_id),
    destination_type: blocked.type,
    destination: blocked.destination,
    since: toIso(Number(blocked.held_at)),
  })),
});

export const testGateRoutes = [
  route(releaseGate_get, (ctx) => gateToWire(ctx)),
  route(releaseGate_set, async (ctx, { body }) => {
    await setBlocksFailed(ctx, body.hold_failed);
    return gateToWire(ctx);
  }),
];
