import { expect, test } from 'vitest';
import type { AuditEvent } from '../../api/administration/audit.ts';
import { formatSentence, gather } from './sentence.ts';

const event = (action: string, name: string, at = '2026-11-15T12:00:00.000Z'): AuditEvent => ({
  id: `${name} ${at}`,
  at,
  action,
  actor: { kind: 'user', user_id: 'ada' },
  subject: { kind: action.split('.')[0] ?? '', id: name, name },
});

test.each([
  ['api_token.create', 'created the API token x'],
  ['org.update_member', 'changed the role of the member x'],
  ['org.add_member', 'added the member x'],
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
  ['oauth_client.create', 'created the OAuth client x'],
  ['release.resign', 're-signed the release x'],
  ['device_set.create', 'created the device set x'],
  ['invitation.create', 'invited x'],
  ['mail.reveal_link', 'showed the link in an email to x'],
  ['identity_provider.create', 'created the identity provider x'],
  ['sign_in_rule.set', 'set the sign-in rule x'],
  ['factor_rule.set', 'set the second-factor rule x'],
  ['group_mapping.create', 'created the group mapping x'],
])('describes %s as “%s”', (action, sentence) => {
  expect(formatSentence([event(action, 'x')])).toBe(sentence);
});

test.each([
  ['symbol_upload.commit', 1, 'completed a symbol upload of the app x'],
  ['symbol_upload.create', 3, 'created 3 symbol uploads of the app x'],
  ['crash_issue.split', 1, 'split a crash issue of the app x'],
  ['crash_grouping.update', 2, 'updated the crash grouping rules of the app x'],
  ['export_configuration.disable', 1, 'disabled an export of the app x'],
  ['ingestion.block', 1, 'started dropping logs of the app x'],
  ['build_settings.update', 1, 'updated the build settings of the app x'],
  ['test_run.stop', 1, 'stopped a test run of the app x'],
  ['test_series.create', 2, 'created 2 test series of the app x'],
  ['app.map_to_apple', 1, 'linked the app x to an App Store app'],
])('describes %s, recorded with its app %i times, as “%s”', (action, count, sentence) => {
  const events = Array.from({ length: count }, () => ({
    ...event(action, 'x'),
    subject: { kind: 'app', id: 'x', name: 'x' },
  }));
  expect(formatSentence(events)).toBe(sentence);
});

test('describes one action on several resources in one sentence', () => {
  const invited = ['a', 'b', 'c'].map((name) => event('invitation.create', name));
  expect(formatSentence(invited)).toBe('sent 3 invitations');
  const deleted = ['a', 'b'].map((name) => event('session.delete', name));
  expect(formatSentence(deleted)).toBe('ended a session 2 times');
  expect(formatSentence([event('group.add_user', 'Crew'), event('group.add_user', 'Crew')])).toBe(
    'added 2 users to the group Crew',
  );
  expect(formatSentence([])).toBe('');
});

test('describes events whose resource is recorded with another kind', () => {
  const about = (action: string, kind: string, name?: string) =>
    formatSentence([{ ...event(action, 'x'), subject: { kind, id: 'x', ...(name ? { name } : {}) } }]);
  expect(about('quotas.set', 'org', 'crew')).toBe('set the quotas of the organization crew');
  expect(about('email_settings.update', 'user')).toBe('updated the email settings of the user');
  expect(about('service_account.create', 'user', 'robot')).toBe('created the service account robot');
  expect(about('oauth.allow_device', 'oauth_client', 'x')).toBe('signed in a machine with the OAuth client x');
  expect(about('oauth.deny', 'oauth_client', 'Board')).toBe('denied the OAuth client Board access to their account');
});

test('describes the steps of an upload', () => {
  const step = (status?: string) =>
    formatSentence([{ ...event('release.upload', 'ada/x'), ...(status ? { after: { status } } : {}) }]);
  expect(step('uploadStarted')).toBe('started the upload of a release of ada/x');
  expect(step('uploadCanceled')).toBe('canceled the upload of a release of ada/x');
  expect(step()).toBe('uploaded a release of ada/x');
});

test('groups only equal events of one actor within two minutes', () => {
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
