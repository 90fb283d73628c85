import { putId, type World } from '../world/world.ts';
import { ExportConfigurations_Create, ExportConfigurations_Get } from './export-configurations.contract.ts';
import { exportConfigurationsExamples } from './export-configurations.examples.ts';

/** The export that the examples speak of, into a folder of the server. */
export async function addExport({ ada, ids }: World): Promise<void> {
  const { params, body } = exportConfigurationsExamples.ExportConfigurations_Create;
  const { id } = await ada.call(ExportConfigurations_Create, { params, body });
  putId({ ids }, ExportConfigurations_Get, 'export_configuration_id', id);
}
