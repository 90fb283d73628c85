import type { Client } from '../clients/clients.ts';
import { isRegistered, loopbackOrigin } from '../clients/redirect-uris.ts';
import type { OAuthErrorCode } from './oauth-failure.ts';

/** A signed-in user, and what they have allowed the requesting client. */
export interface Person {
  name: string;
  email: string;
  signedInAt: number;
  consent: { origin: string; grantedAt: number } | undefined;
}

/** A request to the authorize endpoint, with the resources that it names. */
export interface AuthorizeRequest {
  query: URLSearchParams;
  client: Client | undefined;
  /** The allowed values of `resource`. */
  audiences: readonly string[];
  person: Person | undefined;
  /** Time when the user was first asked; undefined if they have not been asked yet. */
  promptedAt: number | undefined;
}

/** Shown on a page only; sent to the client; or a step that the user must complete first. */
export type Refusal =
  | { page: string }
  | { error: OAuthErrorCode; description: string }
  | { next: 'sign-in' | 'consent' };

export interface Check {
  name: string;
  refuse(request: AuthorizeRequest): Refusal | undefined;
}

const knownParameters = [
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
/** Libraries request these out of habit; this server has no data for them. */
const ignoredScopes = ['openid', 'profile', 'email', 'offline_access'];

export const getResponseType = (query: URLSearchParams) => query.get('response_type') ?? '';

/** Access tokens are only sent in the fragment, which browsers do not send to servers. */
export const getResponseMode = (query: URLSearchParams): 'query' | 'fragment' =>
  getResponseType(query) === 'code' && query.get('response_mode') !== 'fragment' ? 'query' : 'fragment';

const parseSpaceSeparated = (query: URLSearchParams, name: string): string[] =>
  (query.get(name) ?? '').split(' ').filter(Boolean);

const prompted = (query: URLSearchParams, ...values: string[]): boolean =>
  parseSpaceSeparated(query, 'prompt').some((prompt) => values.includes(prompt));

const invalid = (description: string): Refusal => ({ error: 'invalid_request', description });

/** Requires a step of the user, unless the client asked for no interaction. */
const requireStep = (
  { query }: AuthorizeRequest,
  next: 'sign-in' | 'consent',
  error: OAuthErrorCode,
  description: string,
): Refusal => (prompted(query, 'none') ? { error, description } : { next });

const isSince = (at: number, promptedAt: number | undefined): boolean => promptedAt !== undefined && at >= promptedAt;

function isHinted({ query, person }: AuthorizeRequest): boolean {
  const hint = query.get('login_hint')?.trim().toLowerCase();
  return !hint || hint === person?.email.toLowerCase() || hint === person?.name.toLowerCase();
}

function isKnownScope(scope: string, audiences: readonly string[]): boolean {
  if (scope === SCOPE || ignoredScopes.includes(scope)) return true;
  return audiences.some((audience) => scope === `${audience}/${SCOPE}` || scope === `${audience}/.default`);
}

/** Until these checks pass, the redirect URL is not trusted, so the response stays on this server. */
const redirectUriChecks: Check[] = [
  {
    name: 'no parameter is repeated',
    refuse: ({ query }) => {
      const twice = knownParameters.find((name) => query.getAll(name).length > 1);
      return twice ? { page: `The parameter ${twice} is repeated. Send it once.` } : undefined;
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
    name: 'the redirect URL is registered',
    refuse: ({ query, client }) => {
      const uri = query.get('redirect_uri');
      if (uri && isRegistered(client?.redirectUris ?? [], uri)) return undefined;
      return { page: uri ? 'This redirect_uri is not registered for the client.' : 'redirect_uri is missing.' };
    },
  },
];

const requestChecks: Check[] = [
  {
    name: 'the response type is supported',
    refuse: ({ query }) =>
      ['token', 'code'].includes(getResponseType(query))
        ? undefined
        : { error: 'unsupported_response_type', description: 'response_type must be token or code.' },
  },
  {
    name: 'the client may use this flow',
    refuse: ({ query, client }) =>
      getResponseType(query) === 'code' || client?.allowsImplicit
        ? undefined
        : { error: 'unauthorized_client', description: 'This client may not use response_type=token; use code.' },
  },
  {
    name: 'the response mode is supported',
    refuse: ({ query }) => {
      const mode = query.get('response_mode');
      if (mode === null || mode === 'fragment' || (mode === 'query' && getResponseType(query) === 'code'))
        return undefined;
      return invalid('response_mode must be fragment; for response_type=code it may also be query.');
    },
  },
  {
    name: 'a code requires PKCE',
    refuse: ({ query }) => {
      if (getResponseType(query) !== 'code') return undefined;
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
      return { error: 'invalid_resource', description: `resource must be omitted, or be ${audiences[0]}` };
    },
  },
  {
    name: 'the scope is supported',
    refuse: ({ query, audiences }) =>
      parseSpaceSeparated(query, 'scope').every((scope) => isKnownScope(scope, audiences))
        ? undefined
        : { error: 'invalid_scope', description: `scope must be omitted, or be ${SCOPE}.` },
  },
  {
    name: 'the prompt is supported',
    refuse: ({ query }) => {
      const requestedPrompts = parseSpaceSeparated(query, 'prompt');
      const isKnown = requestedPrompts.every((prompt) => prompts.includes(prompt));
      if (isKnown && !(requestedPrompts.includes('none') && requestedPrompts.length > 1)) return undefined;
      return invalid('prompt must be none alone, or one or more of login, consent and select_account.');
    },
  },
];

const personChecks: Check[] = [
  {
    name: 'a user is signed in',
    refuse: (request) =>
      request.person
        ? undefined
        : requireStep(request, 'sign-in', 'login_required', 'Sign-in required: this browser has no active session.'),
  },
  {
    name: 'the user signed in again, if the client requires it',
    refuse: ({ query, person, promptedAt }) =>
      prompted(query, 'login', 'select_account') && !isSince(person?.signedInAt ?? 0, promptedAt)
        ? { next: 'sign-in' }
        : undefined,
  },
  {
    name: 'the user is the one that the client expects',
    refuse: (request) =>
      isHinted(request) || isSince(request.person?.signedInAt ?? 0, request.promptedAt)
        ? undefined
        : requireStep(request, 'sign-in', 'interaction_required', 'The signed-in user is not the one in login_hint.'),
  },
  {
    name: 'the user has consented',
    refuse: (request) => {
      const { query, person, promptedAt } = request;
      const consent = person?.consent;
      const isConsented = consent?.origin === loopbackOrigin(query.get('redirect_uri') ?? '');
      const isFresh = !prompted(query, 'consent') || isSince(consent?.grantedAt ?? 0, promptedAt);
      if (isConsented && isFresh) return undefined;
      return requireStep(
        request,
        'consent',
        'consent_required',
        'The user has not allowed this client to act for them.',
      );
    },
  },
];

/** All checks that must pass before a client gets a code or token, in their order. */
export const checks = {
  /** Checks on the request alone. */
  request: [...redirectUriChecks, ...requestChecks],
  all: [...redirectUriChecks, ...requestChecks, ...personChecks],
} as const satisfies Record<string, readonly Check[]>;

export function firstRefusal(list: readonly Check[], request: AuthorizeRequest): Refusal | undefined {
  for (const check of list) {
    const refusal = check.refuse(request);
    if (refusal) return refusal;
  }
  return undefined;
}
