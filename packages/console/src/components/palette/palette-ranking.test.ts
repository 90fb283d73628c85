import { expect, test } from 'vitest';
import { rankGroups, score, scoreText } from './palette-ranking.ts';

test('prefers the whole text, then its start, then starts of words, then any part', () => {
  const scores = ['crashes', 'crashes by day', 'all crashes', 'ancrashesx', 'releases'].map((text) =>
    scoreText('Crashes', text),
  );
  expect(scores).toEqual([100, 80, 60, 40, 0]);
  expect(scoreText('sign out', 'Sign out')).toBe(100);
  expect(scoreText('out sig', 'Sign out')).toBe(60);
});

test('finds a page by another word for it, below a label and above the text beside it', () => {
  const page = { id: 'p', label: 'Members', keywords: 'people team', detail: 'Compass' };
  expect(['members', 'team', 'compass', 'nothing'].map((search) => score(search, page))).toEqual([100, 30, 10, 0]);
});

const pages = {
  heading: 'Pages',
  picks: [
    { id: 'page crashes', label: 'Crashes', detail: 'Compass' },
    { id: 'page logs', label: 'Log flow', detail: 'Compass' },
  ],
};
const actions = { heading: 'Actions', picks: [{ id: 'sign out', label: 'Sign out' }] };
const apps = { heading: 'Apps', picks: [{ id: 'app 1', label: 'Compass' }], isFound: true };
const api = { heading: 'API operations', picks: [{ id: 'op', label: 'crashes' }], isFound: true, isLast: true };
const headings = (search: string, uses = new Map<string, number>()) =>
  rankGroups(search, [pages, actions, apps, api], uses)
    .filter(({ picks }) => picks.length > 0)
    .map(({ heading, picks }) => [heading, picks[0]?.id]);

test('shows API operations last, and the group with the best match first', () => {
  expect(headings('crashes')[0]).toEqual(['Pages', 'page crashes']);
  expect(headings('crashes').at(-1)?.[0]).toBe('API operations');
  expect(headings('sign out')[0]).toEqual(['Actions', 'sign out']);
  expect(headings('compass')[0]).toEqual(['Apps', 'app 1']);
});

test('ranks what the user opens often above equal matches, but not above better ones', () => {
  const two = {
    heading: 'Pages',
    picks: [
      { id: 'a', label: 'Log flow' },
      { id: 'b', label: 'Log search' },
    ],
  };
  const first = (search: string) => rankGroups(search, [two], new Map([['b', 40]]))[0]?.picks[0]?.id;
  expect([first('log'), first('log flow')]).toEqual(['b', 'a']);
});
