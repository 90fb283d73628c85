import type { AuditEvent } from '../../api/administration/audit.ts';

/** Past tenses that the general rule would spell wrong. */
const pasts: Record<string, string> = {
  set: 'set',
  reset: 'reset',
  resend: 'resent',
  withdraw: 'withdrew',
  deny: 'denied',
  transfer: 'transferred',
  split: 'split',
  stop: 'stopped',
  rollback: 'rolled back',
};

const kinds: Record<string, string> = {
  org: 'organization',
  api_token: 'API token',
  ci_rule: 'CI rule',
  oauth_client: 'OAuth client',
  scim_token: 'SCIM token',
  sign_in_rule: 'sign-in rule',
  factor_rule: 'second-factor rule',
  deployment: 'CodePush deployment',
  export_configuration: 'export',
  analytics_audience: 'audience',
  analytics_chart: 'saved chart',
  branch_configuration: 'build configuration',
  mail: 'email',
};

/** Parts of an app that audit events name by their topic, if it has one of them or if it can't be counted. */
const partLabels: Record<string, string> = {
  analytics_event: 'the data of an event',
  analytics_install: 'the data of an install',
  analytics_retention: 'the telemetry retention',
  analytics_user: 'the data of a user',
  bug_tracker: 'the bug tracker',
  build_settings: 'the build settings',
  crash_grouping: 'the crash grouping rules',
  crash_retention: 'the crash retention',
  email_settings: 'the email settings',
  push_hook: 'the push webhook',
  quotas: 'the quotas',
  repository: 'the repository',
};

/**
 * Actions that the general rule would phrase badly. {it} stands for the resource or the number of resources, and {name} for
 * the name alone, so that a second phrase is needed for several resources.
 */
const phrases: Record<string, string | [one: string, many: string]> = {
  'app.end_former_secrets': 'ended the previous secrets of {it}',
  'app.link_subscription': 'linked a subscription to {it}',
  'app.map_to_apple': 'linked {it} to an App Store app',
  'app.set_permission': 'changed a role on {it}',
  'app.unlink_subscription': 'unlinked a subscription from {it}',
  'app.unmap_from_apple': 'unlinked {it} from its App Store app',
  'user.add_favorite_app': 'marked an app as a favorite',
  'user.remove_favorite_app': 'removed an app from their favorites',
  'bug_tracker.check': 'tested the connection to the bug tracker of {it}',
  'build.prioritize': 'changed the priority of a build of {it}',
  'crash_group.await': 'imported the states of crash groups of {it}',
  'crash_report.reprocess': 'reprocessed crash reports of {it}',
  'ci_rule.use': ['got a token for the CI job {name}', 'got {count} tokens for CI jobs'],
  'data_request.cancel': 'canceled a data request',
  'data_request.create': 'created a data request',
  'deployment.clear': 'deleted all releases of {it}',
  'deployment.end_former_keys': 'ended the previous keys of {it}',
  'deployment.promote': 'promoted a release to {it}',
  'deployment.release': 'released an update to {it}',
  'deployment.update_release': 'updated a release of {it}',
  'deployment.upload': 'uploaded a package for {it}',
  'device.register': 'registered a device',
  'device.remove': 'removed a device',
  'email_settings.test': 'sent a test email to {it}',
  'export_configuration.fail': 'marked an export of {it} as invalid',
  'group.accept': 'joined {it}',
  'group.resend_invite': 'resent an invitation to {it}',
  'health_event.import': 'started importing health events',
  'health_event.import_end': 'imported health events',
  'health_operator.add': ['made the user {name} a health operator', 'added {count} health operators'],
  'health_operator.remove': ['removed the health operator {name}', 'removed {count} health operators'],
  'history.import': 'imported data for {it}',
  'identity_provider.apply_groups': 'changed memberships of {it} according to groups of the identity provider',
  'identity_provider.sign_out': 'ended the sessions of a user of {it}',
  'identity_provider.skip_groups': 'skipped the groups of {it}, because the identity provider did not send them',
  'ingestion.block': 'started dropping logs of {it}',
  'ingestion.unblock': 'stopped dropping logs of {it}',
  'invitation.accept': ['accepted the invitation for {name}', 'accepted {count} invitations'],
  'invitation.create': ['invited {name}', 'sent {count} invitations'],
  'invitation.reject': ['declined the invitation for {name}', 'declined {count} invitations'],
  'invitation.resend': ['resent the invitation to {name}', 'resent {count} invitations'],
  'invitation.revoke': ['revoked the invitation for {name}', 'revoked {count} invitations'],
  'invitation.update': ['changed the role in the invitation for {name}', 'changed the role in {count} invitations'],
  'mail.reveal_link': ['showed the link in an email to {name}', 'showed the links in {count} emails'],
  'oauth.allow_device': 'signed in a machine with {it}',
  'oauth.consent': 'allowed {it} to access their account',
  'oauth.deny': 'denied {it} access to their account',
  'oauth.deny_device': 'refused to sign in a machine with {it}',
  'oauth.reuse_code': 'used an authorization code of {it} twice',
  'oauth.revoke_consent': 'revoked the access of {it}',
  'oauth.rotate_keys': 'rotated the signing key',
  'oidc_subject.link': 'linked an external identity to {it}',
  'oidc_subject.unlink': 'unlinked an external identity from {it}',
  'org.add_member': ['added the member {name}', 'added {count} members'],
  'org.remove_member': ['removed the member {name}', 'removed {count} members'],
  'org.set_domains': 'set the email domains of {it}',
  'org.update_member': ['changed the role of the member {name}', 'changed the role of {count} members'],
  'passkey.create': 'added a passkey to {it}',
  'passkey.delete': 'removed a passkey from {it}',
  'passkey.update': 'renamed a passkey of {it}',
  'password_reset.create': ['created a password link for {name}', 'created {count} password links'],
  'password_reset.request': ['requested a password reset for {name}', 'requested {count} password resets'],
  'password_reset.use': 'set a new password with a reset link',
  'release.hold': 'blocked the distribution of {it} until its tests pass',
  'release.resign': 're-signed {it}',
  'release.set_gate': 'changed the release gate of {it}',
  'release.set_mails': 'changed the release emails of {it}',
  'release.set_retention': ['changed the release retention of {name}', 'changed {count} rules for release retention'],
  'release.withdraw': 'removed a destination of {it}',
  'runner.invite': 'created a registration code for a runner',
  'scim_group.create': ['added the directory group {name}', 'added {count} directory groups'],
  'scim_group.delete': ['removed the directory group {name}', 'removed {count} directory groups'],
  'scim_group.update': ['changed the directory group {name}', 'changed {count} directory groups'],
  'scim_user.create': ['added the directory user {name}', 'added {count} directory users'],
  'scim_user.delete': ['removed the directory user {name}', 'removed {count} directory users'],
  'scim_user.update': ['changed the directory user {name}', 'changed {count} directory users'],
  'sender_request.create': 'created a data request for {it}',
  'second_factor.disable': 'turned off the second factor of {it}',
  'second_factor.enable': 'turned on the second factor of {it}',
  'second_factor.renew_codes': 'replaced the recovery codes of {it}',
  'second_factor.start': 'started to set up the second factor of {it}',
  'second_factor.use_recovery_code': 'used a recovery code of {it}',
  'server.set_up': 'set up the server',
  'service_account.create': ['created the service account {name}', 'created {count} service accounts'],
  'service_account.delete': ['deleted the service account {name}', 'deleted {count} service accounts'],
  'session.confirm': 'confirmed who they are',
  'session.create': 'signed in',
  'session.delete': 'ended a session',
  'sign_in_link.create': 'linked an identity provider to {it}',
  'sign_in_link.delete': 'unlinked all identity providers from {it}',
  'symbol.ignore': 'ignored missing symbols of {it}',
  'symbol.unignore': 'stopped ignoring missing symbols of {it}',
  'symbol_upload.abort': 'canceled a symbol upload of {it}',
  'symbol_upload.commit': 'completed a symbol upload of {it}',
  'team.change_users': 'changed the members of {it}',
  'team.set_permission': 'changed an app role of {it}',
  'ticket.create': 'created a ticket for an issue of {it}',
  'ticket.follow': 'changed the status of an issue of {it} to match its ticket',
  'ticket.unlink': 'unlinked a ticket from an issue of {it}',
  'update_token.create': ['allowed in-app updates of {name} on a device', 'allowed in-app updates on {count} devices'],
  'update_token.delete': ['revoked an update token of {name}', 'revoked {count} update tokens'],
  'update_token.refuse': ['was denied in-app updates of {name}', 'was denied in-app updates {count} times'],
  'user.change_password': 'changed the password of {it}',
  'webhook.replay': 'replayed a message to {it}',
  'webhook.test': 'sent a test message to {it}',
};

/** One upload is recorded in several steps. */
const uploadSteps: Record<string, string> = {
  uploadCanceled: 'canceled the upload of a release of',
  uploadFinished: 'finished the upload of a release of',
  uploadStarted: 'started the upload of a release of',
};

export const formatKind = (kind: string): string => kinds[kind] ?? kind.replaceAll('_', ' ');

function toPastTense(verb: string): string {
  if (pasts[verb]) return pasts[verb];
  return verb.endsWith('e') ? `${verb}d` : `${verb}ed`;
}

function toPlural(noun: string): string {
  if (noun.endsWith('series')) return noun;
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

const between: Record<string, string> = { add: 'to', remove: 'from' };

/** "app.rotate_secret" becomes "rotated the secret of". */
function formatAction(action: string, count: number): string {
  const [verb = '', ...rest] = (action.split('.')[1] ?? '').split('_');
  if (rest.length === 0) return toPastTense(verb);
  const noun = rest.join(' ');
  const preposition = between[verb];
  if (!preposition) return `${toPastTense(verb)} the ${noun} of`;
  return `${toPastTense(verb)} ${count > 1 ? `${count.toLocaleString()} ${toPlural(noun)}` : `${getArticle(noun)} ${noun}`} ${preposition}`;
}

const getArticle = (noun: string): string => (/^[aeio]/i.test(noun) ? 'an' : 'a');

/** For events recorded with their app: "a symbol upload of". */
const formatPart = (noun: string, count: number): string => {
  const label = formatKind(noun);
  return `${partLabels[noun] ?? (count > 1 ? `${count.toLocaleString()} ${toPlural(label)}` : `${getArticle(label)} ${label}`)} of`;
};

/** Describes one event or several equal ones: "created the team Pilots", "sent 60 invitations". */
export function formatSentence(events: AuditEvent[]): string {
  const [event] = events;
  if (!event) return '';
  const { action, subject } = event;
  const count = events.length;
  const isOne = events.every((other) => other.subject.id === subject.id);
  const kind = formatKind(subject.kind);
  const it = isOne
    ? `the ${kind}${subject.name ? ` ${subject.name}` : ''}`
    : `${count.toLocaleString()} ${toPlural(kind)}`;
  const phrase = phrases[action];
  if (typeof phrase === 'string') {
    if (phrase.includes('{it}')) return phrase.replace('{it}', () => it);
    return count > 1 ? `${phrase} ${count.toLocaleString()} times` : phrase;
  }
  if (phrase && isOne) return phrase[0].replace('{name}', () => subject.name ?? 'someone');
  if (phrase) return phrase[1].replace('{count}', count.toLocaleString());
  if (action === 'release.upload')
    return `${uploadSteps[String(event.after?.status)] ?? 'uploaded a release of'} ${subject.name ?? 'an app'}`;
  const [noun = ''] = action.split('.');
  const isPart = noun !== subject.kind && formatKind(noun) !== kind;
  return `${formatAction(action, count)}${isPart ? ` ${formatPart(noun, count)}` : ''} ${it}`;
}

/** Equal events of one actor within this time count as one action. */
const TOGETHER = 120_000;

/** Groups events of one action, such as bulk changes; events are sorted newest first, and stay so. */
export function gather(events: AuditEvent[]): AuditEvent[][] {
  const acts: AuditEvent[][] = [];
  for (const event of events) {
    const act = acts.at(-1);
    const last = act?.at(-1);
    const isSame =
      last?.action === event.action &&
      last.actor.user_id === event.actor.user_id &&
      last.actor.kind === event.actor.kind &&
      last.actor.token_id === event.actor.token_id &&
      Date.parse(last.at) - Date.parse(event.at) < TOGETHER;
    if (act && isSame) act.push(event);
    else acts.push([event]);
  }
  return acts;
}
