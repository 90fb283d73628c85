import { expect, test } from 'vitest';
import type { AuditEvent } from '../../api/audit.ts';
import { gather, sentenceOf } from './sentence.ts';

const event = (action: string, name: string, at = '2026-11-15T12:00:00.000Z'): AuditEvent => ({
  id: `${name} ${at}`,
  at,
  action,
  actor: { kind: 'user', user_id: 'ada' },
  subject: { kind: action.split('.')[0] ?? '', id: name, name },
});

test.each([
  ['api_token.create', 'created the API token x'],
  ['org.update_member', 'changed the role of a member of the organization x'],
  ['org.add_member', 'added a member to the organization x'],
  ['team.remove_app', 'removed an app from the team x'],
  ['team.add_user', 'added a user to the team x'],
  ['app.set_permission', 'changed a role on the app x'],
  ['app.delete_avatar', 'deleted the avatar of the app x'],
  ['group.resend_invite', 'resent an invitation to the group x'],
  ['user.change_password', 'changed the password of the user x'],
  ['health_event.withdraw', 'withdrew the health event x'],
  ['session.create', 'signed in'],
  ['server.set_up', 'set up the server'],
  ['app.transfer', 'transferred the app x'],
  ['app.rotate_secret', 'rotated the secret of the app x'],
  ['oauth.deny', 'denied the program x'],
])('%s reads “%s”', (action, sentence) => {
  expect(sentenceOf([event(action, 'x')])).toBe(sentence);
});

test.each([
  ['symbol_upload.commit', 1, 'committed a symbol upload of the app x'],
  ['symbol_upload.create', 3, 'created 3 symbol uploads of the app x'],
  ['crash_issue.split', 1, 'split a crash issue of the app x'],
  ['crash_grouping.update', 2, 'updated the rules of crash groups of the app x'],
  ['export_configuration.disable', 1, 'disabled an export of the app x'],
  ['ingestion.block', 1, 'blocked logs of the app x'],
])('%s, which is recorded with its app, %i times reads “%s”', (action, count, sentence) => {
  const events = Array.from({ length: count }, () => ({
    ...event(action, 'x'),
    subject: { kind: 'app', id: 'x', name: 'x' },
  }));
  expect(sentenceOf(events)).toBe(sentence);
});

test('one act on many things is one sentence', () => {
  const invited = ['a', 'b', 'c'].map((name) => event('invitation.create', name));
  expect(sentenceOf(invited)).toBe('created 3 invitations');
  expect(sentenceOf([event('group.add_user', 'Crew'), event('group.add_user', 'Crew')])).toBe(
    'added 2 users to the group Crew',
  );
  expect(sentenceOf([])).toBe('');
});

test('what one hand did in a row within two minutes is gathered, and nothing else', () => {
  const events = [
    event('invitation.create', 'd', '2026-11-15T12:10:00.000Z'),
    event('invitation.create', 'c', '2026-11-15T12:01:30.000Z'),
    event('invitation.create', 'b', '2026-11-15T12:00:00.000Z'),
    event('invitation.revoke', 'a', '2026-11-15T11:59:59.000Z'),
    {
      ...event('invitation.revoke', 'z', '2026-11-15T11:59:58.000Z'),
      actor: { kind: 'user' as const, user_id: 'grace' },
    },
  ];
  expect(gather(events).map((act) => act.length)).toEqual([1, 2, 1, 1]);
  expect(gather([])).toEqual([]);
});
