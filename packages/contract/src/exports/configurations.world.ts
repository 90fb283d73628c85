import { putId, type World } from '../world/world.ts';
import {
  ExportConfigurations_Create,
  ExportConfigurations_Disable,
  ExportConfigurations_Enable,
  ExportConfigurations_Get,
} from './configurations.contract.ts';
import { exportConfigurationsExamples } from './configurations.examples.ts';

/** The exports that the examples speak of, into folders of the server; one of them is stopped. */
export async function addExport({ ada, ids }: World): Promise<void> {
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
