import { type Fixtures, putId } from '../fixtures/fixtures.ts';
import { alertRules_create, alertRules_list, alertRules_update } from './alerts.contract.ts';
import { alertsExamples } from './alerts.examples.ts';

export async function addAlertRule(fixtures: Fixtures): Promise<void> {
  const { params, body } = alertsExamples.alertRules_create;
  const [existing] = (await fixtures.ada.call(alertRules_list, { params })).values;
  const { id } = existing ?? (await fixtures.ada.call(alertRules_create, { params, body }));
  putId(fixtures, alertRules_update, 'rule_id', id);
}
