import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyFields, anyFilter } from '../../../../test/harness/references/filters.ts';
import type { FilterFields } from '../filter/event-properties.ts';
import { regionFacet, serviceFacet } from '../filter/facet-names.ts';
import { parseFilter } from '../filter/filter.ts';
import { matchesFilter } from '../filter/filter-match.ts';
import { fromLines, getCover, getSpan, plainFacets, toLines, withoutNot } from './facets.ts';

/** Events in stored form, with all required fields. */
const stored = anyFields().map((fields) => ({
  eventType: 'RCA',
  status: 'Active',
  isHIR: false,
  priority: 7,
  lastUpdateTime: 1,
  impactStartTime: 0,
  ...fields,
}));

const listFacets = (fields: FilterFields & { service: readonly string[]; region: readonly string[] }): Set<string> =>
  new Set([
    ...plainFacets({
      eventType: String(fields.eventType),
      status: String(fields.status),
      isHir: fields.isHIR === true,
    }),
    ...fields.service.map(serviceFacet),
    ...fields.region.map(regionFacet),
  ]);

test('a filter without "not" is equivalent', () => {
  fc.assert(
    fc.property(anyFilter(), stored, (filter, fields) => {
      expect(matchesFilter(withoutNot(filter), fields)).toBe(matchesFilter(filter, fields));
    }),
  );
});

test('every matching event has a facet of the cover and lies in its span; an exact cover matches nothing else', () => {
  fc.assert(
    fc.property(anyFilter(), stored, (filter, fields) => {
      const plain = withoutNot(filter);
      const cover = getCover(plain);
      const span = getSpan(plain);
      const has = cover.facets.some((facet) => listFacets(fields).has(facet));
      const matches = matchesFilter(filter, fields);
      if (matches) {
        expect(has).toBe(true);
        expect(fields.lastUpdateTime).toBeGreaterThanOrEqual(span.from);
        expect(fields.lastUpdateTime).toBeLessThanOrEqual(span.to);
      }
      if (cover.exact) expect(has).toBe(matches);
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ["service eq 'A' or region eq 'B'", ['s:a', 'r:b'], true],
  ["service eq 'A' and region eq 'B'", ['s:a'], false],
  ["status eq 'Active' and eventType eq 'RCA'", ['a:Active'], false],
  ["status eq 'Resolved' and eventType eq 'RCA'", ['t:RCA'], false],
  ["not (status eq 'Resolved')", ['a:Active'], true],
  ["isHIR ne false and service ne 'A'", ['h:'], false],
  ["service eq 'A' or priority lt 3", [''], false],
  ['impactStartTime lt 2020-01-01', [''], false],
])('%s is searched under %j', (text, facets, exact) => {
  expect(getCover(withoutNot(parseFilter(text)))).toEqual({ facets, exact });
});

test('reads lines back as they were written', () => {
  for (const items of [[''], ['a'], ['', 'a', 'b']]) expect(fromLines(toLines(items))).toEqual(items);
});
