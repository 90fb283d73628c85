import type { AppCtx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { badRequest, Failure } from '../../../kernel/errors.ts';
import { appSubject } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import type { AppleMappingsTable } from '../releases.tables.ts';
import { deleteAppleMapping, findAppleMapping, saveAppleMapping } from './apple-mappings.store.ts';

export interface TestFlightGroup {
  id: string;
  name: string;
}

/** Which app of the App Store an app is: as it was told, for nobody asks Apple. */
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
  testFlightGroups: JSON.parse(row.test_flight_groups) as TestFlightGroup[],
});

export async function getAppleMapping({ db, app }: AppCtx): Promise<AppleMapping> {
  const row = await findAppleMapping.first(db, { appId: app.id });
  if (!row) throw new Failure('NotFound', 'Nobody has told which app of the App Store this app is.');
  return toMapping(row);
}

export const setAppleMapping = (ctx: AppCtx, mapping: AppleMapping): Promise<AppleMapping> =>
  tx(ctx, async (ctx) => {
    const { serviceConnectionId, appleId, bundleIdentifier, teamIdentifier, testFlightGroups } = mapping;
    if (appleId === undefined && bundleIdentifier === undefined)
      throw badRequest('Name apple_id or bundle_identifier: which app of the App Store it is.');
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
