import {
  appleMapping_create,
  appleMapping_delete,
  appleMapping_get,
  appleMapping_TestFlightGroups,
} from '@mooring/contract';
import type { AppCtx } from '../../../context.ts';
import { route } from '../../../http/mount.ts';
import { type AppleMapping, getAppleMapping, removeAppleMapping, setAppleMapping } from './apple-mappings.ts';

const toWire = ({ app }: AppCtx, mapping: AppleMapping) => ({
  app_id: app.id,
  service_connection_id: mapping.serviceConnectionId,
  apple_id: mapping.appleId,
  bundle_identifier: mapping.bundleIdentifier,
  team_identifier: mapping.teamIdentifier,
});

export const appleMappingRoutes = [
  route(appleMapping_get, async (ctx) => toWire(ctx, await getAppleMapping(ctx))),
  route(appleMapping_create, async (ctx, { body }) =>
    toWire(
      ctx,
      await setAppleMapping(ctx, {
        serviceConnectionId: body.service_connection_id,
        appleId: body.apple_id,
        bundleIdentifier: body.bundle_identifier,
        teamIdentifier: body.team_identifier,
        testFlightGroups: body.test_flight_groups ?? [],
      }),
    ),
  ),
  route(appleMapping_delete, (ctx) => removeAppleMapping(ctx)),
  route(appleMapping_TestFlightGroups, async (ctx) => {
    const { appleId, testFlightGroups } = await getAppleMapping(ctx);
    return testFlightGroups.map((group) => ({
      ...group,
      appleId: appleId === undefined ? undefined : Number(appleId),
    }));
  }),
];
