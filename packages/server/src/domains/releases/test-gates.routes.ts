import { releaseGate_get, releaseGate_set } from '@mooring/contract';
import { route } from '../../http/mount.ts';
import { holdsFailed, setHoldsFailed } from './test-gates.ts';

export const testGateRoutes = [
  route(releaseGate_get, async (ctx) => ({ hold_failed: await holdsFailed(ctx) })),
  route(releaseGate_set, async (ctx, { body }) => {
    await setHoldsFailed(ctx, body.hold_failed);
    return { hold_failed: await holdsFailed(ctx) };
  }),
];
