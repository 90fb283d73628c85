import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyFacts, anyFilter } from '../../../../test/harness/filters.ts';
import { parseFilter } from '../filter/filter.ts';
import { type FilterFacts, matchesFilter } from '../filter/filter-match.ts';
import { coverOf, fromLines, plainFacets, regionFacet, serviceFacet, spanOf, toLines, withoutNot } from './facets.ts';

/** An event as it is stored: what may not be absent is there. */
const stored = anyFacts().map((facts) => ({
  eventType: 'RCA',
  status: 'Active',
  isHIR: false,
  priority: 7,
  lastUpdateTime: 1,
  impactStartTime: 0,
  ...facts,
}));

const facetsOf = (facts: FilterFacts): Set<string> =>
  new Set([
    ...plainFacets({
      eventType: String(facts.eventType),
      status: String(facts.status),
      isHir: facts.isHIR === true,
    }),
    ...facts.services.map(serviceFacet),
    ...facts.regions.map(regionFacet),
  ]);

test('a filter without "not" says the same', () => {
  fc.assert(
    fc.property(anyFilter(), stored, (filter, facts) => {
      expect(matchesFilter(withoutNot(filter), facts)).toBe(matchesFilter(filter, facts));
    }),
  );
});

test('every matching event has a facet of the cover and lies in its span; an exact cover matches nothing else', () => {
  fc.assert(
    fc.property(anyFilter(), stored, (filter, facts) => {
      const plain = withoutNot(filter);
      const cover = coverOf(plain);
      const span = spanOf(plain);
      const has = cover.facets.some((facet) => facetsOf(facts).has(facet));
      const matches = matchesFilter(filter, facts);
      if (matches) {
        expect(has).toBe(true);
        expect(facts.lastUpdateTime).toBeGreaterThanOrEqual(span.from);
        expect(facts.lastUpdateTime).toBeLessThanOrEqual(span.to);
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
])('%s is looked for under %j', (text, facets, exact) => {
  expect(coverOf(withoutNot(parseFilter(text)))).toEqual({ facets, exact });
});

test('lines are read as they were written', () => {
  for (const items of [[''], ['a'], ['', 'a', 'b']]) expect(fromLines(toLines(items))).toEqual(items);
});
