import { attentionKinds } from '@mooring/contract';
import { expect, test } from 'vitest';
import type { AppOverview } from '../../api/overview.ts';
import { appAttention } from './app-attention.ts';

const now = Date.parse('2026-11-15T12:00:00Z');
const params = { owners: 'orgs', owner: 'harbour', app: 'buoy' };
const describe = (entry: Partial<AppOverview['attention'][number]>) =>
  appAttention([{ kind: 'open_crashes', level: 'warning', count: 1, ...entry }], params, now)[0];

test('links a single crash, and the list of several', () => {
  expect(
    describe({ kind: 'new_crashes', level: 'urgent', name: 'NullPointerException', path: { issue_id: 'i1' } }),
  ).toEqual({
    text: 'New crash: NullPointerException',
    to: '/orgs/harbour/apps/buoy/crashes/i1',
    action: 'View crash',
    isUrgent: true,
  });
  expect(describe({ count: 4 })).toEqual({
    text: '4 open crashes',
    to: '/orgs/harbour/apps/buoy/crashes',
    action: 'View crashes',
    isUrgent: false,
  });
});

test('says how many days a token is still valid', () => {
  const token = { kind: 'expiring_token', name: 'ci', path: { api_token_id: 't' } } as const;
  expect(describe({ ...token, at: '2026-11-16T11:00:00Z' })?.text).toBe('The API token ci expires in 1 day');
  expect(describe({ ...token, name: '', at: '2026-11-17T13:00:00Z' })?.text).toBe(
    'The API token without a name expires in 3 days',
  );
});

test('has a text, a page and an action for every kind, with and without a single resource', () => {
  for (const kind of attentionKinds) {
    for (const entry of [
      { kind, count: 2 },
      { kind, count: 1, name: 'one', path: {} },
    ]) {
      const { text, to, action } = describe(entry) ?? {};
      expect([text, to, action], kind).toEqual([
        expect.stringMatching(/\w/),
        expect.stringMatching(/^\//),
        expect.stringMatching(/^[A-Z]/),
      ]);
    }
  }
});
