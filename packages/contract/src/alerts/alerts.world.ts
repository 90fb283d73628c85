import { putId, type World } from '../world/world.ts';
import { alertRules_create, alertRules_list, alertRules_update } from './alerts.contract.ts';
import { alertsExamples } from './alerts.examples.ts';

export async function addAlertRule(world: World): Promise<void> {
  const { params, body } = alertsExamples.alertRules_create;
  const [known] = (await world.ada.call(alertRules_list, { params })).values;
  const { id } = known ?? (await world.ada.call(alertRules_create, { params, body }));
  putId(world, alertRules_update, 'rule_id', id);
}
