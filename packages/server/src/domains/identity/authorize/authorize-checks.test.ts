import { describe, expect, test } from 'vitest';
import { type AuthorizeRequest, checks, firstRefusal, type Refusal } from './authorize-checks.ts';

const board = 'https://board.example.com/signed-in';
const client = {
  id: 'c1',
  name: 'Status board',
  redirectUris: [board, 'http://localhost/'],
  allowsImplicit: true,
  isBuiltIn: false,
  createdAt: 0,
};
const person = {
  name: 'grace',
  email: 'grace@example.com',
  signedInAt: 1000,
  consent: { origin: '', grantedAt: 1000 },
};

const sound: AuthorizeRequest = {
  query: new URLSearchParams({ client_id: 'c1', redirect_uri: board, response_type: 'token' }),
  client,
  audiences: ['https://mooring.example.com/', 'https://mooring.example.com'],
  person,
  promptedAt: undefined,
};

/** Builds the valid request with other parameters; null omits one. */
const createRequest = (
  parameters: Record<string, string | null> = {},
  changes: Partial<AuthorizeRequest> = {},
): AuthorizeRequest => {
  const query = new URLSearchParams(sound.query);
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null) query.delete(name);
    else query.set(name, value);
  }
  return { ...sound, query, ...changes };
};
const twice = (name: string): AuthorizeRequest => ({
  ...sound,
  query: new URLSearchParams(`${sound.query}&${name}=1&${name}=2`),
});
const code = { response_type: 'code', code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' };
const anonymous = { person: undefined };
const stranger = { person: { ...person, consent: undefined } };

const page = { page: expect.any(String) };
const error = (error: string) => ({ error, description: expect.any(String) });

/** For each check, requests that it refuses and that all checks before it accept. */
const refused: Record<string, [what: string, createRequest: AuthorizeRequest, refusal: Refusal | object][]> = {
  'no parameter is repeated': [
    ['two states', twice('state'), page],
    ['two clients', twice('client_id'), page],
  ],
  'the client is registered': [
    ['none', createRequest({ client_id: null }, { client: undefined }), page],
    ['unknown', createRequest({}, { client: undefined }), page],
  ],
  'the redirect URL is registered': [
    ['none', createRequest({ redirect_uri: null }), page],
    ['another', createRequest({ redirect_uri: 'https://evil.example/' }), page],
    ['a longer one', createRequest({ redirect_uri: `${board}/x` }), page],
  ],
  'the response type is supported': [
    ['none', createRequest({ response_type: null }), error('unsupported_response_type')],
    ['id_token', createRequest({ response_type: 'id_token' }), error('unsupported_response_type')],
    ['both', createRequest({ response_type: 'code token' }), error('unsupported_response_type')],
  ],
  'the client may use this flow': [
    ['token', createRequest({}, { client: { ...client, allowsImplicit: false } }), error('unauthorized_client')],
  ],
  'the response mode is supported': [
    ['form_post', createRequest({ response_mode: 'form_post' }), error('invalid_request')],
    ['a token in the query', createRequest({ response_mode: 'query' }), error('invalid_request')],
    ['a code by post', createRequest({ ...code, response_mode: 'form_post' }), error('invalid_request')],
  ],
  'a code requires PKCE': [
    ['no challenge', createRequest({ response_type: 'code' }), error('invalid_request')],
    ['plain', createRequest({ ...code, code_challenge_method: 'plain' }), error('invalid_request')],
    ['no method', createRequest({ ...code, code_challenge_method: null }), error('invalid_request')],
    ['too short', createRequest({ ...code, code_challenge: 'a'.repeat(42) }), error('invalid_request')],
  ],
  'the resource is this server': [
    ['another', createRequest({ resource: 'https://graph.example.com/' }), error('invalid_resource')],
    ['a longer one', createRequest({ resource: 'https://mooring.example.com/x' }), error('invalid_resource')],
  ],
  'the scope is supported': [
    ['another', createRequest({ scope: 'user_impersonation Mail.Read' }), error('invalid_scope')],
    ['of another', createRequest({ scope: 'https://graph.example.com/user_impersonation' }), error('invalid_scope')],
  ],
  'the prompt is supported': [
    ['another', createRequest({ prompt: 'create' }), error('invalid_request')],
    ['none and more', createRequest({ prompt: 'none login' }), error('invalid_request')],
  ],
  'a user is signed in': [
    ['nobody', createRequest({}, anonymous), { next: 'sign-in' }],
    ['nobody, silently', createRequest({ prompt: 'none' }, anonymous), error('login_required')],
  ],
  'the user signed in again, if the client requires it': [
    ['not asked yet', createRequest({ prompt: 'login' }), { next: 'sign-in' }],
    ['asked since', createRequest({ prompt: 'login' }, { promptedAt: 1001 }), { next: 'sign-in' }],
    ['choose', createRequest({ prompt: 'select_account' }), { next: 'sign-in' }],
  ],
  'the user is the one that the client expects': [
    ['another', createRequest({ login_hint: 'ada@example.com' }), { next: 'sign-in' }],
    ['another, silently', createRequest({ login_hint: 'ada', prompt: 'none' }), error('interaction_required')],
  ],
  'the user has consented': [
    ['never', createRequest({}, stranger), { next: 'consent' }],
    ['never, silently', createRequest({ prompt: 'none' }, stranger), error('consent_required')],
    ['not asked yet', createRequest({ prompt: 'consent' }), { next: 'consent' }],
    ['asked since', createRequest({ prompt: 'consent' }, { promptedAt: 1001 }), { next: 'consent' }],
    ['elsewhere', createRequest({ redirect_uri: 'http://localhost:1234/' }), { next: 'consent' }],
  ],
};

test('each check refuses at least one request', () => {
  expect(Object.keys(refused)).toEqual(checks.all.map(({ name }) => name));
});

describe.each(Object.entries(refused))('%s, or it is refused', (name, cases) => {
  test.each(cases)('%s', (_what, createRequest, refusal) => {
    const at = checks.all.findIndex((check) => check.name === name);
    expect(firstRefusal(checks.all.slice(0, at), createRequest)).toBeUndefined();
    expect(firstRefusal(checks.all, createRequest)).toEqual(refusal);
  });
});

test.each([
  ['a token', createRequest()],
  ['a token in the fragment', createRequest({ response_mode: 'fragment' })],
  ['a code', createRequest(code)],
  ['a code in the fragment', createRequest({ ...code, response_mode: 'fragment' })],
  ['a code in the query', createRequest({ ...code, response_mode: 'query' })],
  [
    'a code for a client without the implicit flow',
    createRequest(code, { client: { ...client, allowsImplicit: false } }),
  ],
  ['the resource', createRequest({ resource: 'https://mooring.example.com' })],
  ['the resource with a slash', createRequest({ resource: 'https://mooring.example.com/' })],
  ['the scope', createRequest({ scope: 'openid profile user_impersonation' })],
  ['the scope of the resource', createRequest({ scope: 'https://mooring.example.com/user_impersonation' })],
  ['its default scope', createRequest({ scope: 'https://mooring.example.com//.default' })],
  ['nothing to be shown', createRequest({ prompt: 'none' })],
  ['the person who is signed in', createRequest({ login_hint: ' Grace@Example.com ' })],
  ['their name', createRequest({ login_hint: 'grace' })],
  ['a sign-in since', createRequest({ prompt: 'login', login_hint: 'ada' }, { promptedAt: 1000 })],
  ['a consent since', createRequest({ prompt: 'consent' }, { promptedAt: 999 })],
  ['something unknown', createRequest({ domain_hint: 'example.com', nonce: 'x', 'x-client-SKU': 'MSAL.JS' })],
])('accepts a request for %s', (_what, createRequest) => {
  expect(firstRefusal(checks.all, createRequest)).toBeUndefined();
});
