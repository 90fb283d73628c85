import { Type } from '@mooring/contract';
import type { AppCtx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { badRequest, Failure } from '../../../kernel/errors.ts';
import { jsonCodec } from '../../../kernel/text/json-codec.ts';
import { appSubject } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import type { AppleMappingsTable } from '../releases.tables.ts';
import { deleteAppleMapping, findAppleMapping, saveAppleMapping } from './apple-mappings.store.ts';

const groupsCodec = jsonCodec(
  'apple_mappings.test_flight_groups',
  Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
);

export interface TestFlightGroup {
  id: string;
  name: string;
}

/** The App Store app of an app, as a user linked it; it is not verified with Apple. */
export interface AppleMapping {
  serviceConnectionId: string;
  appleId: string | undefined;
  bundleIdentifier: string | undefined;
  teamIdentifier: string;
  testFlightGroups: TestFlightGroup[];
}

export const toMapping = (row: AppleMappingsTable): AppleMapping => ({
  serviceConnectionId: row.service_connection_id,
  appleId: row.apple_id ?? undefined,
  bundleIdentifier: row.bundle_identifier ?? undefined,
  teamIdentifier: row.team_identifier,
  testFlightGroups: groupsCodec.parse(row.test_flight_groups),
});

export async function getAppleMapping({ db, app }: AppCtx): Promise<AppleMapping> {
  const row = await findAppleMapping.first(db, { appId: app.id });
  if (!row) throw new Failure('NotFound', 'Not linked to an App Store app. Link one first.');
  return toMapping(row);
}

export const setAppleMapping = (ctx: AppCtx, mapping: AppleMapping): Promise<AppleMapping> =>
  tx(ctx, async (ctx) => {
    const { serviceConnectionId, appleId, bundleIdentifier, teamIdentifier, testFlightGroups } = mapping;
    if (appleId === undefined && bundleIdentifier === undefined)
      throw badRequest('Send the apple_id or the bundle_identifier of the App Store app.');
    await saveAppleMapping.run(ctx.db, {
      app_id: ctx.app.id,
      service_connection_id: serviceConnectionId,
      apple_id: appleId ?? null,
      bundle_identifier: bundleIdentifier ?? null,
      team_identifier: teamIdentifier,
      test_flight_groups: JSON.stringify(testFlightGroups.map(({ id, name }) => ({ id, name }))),
    });
    await record(ctx, 'app.map_to_apple', appSubject(ctx.app), {
      after: { apple_id: appleId, bundle_identifier: bundleIdentifier, team_identifier: teamIdentifier },
    });
    return mapping;
  });

export const removeAppleMapping = (ctx: AppCtx): Promise<void> =>
  tx(ctx, async (ctx) => {
    const { appleId, bundleIdentifier, teamIdentifier } = await getAppleMapping(ctx);
    await deleteAppleMapping.run(ctx.db, { appId: ctx.app.id });
    await record(ctx, 'app.unmap_from_apple', appSubject(ctx.app), {
      before: { apple_id: appleId, bundle_identifier: bundleIdentifier, team_identifier: teamIdentifier },
    });
  });
