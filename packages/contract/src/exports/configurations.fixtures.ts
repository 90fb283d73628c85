import { type Fixtures, putId } from '../fixtures/fixtures.ts';
import {
  ExportConfigurations_Create,
  ExportConfigurations_Disable,
  ExportConfigurations_Enable,
  ExportConfigurations_Get,
} from './configurations.contract.ts';
import { exportConfigurationsExamples } from './configurations.examples.ts';

/** The exports that the examples refer to, into folders of the server; one is disabled. */
export async function addExport({ ada, ids }: Fixtures): Promise<void> {
  const { params, body } = exportConfigurationsExamples.ExportConfigurations_Create;
  const { id } = await ada.call(ExportConfigurations_Create, { params, body });
  putId({ ids }, ExportConfigurations_Get, 'export_configuration_id', id);
  const stopped = await ada.call(ExportConfigurations_Create, { params, body: { ...body, folder: 'stopped' } });
  await ada.call(ExportConfigurations_Disable, {
    params: { ...params, export_configuration_id: stopped.id },
    body: {},
  });
  putId({ ids }, ExportConfigurations_Enable, 'export_configuration_id', stopped.id);
}
