import { type Fixtures, putId } from '../fixtures/fixtures.ts';
import { ciRules_create, ciRules_delete } from './ci-rules.contract.ts';
import { ciRulesExamples } from './ci-rules.examples.ts';

/** A rule to delete. */
export async function addCiRule(fixtures: Fixtures): Promise<void> {
  const { params, body } = ciRulesExamples.ciRules_create;
  const rule = await fixtures.ada.call(ciRules_create, {
    params,
    body: { ...body, permissions: [...body.permissions] },
  });
  putId(fixtures, ciRules_delete, 'ci_rule_id', rule.id);
}
