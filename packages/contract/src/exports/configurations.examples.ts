import type { EndpointExamples } from '../endpoint/example.ts';

const params = { owner_name: 'ada', app_name: 'compass' };
const one = { ...params, export_configuration_id: '0192f3d0-0000-7000-8000-000000000016' };
const stopped = { ...params, export_configuration_id: '0192f3d0-0000-7000-8000-000000000017' };
const body = {
  type: 'file' as const,
  folder: 'raw',
  format: 'minutes' as const,
  export_entities: ['crashes' as const, 'errors' as const],
  backfill: false,
};
const configuration = {
  id: one.export_configuration_id,
  export_type: 'File' as const,
  creation_time: '2026-11-01T09:00:00.000Z',
  last_run_time: '2026-11-01T09:05:00.000Z',
  export_entities: ['crashes' as const, 'errors' as const],
  state: 'Enabled' as const,
  export_configuration: body,
  waiting_batches: 12,
  waiting_parts: 0,
  waiting_since: '2026-11-01T09:04:13.000Z',
};

export const exportConfigurationsExamples = {
  ExportConfigurations_List: { params, response: { values: [configuration], total: 1 } },
  ExportConfigurations_Create: { params, body, response: configuration },
  ExportConfigurations_Get: { params: one, response: configuration },
  ExportConfigurations_PartialUpdate: {
    params: one,
    body: { export_entities: ['crashes', 'errors'] },
    response: configuration,
  },
  ExportConfigurations_Delete: { params: one },
  ExportConfigurations_Disable: { params: one, body: {} },
  ExportConfigurations_Enable: { params: stopped, body: { backfill: true } },
  ExportConfigurations_Test: {
    params: one,
    body: {},
    response: { succeeded: true, tested_at: '2026-11-01T09:00:00.000Z', milliseconds: 12 },
  },
} satisfies EndpointExamples<typeof import('./configurations.contract.ts')>;
