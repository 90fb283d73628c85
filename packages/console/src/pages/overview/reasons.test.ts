import { expect, test } from 'vitest';
import { invitationAttention } from './reasons.ts';

test('counts open invitations', () => {
  expect([0, 1, 2].map((open) => invitationAttention(open, '/members')[0]?.text)).toEqual([
    undefined,
    '1 invitation is waiting for an answer',
    '2 invitations are waiting for an answer',
  ]);
});
