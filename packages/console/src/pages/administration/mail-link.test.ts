import { expect, test } from 'vitest';
import { linkIn } from './mail-link.ts';

test('the link of a mail is its last one, whatever the names before it look like', () => {
  expect(linkIn('https://evil.example invites you to Lighthouse.\n\nhttps://here.example/invitations/org/a1\n')).toBe(
    'https://here.example/invitations/org/a1',
  );
  expect(linkIn('Ada invites you.\n\n(link)')).toBeUndefined();
});
