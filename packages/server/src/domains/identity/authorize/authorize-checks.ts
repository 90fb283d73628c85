import type { Client } from '../clients/clients.ts';
import { isRegistered, loopbackOrigin } from '../clients/redirect-uris.ts';
import type { OAuthErrorCode } from './oauth-failure.ts';

/** Somebody who is signed in, and what they allowed the client that asks. */
export interface Person {
  name: string;
  email: string;
  signedInAt: number;
  consent: { origin: string; grantedAt: number } | undefined;
}

/** A request at the authorize endpoint, with what is known about it. */
export interface Asked {
  query: URLSearchParams;
  client: Client | undefined;
  /** What `resource` may be. */
  audiences: readonly string[];
  person: Person | undefined;
  /** Since when the person is being asked; undefined when they have not been asked yet. */
  askedAt: number | undefined;
}

/** Shown on a page and sent nowhere; sent to the client; or something that the person has to do first. */
export type Refusal =
  | { page: string }
  | { error: OAuthErrorCode; description: string }
  | { next: 'sign-in' | 'consent' };

export interface Check {
  name: string;
  refuse(asked: Asked): Refusal | undefined;
}

const known = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'state',
  'scope',
  'resource',
  'prompt',
  'login_hint',
  'code_challenge',
  'code_challenge_method',
];
const prompts = ['none', 'login', 'consent', 'select_account'];
export const SCOPE = 'user_impersonation';
/** Asked for by libraries out of habit; there is nothing to give for them. */
const ignoredScopes = ['openid', 'profile', 'email', 'offline_access'];

export const flowOf = (query: URLSearchParams) => query.get('response_type') ?? '';

/** How the answer travels: a token only ever in the fragment, which browsers do not send to servers. */
export const modeOf = (query: URLSearchParams): 'query' | 'fragment' =>
  flowOf(query) === 'code' && query.get('response_mode') !== 'fragment' ? 'query' : 'fragment';

const words = (query: URLSearchParams, name: string): string[] => (query.get(name) ?? '').split(' ').filter(Boolean);

const prompted = (query: URLSearchParams, ...wanted: string[]): boolean =>
  words(query, 'prompt').some((prompt) => wanted.includes(prompt));

const invalid = (description: string): Refusal => ({ error: 'invalid_request', description });

/** The person does it, unless the client asked not to show anything. */
const ask = ({ query }: Asked, next: 'sign-in' | 'consent', error: OAuthErrorCode, description: string): Refusal =>
  prompted(query, 'none') ? { error, description } : { next };

const isSince = (at: number, askedAt: number | undefined): boolean => askedAt !== undefined && at >= askedAt;

function isHinted({ query, person }: Asked): boolean {
  const hint = query.get('login_hint')?.trim().toLowerCase();
  return !hint || hint === person?.email.toLowerCase() || hint === person?.name.toLowerCase();
}

function isKnownScope(scope: string, audiences: readonly string[]): boolean {
  if (scope === SCOPE || ignoredScopes.includes(scope)) return true;
  return audiences.some((audience) => scope === `${audience}/${SCOPE}` || scope === `${audience}/.default`);
}

/** Until these have passed, nobody knows whom to answer, so nothing is sent anywhere. */
const redirectUriChecks: Check[] = [
  {
    name: 'no parameter is given twice',
    refuse: ({ query }) => {
      const twice = known.find((name) => query.getAll(name).length > 1);
      return twice ? { page: `The parameter ${twice} is given more than once.` } : undefined;
    },
  },
  {
    name: 'the client is registered',
    refuse: ({ query, client }) => {
      if (client) return undefined;
      return {
        page: query.get('client_id') ? 'No client is registered under this client_id.' : 'client_id is missing.',
      };
    },
  },
  {
    name: 'the redirect address is one of the client',
    refuse: ({ query, client }) => {
      const uri = query.get('redirect_uri');
      if (uri && isRegistered(client?.redirectUris ?? [], uri)) return undefined;
      return { page: uri ? 'This redirect_uri is not registered for the client.' : 'redirect_uri is missing.' };
    },
  },
];

const requestChecks: Check[] = [
  {
    name: 'the response type is known',
    refuse: ({ query }) =>
      ['token', 'code'].includes(flowOf(query))
        ? undefined
        : { error: 'unsupported_response_type', description: 'response_type must be token or code.' },
  },
  {
    name: 'the client may use this flow',
    refuse: ({ query, client }) =>
      flowOf(query) === 'code' || client?.allowsImplicit
        ? undefined
        : { error: 'unauthorized_client', description: 'This client may not use response_type=token; use code.' },
  },
  {
    name: 'the answer can travel that way',
    refuse: ({ query }) => {
      const mode = query.get('response_mode');
      if (mode === null || mode === 'fragment' || (mode === 'query' && flowOf(query) === 'code')) return undefined;
      return invalid('response_mode must be fragment; for response_type=code it may also be query.');
    },
  },
  {
    name: 'a code is bound to whoever asked for it',
    refuse: ({ query }) => {
      if (flowOf(query) !== 'code') return undefined;
      const isBound = query.get('code_challenge_method') === 'S256';
      return isBound && /^[\w-]{43}$/.test(query.get('code_challenge') ?? '')
        ? undefined
        : invalid('response_type=code needs PKCE: code_challenge (43 characters) and code_challenge_method=S256.');
    },
  },
  {
    name: 'the resource is this server',
    refuse: ({ query, audiences }) => {
      const resource = query.get('resource');
      if (!resource || audiences.includes(resource)) return undefined;
      return { error: 'invalid_resource', description: `resource must be left out, or be ${audiences[0]}` };
    },
  },
  {
    name: 'the scope is known',
    refuse: ({ query, audiences }) =>
      words(query, 'scope').every((scope) => isKnownScope(scope, audiences))
        ? undefined
        : { error: 'invalid_scope', description: `scope must be left out, or be ${SCOPE}.` },
  },
  {
    name: 'the prompt is known',
    refuse: ({ query }) => {
      const asked = words(query, 'prompt');
      const isKnown = asked.every((prompt) => prompts.includes(prompt));
      if (isKnown && !(asked.includes('none') && asked.length > 1)) return undefined;
      return invalid('prompt must be none alone, or one or more of login, consent and select_account.');
    },
  },
];

const personChecks: Check[] = [
  {
    name: 'somebody is signed in',
    refuse: (asked) =>
      asked.person ? undefined : ask(asked, 'sign-in', 'login_required', 'Nobody is signed in in this browser.'),
  },
  {
    name: 'they signed in for this, if the client wants that',
    refuse: ({ query, person, askedAt }) =>
      prompted(query, 'login', 'select_account') && !isSince(person?.signedInAt ?? 0, askedAt)
        ? { next: 'sign-in' }
        : undefined,
  },
  {
    name: 'they are whom the client expects',
    refuse: (asked) =>
      isHinted(asked) || isSince(asked.person?.signedInAt ?? 0, asked.askedAt)
        ? undefined
        : ask(asked, 'sign-in', 'interaction_required', 'Somebody else is signed in than login_hint says.'),
  },
  {
    name: 'they allow it',
    refuse: (asked) => {
      const { query, person, askedAt } = asked;
      const given = person?.consent;
      const isGiven = given?.origin === loopbackOrigin(query.get('redirect_uri') ?? '');
      const isFresh = !prompted(query, 'consent') || isSince(given?.grantedAt ?? 0, askedAt);
      if (isGiven && isFresh) return undefined;
      return ask(asked, 'consent', 'consent_required', 'The person has not allowed this client to act for them.');
    },
  },
];

/** Everything that must hold before a client gets anything, in the order in which it is looked at. */
export const checks = {
  /** What can be said of the request alone. */
  request: [...redirectUriChecks, ...requestChecks],
  all: [...redirectUriChecks, ...requestChecks, ...personChecks],
} as const satisfies Record<string, readonly Check[]>;

export function firstRefusal(list: readonly Check[], asked: Asked): Refusal | undefined {
  for (const check of list) {
    const refusal = check.refuse(asked);
    if (refusal) return refusal;
  }
  return undefined;
}
