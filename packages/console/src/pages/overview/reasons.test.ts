import { expect, test } from 'vitest';
import type { ApiToken } from '../../api/account/tokens.ts';
import { alertAttention, invitationAttention, tokenAttention } from './reasons.ts';

const now = Date.parse('2026-11-15T12:00:00Z');
const token = (description: string, expires_at?: string): ApiToken => ({
  id: description,
  description,
  scope: ['all'],
  last_four: 'abcd',
  created_at: '2026-01-01T00:00:00Z',
  created_by: 'ada',
  ...(expires_at ? { expires_at } : {}),
});

test('lists only tokens that expire within two weeks', () => {
  const tokens = [
    token('for ever'),
    token('gone', '2026-11-14T12:00:00Z'),
    token('ci', '2026-11-16T11:00:00Z'),
    token('later', '2027-01-01T00:00:00Z'),
  ];
  expect(tokenAttention(tokens, '/tokens', now)).toEqual([
    { text: 'The API token ci expires in 1 day', to: '/tokens', isUrgent: true },
  ]);
});

test('lists only alerting rules, and summarizes many', () => {
  const rule = (name: string, state: 'ok' | 'alerting', enabled = true) => ({ name, state, enabled });
  const rules = [rule('stable', 'alerting'), rule('quiet', 'ok'), rule('off', 'alerting', false)];
  expect(alertAttention(rules, '/alerts')).toEqual([
    { text: 'The alert rule stable is alerting', to: '/alerts', isUrgent: true },
  ]);
  const many = ['a', 'b', 'c', 'd'].map((name) => rule(name, 'alerting'));
  expect(alertAttention(many, '/alerts').map(({ text }) => text)).toEqual(['4 alert rules are alerting']);
});

test('summarizes many reasons of one type', () => {
  const tokens = ['a', 'b', 'c', 'd'].map((name) => token(name, '2026-11-20T00:00:00Z'));
  expect(tokenAttention(tokens, '/tokens', now).map(({ text }) => text)).toEqual([
    '4 API tokens expire within two weeks',
  ]);
  expect([0, 1, 2].map((open) => invitationAttention(open, '/members')[0]?.text)).toEqual([
    undefined,
    '1 invitation is waiting for an answer',
    '2 invitations are waiting for an answer',
  ]);
});
