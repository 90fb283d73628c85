import { expect, test } from 'vitest';
import { invitationMail } from './invitation-mail.ts';

const content = {
  inviter: 'Ada Lovelace',
  target: 'the organization Lighthouse',
  role: 'collaborator',
  email: 'grace@example.com',
  link: 'https://mooring.example.com/invitations/org/token',
  expiresAt: Date.parse('2026-11-08T09:00:00Z'),
};

test('the email names the inviter, the target, the role and the expiry, and has the link on its own line', () => {
  const { to, subject, text } = invitationMail(content);
  expect([to, subject]).toEqual(['grace@example.com', 'Ada Lovelace invites you to the organization Lighthouse']);
  expect(text.split('\n')).toContain(content.link);
  expect(text).toContain('as collaborator');
  expect(text).toContain('2026-11-08 09:00 UTC');
});

test('a name stays on one line and contains nothing that an email program turns into a link', () => {
  const { subject, text } = invitationMail({ ...content, inviter: 'Eve\r\nBcc: all\n\nhttps://example.org' });
  expect(subject).toBe('Eve Bcc all https example org invites you to the organization Lighthouse');
  expect(text.split('\n')[0]).toContain(subject);
});
