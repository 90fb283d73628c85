import { describe, expect, test } from 'vitest';
import { type Asked, checks, firstRefusal, type Refusal } from './authorize-checks.ts';

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

const sound: Asked = {
  query: new URLSearchParams({ client_id: 'c1', redirect_uri: board, response_type: 'token' }),
  client,
  audiences: ['https://mooring.example.com/', 'https://mooring.example.com'],
  person,
  askedAt: undefined,
};

/** The sound request with other parameters; null leaves one out. */
const asked = (parameters: Record<string, string | null> = {}, changes: Partial<Asked> = {}): Asked => {
  const query = new URLSearchParams(sound.query);
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null) query.delete(name);
    else query.set(name, value);
  }
  return { ...sound, query, ...changes };
};
const twice = (name: string): Asked => ({ ...sound, query: new URLSearchParams(`${sound.query}&${name}=1&${name}=2`) });
const code = { response_type: 'code', code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' };
const nobody = { person: undefined };
const stranger = { person: { ...person, consent: undefined } };

const page = { page: expect.any(String) };
const error = (error: string) => ({ error, description: expect.any(String) });

/** For each check, requests that it and no check before it refuses. */
const refused: Record<string, [what: string, asked: Asked, refusal: Refusal | object][]> = {
  'no parameter is given twice': [
    ['two states', twice('state'), page],
    ['two clients', twice('client_id'), page],
  ],
  'the client is registered': [
    ['none', asked({ client_id: null }, { client: undefined }), page],
    ['unknown', asked({}, { client: undefined }), page],
  ],
  'the redirect address is one of the client': [
    ['none', asked({ redirect_uri: null }), page],
    ['another', asked({ redirect_uri: 'https://evil.example/' }), page],
    ['a longer one', asked({ redirect_uri: `${board}/x` }), page],
  ],
  'the response type is known': [
    ['none', asked({ response_type: null }), error('unsupported_response_type')],
    ['id_token', asked({ response_type: 'id_token' }), error('unsupported_response_type')],
    ['both', asked({ response_type: 'code token' }), error('unsupported_response_type')],
  ],
  'the client may use this flow': [
    ['token', asked({}, { client: { ...client, allowsImplicit: false } }), error('unauthorized_client')],
  ],
  'the answer can travel that way': [
    ['form_post', asked({ response_mode: 'form_post' }), error('invalid_request')],
    ['a token in the query', asked({ response_mode: 'query' }), error('invalid_request')],
    ['a code by post', asked({ ...code, response_mode: 'form_post' }), error('invalid_request')],
  ],
  'a code is bound to whoever asked for it': [
    ['no challenge', asked({ response_type: 'code' }), error('invalid_request')],
    ['plain', asked({ ...code, code_challenge_method: 'plain' }), error('invalid_request')],
    ['no method', asked({ ...code, code_challenge_method: null }), error('invalid_request')],
    ['too short', asked({ ...code, code_challenge: 'a'.repeat(42) }), error('invalid_request')],
  ],
  'the resource is this server': [
    ['another', asked({ resource: 'https://graph.example.com/' }), error('invalid_resource')],
    ['a longer one', asked({ resource: 'https://mooring.example.com/x' }), error('invalid_resource')],
  ],
  'the scope is known': [
    ['another', asked({ scope: 'user_impersonation Mail.Read' }), error('invalid_scope')],
    ['of another', asked({ scope: 'https://graph.example.com/user_impersonation' }), error('invalid_scope')],
  ],
  'the prompt is known': [
    ['another', asked({ prompt: 'create' }), error('invalid_request')],
    ['none and more', asked({ prompt: 'none login' }), error('invalid_request')],
  ],
  'somebody is signed in': [
    ['nobody', asked({}, nobody), { next: 'sign-in' }],
    ['nobody, silently', asked({ prompt: 'none' }, nobody), error('login_required')],
  ],
  'they signed in for this, if the client wants that': [
    ['not asked yet', asked({ prompt: 'login' }), { next: 'sign-in' }],
    ['asked since', asked({ prompt: 'login' }, { askedAt: 1001 }), { next: 'sign-in' }],
    ['choose', asked({ prompt: 'select_account' }), { next: 'sign-in' }],
  ],
  'they are whom the client expects': [
    ['another', asked({ login_hint: 'ada@example.com' }), { next: 'sign-in' }],
    ['another, silently', asked({ login_hint: 'ada', prompt: 'none' }), error('interaction_required')],
  ],
  'they allow it': [
    ['never', asked({}, stranger), { next: 'consent' }],
    ['never, silently', asked({ prompt: 'none' }, stranger), error('consent_required')],
    ['not asked yet', asked({ prompt: 'consent' }), { next: 'consent' }],
    ['asked since', asked({ prompt: 'consent' }, { askedAt: 1001 }), { next: 'consent' }],
    ['elsewhere', asked({ redirect_uri: 'http://localhost:1234/' }), { next: 'consent' }],
  ],
};

test('every check is seen refusing', () => {
  expect(Object.keys(refused)).toEqual(checks.all.map(({ name }) => name));
});

describe.each(Object.entries(refused))('%s, or it is refused', (name, cases) => {
  test.each(cases)('%s', (_what, asked, refusal) => {
    const at = checks.all.findIndex((check) => check.name === name);
    expect(firstRefusal(checks.all.slice(0, at), asked)).toBeUndefined();
    expect(firstRefusal(checks.all, asked)).toEqual(refusal);
  });
});

test.each([
  ['a token', asked()],
  ['a token in the fragment', asked({ response_mode: 'fragment' })],
  ['a code', asked(code)],
  ['a code in the fragment', asked({ ...code, response_mode: 'fragment' })],
  ['a code in the query', asked({ ...code, response_mode: 'query' })],
  ['a code for a client without the implicit flow', asked(code, { client: { ...client, allowsImplicit: false } })],
  ['the resource', asked({ resource: 'https://mooring.example.com' })],
  ['the resource with a slash', asked({ resource: 'https://mooring.example.com/' })],
  ['the scope', asked({ scope: 'openid profile user_impersonation' })],
  ['the scope of the resource', asked({ scope: 'https://mooring.example.com/user_impersonation' })],
  ['its default scope', asked({ scope: 'https://mooring.example.com//.default' })],
  ['nothing to be shown', asked({ prompt: 'none' })],
  ['the person who is signed in', asked({ login_hint: ' Grace@Example.com ' })],
  ['their name', asked({ login_hint: 'grace' })],
  ['a sign-in since', asked({ prompt: 'login', login_hint: 'ada' }, { askedAt: 1000 })],
  ['a consent since', asked({ prompt: 'consent' }, { askedAt: 999 })],
  ['something unknown', asked({ domain_hint: 'example.com', nonce: 'x', 'x-client-SKU': 'MSAL.JS' })],
])('a request for %s passes', (_what, asked) => {
  expect(firstRefusal(checks.all, asked)).toBeUndefined();
});
