import { expect, test } from 'vitest';
import { groupMail } from './group-mail.ts';

const content = {
  inviter: 'Ada Lovelace',
  target: 'the app ada/compass',
  group: 'Beta divers',
  email: 'grace@example.com',
  link: 'https://mooring.example.com/invitations/group/token',
  expiresAt: Date.parse('2026-11-08T09:00:00Z'),
};

test('the email names inviter, app and group, and has the link on a separate line', () => {
  const { to, subject, text } = groupMail(content);
  expect([to, subject]).toEqual(['grace@example.com', 'Ada Lovelace invites you to test the app ada/compass']);
  expect(text.split('\n')).toContain(content.link);
  expect(text).toContain('in the group "Beta divers"');
  expect(text).toContain('It works until 2026-11-08 09:00 UTC');
});

test('names contain no links and no line breaks', () => {
  const { subject, text } = groupMail({ ...content, inviter: 'Eve\r\nBcc: all', group: 'a\n\nhttps://example.org' });
  expect(subject).toBe('Eve Bcc all invites you to test the app ada/compass');
  expect(text.split('\n')[0]).toContain('"a https example org"');
});
