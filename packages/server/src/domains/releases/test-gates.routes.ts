import { releaseGate_get, releaseGate_set } from '@mooring/contract';
import type { AppCtx } from '../../context.ts';
import { route } from '../../http/mount.ts';
import { toIso } from '../../kernel/clock.ts';
import { holdsFailed, listWaiting, setHoldsFailed } from './test-gates.ts';

const gateToWire = async (ctx: AppCtx) => ({
  hold_failed: await holdsFailed(ctx),
  waiting: (await listWaiting(ctx)).map((held) => ({
    release_id: Number(held.release_id),
    destination_type: held.type,
    destination: held.destination,
    since: toIso(Number(held.held_at)),
  })),
});

export const testGateRoutes = [
  route(releaseGate_get, (ctx) => gateToWire(ctx)),
  route(releaseGate_set, async (ctx, { body }) => {
    await setHoldsFailed(ctx, body.hold_failed);
    return gateToWire(ctx);
  }),
];
