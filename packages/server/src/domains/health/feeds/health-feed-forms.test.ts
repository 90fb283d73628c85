import { expect, test } from 'vitest';
import { sanitiseText } from '../events/sanitise.ts';
import { withoutTags } from './health-feed-forms.ts';

test.each([
  ['Mail <i>pauses</i>.', 'Mail pauses.'],
  ['1 < 2', '1 < 2'],
  ['a <b', 'a <b'],
  ['a < b > c', 'a  c'],
  ['<<a>>', '>'],
  [' <p>  </p> ', ''],
])('%j is %j without its tags', (html, text) => {
  expect(withoutTags(html)).toBe(text);
});

/** Quadratic code would not finish these before the test times out. */
test.each(['<', '<a', '<a ', '<a b="', '&', '</', '<!--', '<b>', '< >'])(
  'a summary that repeats only %j is read in linear time',
  async (part) => {
    const text = part.repeat(200_000 / part.length);
    expect(withoutTags(text).length).toBeLessThanOrEqual(text.length);
    const safe = await sanitiseText(text);
    expect(safe).not.toMatch(/<(?!\/?b>)/);
  },
);
