import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stepsFromText, stepsToText } from './chart-url.ts';

const step = fc.record({
  event: fc.string({ minLength: 1 }),
  property: fc.string({ minLength: 1 }),
  value: fc.string(),
});

test('restores funnel steps with any names from the URL', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(step, fc.record({ event: fc.string({ minLength: 1 }) })), { maxLength: 5 }),
      (steps) => {
        expect(stepsFromText(stepsToText(steps))).toEqual(steps.map((each) => ({ ...each })));
      },
    ),
  );
});

test('reads a damaged URL without an error', () => {
  expect(stepsFromText('50%~a~b!open')).toEqual([{ event: '50%', property: 'a', value: 'b' }, { event: 'open' }]);
  expect(stepsFromText('')).toEqual([]);
});
