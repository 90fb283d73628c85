import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyFields, anyFilter } from '../../../../test/harness/references/filters.ts';
import { parseFilter } from './filter.ts';
import type { FilterNode } from './filter-ast.ts';
import { matchesFilter } from './filter-match.ts';

const event = {
  service: ['Virtual Machines', 'Mail'],
  region: ['West US'],
  eventType: 'ServiceIssue',
  status: 'Active',
  trackingId: 'BC_1-FXZ',
  isHIR: false,
  priority: 4,
  lastUpdateTime: Date.UTC(2024, 9, 2),
};

test.each([
  ["service eq 'mail'", true],
  ["service eq 'VIRTUAL MACHINES' and service eq 'Mail'", true],
  ["service eq 'Mai'", false],
  ["service ne 'MAIL'", false],
  ["service ne 'Storage'", true],
  ["region eq 'west us'", true],
  ["not region eq 'West US'", false],
  ["eventType eq 'serviceISSUE'", true],
  ["eventType eq 'Maintenance'", false],
  ["eventType ne 'Maintenance'", true],
  ["eventLevel eq 'Error'", false],
  ["eventLevel ne 'Error'", true],
  ["not eventLevel eq 'Error'", true],
  ["trackingId eq 'BC_1-FXZ'", true],
  ["trackingId eq 'bc_1-fxz'", false],
  ['isHIR eq false', true],
  ['isHIR ne false', false],
  ['priority lt 5 and priority le 4 and priority ge 4 and priority gt 3', true],
  ['priority lt 4', false],
  ['priority gt 4', false],
  ['lastUpdateTime ge 10/2/2024', true],
  ['lastUpdateTime gt 10/2/2024', false],
  ['impactStartTime lt 1/1/2030 or impactStartTime ge 1/1/2030', false],
  ['not (impactStartTime lt 1/1/2030)', true],
  ["status eq 'Resolved' or service eq 'Storage' or priority eq 4", true],
])('%s: %s', (text, isMatch) => {
  expect(matchesFilter(parseFilter(text), event)).toBe(isMatch);
});

test("not, and, or obey De Morgan's laws, and ne is the opposite of eq", () => {
  fc.assert(
    fc.property(anyFilter(), anyFilter(), anyFields(), (a, b, fields) => {
      const not = (node: FilterNode): FilterNode => ({ kind: 'not', node });
      const either: FilterNode = { kind: 'or', nodes: [a, b] };
      const neither: FilterNode = { kind: 'and', nodes: [not(a), not(b)] };
      expect(matchesFilter(neither, fields)).toBe(!matchesFilter(either, fields));
      if (a.kind === 'compare') {
        const [eq, ne] = (['eq', 'ne'] as const).map((operator) => matchesFilter({ ...a, operator }, fields));
        expect(ne).toBe(!eq);
      }
    }),
  );
});
