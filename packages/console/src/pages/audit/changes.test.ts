import { expect, test } from 'vitest';
import { actionInWords, changesOf } from './changes.ts';

test.each([
  ['api_token.create', 'API token: create'],
  ['user.change_password', 'User: change password'],
  ['server.set_up', 'Server: set up'],
])('%s reads %s', (action, text) => {
  expect(actionInWords(action)).toBe(text);
});

test('a change is told field by field', () => {
  const event = { before: { is_admin: false, avatar_url: null }, after: { is_admin: true, avatar_url: 'https://a' } };
  expect(changesOf(event)).toEqual([
    { field: 'is admin', before: 'no', after: 'yes' },
    { field: 'avatar url', before: 'nothing', after: 'https://a' },
  ]);
});

test('what was made has no before, and what was deleted no after', () => {
  expect(changesOf({ after: { scope: 'viewer' } })).toEqual([{ field: 'scope', before: undefined, after: 'viewer' }]);
  expect(changesOf({ before: { scope: 'all' } })).toEqual([{ field: 'scope', before: 'all', after: undefined }]);
  expect(changesOf({})).toEqual([]);
});

test('a moment is told as a time', () => {
  const at = Date.parse('2027-11-01T09:00:00Z');
  for (const value of [at, '2027-11-01T09:00:00.000Z']) {
    expect(changesOf({ after: { expires_at: value } })[0]?.after).toBe(new Date(at).toLocaleString());
  }
});
