import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anySign } from '../../../../../../test-support/hostile-text.ts';
import { anyFilter } from '../../../../test/harness/references/filters.ts';
import { FilterProblem, formatFilter, parseFilter } from './filter.ts';
import type { FilterNode } from './filter-ast.ts';

type Comparison = Extract<FilterNode, { kind: 'compare' }>;

const is = (property: Comparison['property'], value: Comparison['value'], operator: Comparison['operator'] = 'eq') =>
  ({ kind: 'compare', property, operator, value }) satisfies FilterNode;
const and = (...nodes: FilterNode[]): FilterNode => ({ kind: 'and', nodes });
const or = (...nodes: FilterNode[]): FilterNode => ({ kind: 'or', nodes });
const not = (node: FilterNode): FilterNode => ({ kind: 'not', node });

const vms = is('service', 'Virtual Machines');
const west = is('region', 'West US');
const active = is('status', 'Active');
const day = Date.UTC(2024, 9, 2);

test.each<[string, FilterNode]>([
  ["service eq 'Virtual Machines' or region eq 'West US'", or(vms, west)],
  ["properties/status eq 'Active'", active],
  ["properties.status eq 'Active'", active],
  [
    "(properties/eventType eq 'HealthAdvisory') and (Properties/Status eq 'Active')",
    and(is('eventType', 'HealthAdvisory'), active),
  ],
  [
    "Properties/EventType eq 'ServiceIssue' or Properties/EventType eq 'PlannedMaintenance'",
    or(is('eventType', 'ServiceIssue'), is('eventType', 'PlannedMaintenance')),
  ],
  ["eventType eq 'Maintenance'", is('eventType', 'Maintenance')],
  ["eventType eq 'serviceissue'", is('eventType', 'ServiceIssue')],
  ["EVENTSOURCE NE 'servicehealth'", is('eventSource', 'ServiceHealth', 'ne')],
  ["eventLevel eq 'ERROR' and level eq 'warning'", and(is('eventLevel', 'Error'), is('level', 'Warning'))],
  ["trackingId eq 'BC_1-FXZ'", is('trackingId', 'BC_1-FXZ')],
  ["name ne 'BC_1-FXZ'", is('trackingId', 'BC_1-FXZ', 'ne')],
  ["service eq 'O''Neill''s'", is('service', "O'Neill's")],
  ["service eq ''''", is('service', "'")],
  ["service eq ''", is('service', '')],
  ["service eq 'a or (b) and not c'", is('service', 'a or (b) and not c')],
  ["service eq ' Mail ♥ '", is('service', ' Mail ♥ ')],
  ["\t service\n eq\r\n'Virtual Machines' ", vms],
  ["(((service eq 'Virtual Machines')))", vms],
  ["not(status eq 'Active')", not(active)],
  ["not status eq 'Active' and region eq 'West US'", and(not(active), west)],
  ["NOT not status eq 'Active'", not(not(active))],
  ["status eq 'Active' or service eq 'Virtual Machines' and region eq 'West US'", or(active, and(vms, west))],
  ["(status eq 'Active' or service eq 'Virtual Machines') and region eq 'West US'", and(or(active, vms), west)],
  ["status eq 'Active' or (service eq 'Virtual Machines' OR region eq 'West US')", or(active, vms, west)],
  ["(status eq 'Active' and service eq 'Virtual Machines') and region eq 'West US'", and(active, vms, west)],
  ['isHIR eq true', is('isHIR', true)],
  ["ishir ne 'FALSE'", is('isHIR', false, 'ne')],
  ['priority lt 8', is('priority', 8, 'lt')],
  ["priority ge '16'", is('priority', 16, 'ge')],
  ['priority gt -0', is('priority', 0, 'gt')],
  ['lastUpdateTime ge 2024-10-02', is('lastUpdateTime', day, 'ge')],
  ["lastUpdateTime le '2024-10-02T00:00:00.0000000Z'", is('lastUpdateTime', day, 'le')],
  ['impactStartTime gt 10/2/2024', is('impactStartTime', day, 'gt')],
  ['(impactStartTime eq 10/02/2024 00:00:00)', is('impactStartTime', day)],
  [
    'lastUpdateTime lt 2024-10-02T02:00:00 02:00 and isHIR eq true',
    and(is('lastUpdateTime', day, 'lt'), is('isHIR', true)),
  ],
])('%s', (text, node) => {
  expect(parseFilter(text)).toEqual(node);
});

test.each([
  ['', 1, 'found the end of the filter where a comparison such as'],
  ['   ', 4, 'found the end of the filter where a comparison such as'],
  ["colour eq 'red'", 1, '"colour" is not a property to filter by. Use one of: service, region, eventType,'],
  ["properties/eventSubType eq 'Retirement'", 1, '"properties/eventSubType" is not a property'],
  ["status eq 'Active' and properties/x eq 'y'", 24, '"properties/x" is not a property'],
  ["properties/properties/status eq 'Active'", 1, '"properties/properties/status" is not a property'],
  ["contains(service, 'Mail')", 1, 'the function "contains" is not supported'],
  ["'Mail' eq service", 1, 'Write the property first'],
  ["service is 'Mail'", 9, 'found "is" after service where eq or ne is needed'],
  ["service in ('Mail')", 9, 'found "in" after service'],
  ["service gt 'Mail'", 9, '"gt" does not work with service. Use eq or ne'],
  ['priority like 4', 10, 'found "like" after priority where eq, ne, lt, le, gt or ge is needed'],
  ['service', 8, 'found the end of the filter after service where eq or ne'],
  ['service eq', 11, "found the end of the filter where service needs a value in single quotes, such as 'Mail'"],
  ['status eq Active', 11, `found "Active" where status needs a value in single quotes, such as 'Active'`],
  ['status eq null', 11, 'found "null" where status needs'],
  ['status eq "Active"', 11, 'where status needs a value in single quotes'],
  ["service eq 'Mail", 12, 'is not closed'],
  ["service eq 'Mail''", 12, 'is not closed'],
  ["service eq 'O'Neill'", 15, 'double quotes within a value'],
  ["service eq 'a'or region eq 'b'", 15, 'Put a space between them'],
  ["service eq'a'", 9, `found "eq'a'" after service`],
  ["service eq 'a\0'", 12, 'NUL'],
  ["service eq 'a' region eq 'b'", 16, 'found "region" where "and", "or" or the end is needed'],
  ["service eq 'a' or", 18, 'found the end of the filter where a comparison'],
  ["and service eq 'a'", 1, '"and" is not a property'],
  ["service eq 'a' and or region eq 'b'", 20, '"or" is not a property'],
  ["(service eq 'a'", 16, '"(" at position 1 is not closed'],
  ["(service eq 'a' x", 17, 'found "x" where ")", "and" or "or" is needed'],
  ["service eq 'a')", 15, 'closes a parenthesis that was not opened'],
  ['()', 2, 'found ")" where a comparison'],
  ['not', 4, 'found the end of the filter where a comparison'],
  ['isHIR', 6, 'found the end of the filter after isHIR'],
  ['isHIR eq 1', 10, 'where isHIR needs true or false'],
  ['priority eq high', 13, 'found "high" where priority needs a whole number such as 4'],
  ['priority eq 1.5', 13, 'where priority needs a whole number'],
  ['priority eq 12345678901', 13, 'where priority needs a whole number'],
  ['priority eq (4)', 13, 'found "(" where priority needs'],
  ['lastUpdateTime ge', 18, 'where lastUpdateTime needs a time such as'],
  ['lastUpdateTime ge 2/30/2024', 19, '"2/30/2024" is not a valid time'],
  ["lastUpdateTime ge 'yesterday'", 19, '"yesterday" is not a valid time'],
])('%j is refused at position %i: %s', (text, position, message) => {
  const problem = refusal(text);
  expect(problem.position).toBe(position);
  expect(problem.message).toContain(`At position ${position}: `);
  expect(problem.message).toContain(message);
});

function refusal(text: string): FilterProblem {
  try {
    parseFilter(text);
  } catch (error) {
    if (error instanceof FilterProblem) return error;
    throw error;
  }
  throw new Error(`${text} was not refused`);
}

test('a word of 40 characters is shown completely, a longer one is truncated', () => {
  expect(refusal('x'.repeat(40)).message).toContain(`"${'x'.repeat(40)}" is not a property`);
  expect(refusal('x'.repeat(41)).message).toContain(`"${'x'.repeat(40)}…" is not a property`);
});

test('accepts 4,096 characters and not one more', () => {
  const filter = (length: number) => `service eq '${'x'.repeat(length - 13)}'`;
  expect(parseFilter(filter(4096))).toEqual(is('service', 'x'.repeat(4083)));
  expect(refusal(filter(4097)).message).toBe(
    'At position 4097: the filter has 4097 characters. Shorten it to at most 4,096.',
  );
});

test('accepts 200 comparisons and not one more', () => {
  const filter = (count: number) => Array.from({ length: count }, () => 'priority eq 1').join(' or ');
  expect(parseFilter(filter(200))).toEqual(or(...Array.from({ length: 200 }, () => is('priority', 1))));
  expect(refusal(filter(201)).message).toContain('more than 200 comparisons');
});

test.each(['(', 'not '])('%j can be nested 32 levels deep and not deeper', (step) => {
  const filter = (depth: number) => `${step.repeat(depth)}priority eq 1${step === '(' ? ')'.repeat(depth) : ''}`;
  expect(() => parseFilter(filter(32))).not.toThrow();
  expect(refusal(filter(33)).message).toContain('nested more than 32 deep');
  expect(refusal(step.repeat(4096 / step.length)).message).toContain('nested more than 32 deep');
});

test('formatting and parsing preserves a filter', () => {
  fc.assert(
    fc.property(anyFilter(), (node) => {
      const text = formatFilter(node);
      fc.pre(text.length <= 4096);
      expect(parseFilter(text)).toEqual(node);
    }),
  );
});

test('case, spaces, prefixes and redundant parentheses change nothing', () => {
  const noise = fc.constantFrom(' ', '\t', '\n  ', '   ');
  const prefix = fc.constantFrom('', 'properties/', 'PROPERTIES.', 'Properties/');
  fc.assert(
    fc.property(anyFilter({ isStrange: false }), noise, prefix, fc.boolean(), (node, space, before, isUpper) => {
      const noisy = formatFilter(node).replaceAll(/'(?:[^']|'')*'|[^\s()]+|\s/g, (part) => {
        if (part.startsWith("'")) return part;
        if (/^\s$/.test(part)) return space;
        const isName = /^[a-z]/i.test(part) && !/^(and|or|not|eq|ne|lt|le|gt|ge|true|false)$/.test(part);
        return (isName ? before : '') + (isUpper ? part.toUpperCase() : part);
      });
      const wrapped = `${space}(${noisy})${space}`;
      fc.pre(wrapped.length <= 4096);
      expect(parseFilter(wrapped)).toEqual(node);
    }),
  );
});

test('any text is a filter or a FilterProblem with a position in the text', () => {
  const tokens = [
    ...["'", "''", '(', ')', ' ', 'and', ' or ', 'not ', 'eq', ' lt ', 'service', 'priority', 'lastUpdateTime', '7'],
    ...['isHIR eq true', "status eq 'Active'", 'properties/', '7/24/2020', '\0', '\u{1f980}', '\ud800'],
  ];
  const nearly = fc.array(fc.constantFrom(...tokens), { maxLength: 60 }).map((all) => all.join(''));
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: anySign }), nearly), (text) => {
      try {
        expect(parseFilter(formatFilter(parseFilter(text)))).toEqual(parseFilter(text));
      } catch (error) {
        expect(error).toBeInstanceOf(FilterProblem);
        const { position, message } = error as FilterProblem;
        expect(position >= 1 && position <= text.length + 1).toBe(true);
        expect(message.length).toBeLessThan(500);
      }
    }),
    { numRuns: 1000 },
  );
});
