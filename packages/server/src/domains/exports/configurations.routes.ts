import {
  ExportConfigurations_Create,
  ExportConfigurations_Delete,
  ExportConfigurations_Disable,
  ExportConfigurations_Enable,
  ExportConfigurations_Get,
  ExportConfigurations_List,
  ExportConfigurations_PartialUpdate,
  ExportConfigurations_Test,
} from '@mooring/contract';
import { route } from '../../http/mount.ts';
import { toIso } from '../../kernel/clock.ts';
import {
  type Configuration,
  createConfiguration,
  deleteConfiguration,
  disableConfiguration,
  enableConfiguration,
  getConfiguration,
  listConfigurations,
  testConfiguration,
  updateConfiguration,
} from './configurations.ts';
import { kinds } from './destinations/index.ts';

const time = (at: number | null | undefined): string | undefined => (at == null ? undefined : toIso(at));

function toWire({ row, type, entities, open, waiting, waitingSince, waitingParts }: Configuration) {
  const resource = { resource_name: row.resource_name ?? undefined, resource_group: row.resource_group ?? undefined };
  return {
    id: row.id,
    export_type: kinds[type].exportType,
    creation_time: toIso(row.created_at),
    last_run_time: time(row.last_run_at),
    export_entities: entities,
    state: row.state,
    // A pending export shows why it is not running yet.
    state_info: row.state_info ?? (row.state === 'Pending' ? row.last_error : null) ?? undefined,
    ...resource,
    export_configuration: { type, export_entities: entities, ...resource, backfill: row.backfill === 1, ...open },
    last_error: row.last_error ?? undefined,
    last_error_time: time(row.last_error_at),
    failing_since: time(row.failing_since),
    waiting_batches: waiting,
    waiting_since: time(waitingSince),
    waiting_parts: waitingParts,
  };
}

export const configurationRoutes = [
  route(ExportConfigurations_List, async (ctx) => {
    const values = (await listConfigurations(ctx)).map(toWire);
    return { values, total: values.length };
  }),
  route(ExportConfigurations_Create, async (ctx, { body }) => toWire(await createConfiguration(ctx, body))),
  route(ExportConfigurations_Get, async (ctx, { params }) =>
    toWire(await getConfiguration(ctx, params.export_configuration_id)),
  ),
  route(ExportConfigurations_PartialUpdate, async (ctx, { params, body }) =>
    toWire(await updateConfiguration(ctx, params.export_configuration_id, body)),
  ),
  route(ExportConfigurations_Delete, (ctx, { params }) => deleteConfiguration(ctx, params.export_configuration_id)),
  route(ExportConfigurations_Disable, (ctx, { params }) => disableConfiguration(ctx, params.export_configuration_id)),
  route(ExportConfigurations_Enable, (ctx, { params, body }) =>
    enableConfiguration(ctx, params.export_configuration_id, body),
  ),
  route(ExportConfigurations_Test, async (ctx, { params }) => {
    const { reason, at, ms } = await testConfiguration(ctx, params.export_configuration_id);
    return { succeeded: reason === undefined, reason, tested_at: toIso(at), milliseconds: Math.round(ms) };
  }),
];
