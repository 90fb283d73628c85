import type { AuditEvent } from '../../api/audit.ts';

/** Verbs whose past is not made by "ed". */
const pasts: Record<string, string> = {
  set: 'set',
  reset: 'reset',
  resend: 'resent',
  withdraw: 'withdrew',
  deny: 'denied',
  transfer: 'transferred',
  commit: 'committed',
  split: 'split',
  rollback: 'rolled back',
};

const kinds: Record<string, string> = {
  org: 'organization',
  api_token: 'API token',
  oauth: 'program',
  oauth_client: 'OAuth client',
  oidc_subject: 'identity',
  deployment: 'CodePush deployment',
  export_configuration: 'export',
};

/** What an app has one of, and what is told by its parts. */
const parts: Record<string, string> = {
  crash_grouping: 'the rules of crash groups',
  crash_retention: 'how long crashes are kept',
  analytics_user: 'what a user sent',
  analytics_install: 'what an install sent',
  analytics_event: 'an event in analytics',
  ingestion: 'logs',
};

/** Actions that say all by themselves. */
const complete: Record<string, string> = {
  'session.create': 'signed in',
  'session.delete': 'ended a session',
  'server.set_up': 'set up the server',
  'oauth.rotate_keys': 'rotated the signing keys',
  'health_event.import': 'began to import health events',
  'health_event.import_end': 'imported health events',
  'password_reset.request': 'asked for a new password',
  'password_reset.use': 'set a new password by a link',
};

/** Actions that no rule tells well. */
const told: Record<string, string> = {
  'oauth.consent': 'allowed',
  'oauth.reuse_code': 'used a code twice with',
  'oauth.revoke_consent': 'revoked the access of',
  'app.set_permission': 'changed a role on',
  'app.link_subscription': 'linked a subscription to',
  'app.unlink_subscription': 'unlinked a subscription from',
  'team.set_permission': 'changed a role of',
  'org.update_member': 'changed the role of a member of',
  'group.accept': 'joined',
  'group.resend_invite': 'resent an invitation to',
};

export const kindInWords = (kind: string): string => kinds[kind] ?? kind.replaceAll('_', ' ');

function pastOf(verb: string): string {
  if (pasts[verb]) return pasts[verb];
  return verb.endsWith('e') ? `${verb}d` : `${verb}ed`;
}

const plural = (noun: string): string => (/[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`);

const between: Record<string, string> = { add: 'to', remove: 'from' };

/** "app.set_permission" as what was done: "set the permission of". */
function doneTo(action: string, count: number): string {
  const known = told[action];
  if (known) return known;
  const [verb = '', ...rest] = (action.split('.')[1] ?? '').split('_');
  if (rest.length === 0) return pastOf(verb);
  const noun = rest.join(' ');
  const preposition = between[verb];
  if (!preposition) return `${pastOf(verb)} the ${noun} of`;
  return `${pastOf(verb)} ${count > 1 ? `${count.toLocaleString()} ${plural(noun)}` : `${articleOf(noun)} ${noun}`} ${preposition}`;
}

const articleOf = (noun: string): string => (/^[aeio]/i.test(noun) ? 'an' : 'a');

/** Of what is recorded with the app that it belongs to: "a symbol upload of". */
const partOf = (noun: string, count: number): string => {
  const words = kindInWords(noun);
  return `${parts[noun] ?? (count > 1 ? `${count.toLocaleString()} ${plural(words)}` : `${articleOf(words)} ${words}`)} of`;
};

const nameOf = ({ subject }: AuditEvent): string => (subject.name ? ` ${subject.name}` : '');

/** What was done, once or several times in a row: "created the team Pilots", "created 60 invitations". */
export function sentenceOf(events: AuditEvent[]): string {
  const [event] = events;
  if (!event) return '';
  const alone = complete[event.action];
  if (alone) return events.length > 1 ? `${alone} ${events.length.toLocaleString()} times` : alone;
  const isOne = events.every(({ subject }) => subject.id === event.subject.id);
  const [noun = ''] = event.action.split('.');
  const isPart = noun !== event.subject.kind && event.subject.kind === 'app' && !told[event.action];
  const done = `${doneTo(event.action, events.length)}${isPart ? ` ${partOf(noun, events.length)}` : ''}`;
  const kind = kindInWords(event.action.startsWith('oauth.') ? 'oauth' : event.subject.kind);
  if (isOne) return `${done} the ${kind}${nameOf(event)}`;
  return `${done} ${events.length.toLocaleString()} ${plural(kind)}`;
}

/** Acts of one hand that follow each other so fast were one act to whoever did them. */
const TOGETHER = 120_000;

/** Gathers what somebody did to many things at once; events come newest first, and keep that order. */
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
