import { User } from '../accounts/users.contract.ts';
import { empty, endpoint, form, json, redirect } from '../endpoint/index.ts';
import { Time, Uuid } from '../fields.ts';
import { Type } from '../type.ts';

/** Why a sign-in with an identity provider failed: the code in the address of the sign-in page, and its text there. */
export const signInProblems = {
  unknown: 'This server has no such identity provider. Choose one of those below.',
  unreachable: 'The identity provider cannot be reached or is misconfigured. Try again later, or ask an administrator.',
  expired: 'This sign-in was started in another browser, or more than 10 minutes ago. Start again.',
  denied: 'The identity provider did not sign you in. Start again, or ask its administrator for access.',
  invalid:
    'The response of the identity provider is invalid, so you were not signed in. Start again; if this persists, ask an administrator.',
  email: 'The identity provider did not confirm an email address for you. Ask an administrator.',
  domain: 'Your email address is not in a domain that may sign in with this identity provider. Ask an administrator.',
  account: 'This server has no account for you. Ask an administrator to create one with your email address.',
  taken:
    'The account is already linked to another user of this identity provider. An administrator can remove that link.',
  disabled: 'Your account on this server is disabled. Ask an administrator.',
} as const;
export type SignInProblem = keyof typeof signInProblems;

const ProviderPath = Type.Object({ provider: Type.String({ minLength: 1, maxLength: 100 }) });
const UserPath = Type.Object({ user_id: Uuid });
const unchecked = (description: string) => Type.Optional(Type.Unknown({ description }));

export const signInProviders_list = endpoint({
  id: 'signInProviders_list',
  method: 'GET',
  path: '/v0.1/sign_in/providers',
  tag: 'signing in',
  summary: 'List the identity providers for the sign-in page',
  access: 'public',
  effect: 'read',
  response: json(
    Type.Array(
      Type.Object({
        name: Type.String(),
        display_name: Type.String(),
        url: Type.String({ description: 'Path that starts the sign-in.' }),
      }),
    ),
    { description: 'The enabled providers.' },
  ),
});

export const oidc_start = endpoint({
  id: 'oidc_start',
  method: 'GET',
  path: '/auth/oidc/{provider}',
  tag: 'signing in',
  summary: 'Start a sign-in with an identity provider',
  description: 'For browsers. Redirects to the provider, or to the sign-in page with a problem.',
  access: 'public',
  effect: 'read',
  params: ProviderPath,
  query: Type.Object({
    next: Type.Optional(
      Type.String({ maxLength: 2000, description: 'Path on this server to open after the sign-in (default: /).' }),
    ),
    again: Type.Optional(
      Type.String({ maxLength: 10, description: 'If present, the provider asks the person to sign in again.' }),
    ),
  }),
  response: redirect({ description: 'The next URL for the browser.' }),
  errorShape: 'page',
});

export const oidc_callback = endpoint({
  id: 'oidc_callback',
  method: 'GET',
  path: '/auth/oidc/{provider}/callback',
  tag: 'signing in',
  summary: 'Complete a sign-in with an identity provider',
  description:
    'The redirect URI of this server at the provider. Sets the session cookie, or redirects to the sign-in page with a problem.',
  access: 'public',
  effect: 'read',
  params: ProviderPath,
  query: Type.Object({
    code: unchecked('The authorization code.'),
    state: unchecked('Must match the sign-in that this browser started.'),
    iss: unchecked('The issuer, as in RFC 9207.'),
    error: unchecked('Why the provider did not sign the user in.'),
    error_description: unchecked('Details of the error.'),
  }),
  response: redirect({ description: 'The next URL for the browser.' }),
  errorShape: 'page',
});

export const oidc_backChannelLogout = endpoint({
  id: 'oidc_backChannelLogout',
  method: 'POST',
  path: '/auth/oidc/{provider}/backchannel-logout',
  tag: 'signing in',
  summary: 'End the sessions of a user who has signed out at an identity provider',
  description:
    'Called by the provider (OpenID Connect Back-Channel Logout). With `sid`, ends the sessions that this session of the provider opened; with `sub` only, all that the user opened with the provider. API tokens stay valid.',
  access: 'public',
  effect: 'change',
  params: ProviderPath,
  request: form(Type.Object({ logout_token: unchecked('A logout token; each works once.') }), {
    maxBytes: 32_768,
    maxFields: 10,
  }),
  response: empty({ status: 200, description: 'The sessions have ended, on every process.' }),
  errorShape: 'oauth',
  errors: [404],
});

export const signOut_create = endpoint({
  id: 'signOut_create',
  method: 'POST',
  path: '/v0.1/sign_out',
  tag: 'signing in',
  summary: 'Sign out, also at the identity provider',
  description: 'Ends the session of this request.',
  access: 'user',
  effect: 'change',
  request: json(Type.Object({})),
  response: json(
    Type.Object({
      location: Type.Optional(
        Type.String({ description: 'The page of the identity provider to open, if the provider signs out, too.' }),
      ),
    }),
    { description: 'You are signed out here.' },
  ),
  errors: [404],
});

export const signInLinks_get = endpoint({
  id: 'signInLinks_get',
  method: 'GET',
  path: '/v0.1/sign_in/link',
  tag: 'signing in',
  summary: 'Get the user of an identity provider who is not linked to an account yet',
  description: 'For the page on which they link their account; this browser must have signed in at the provider.',
  access: 'public',
  effect: 'read',
  response: json(
    Type.Object({ provider: Type.String(), display_name: Type.String(), email: Type.Optional(Type.String()) }),
    {
      description: 'The provider, and the email address there.',
      mayBeEmpty: 'This browser has no such sign-in, or it is older than 10 minutes.',
    },
  ),
});

export const signInLinks_create = endpoint({
  id: 'signInLinks_create',
  method: 'POST',
  path: '/v0.1/sign_in/link',
  tag: 'signing in',
  summary: 'Link an account to a user of an identity provider, and sign in',
  description:
    'Needs the password of the account once, and the sign-in at the provider that this browser completed in the last 10 minutes.',
  access: 'public',
  effect: 'change',
  request: json(
    Type.Object({
      login: Type.String({ minLength: 1, maxLength: 254, description: 'The name or email of the account.' }),
      password: Type.String({ minLength: 1, maxLength: 256 }),
      code: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 40,
          description: 'A code of the second factor of the account, if it has one.',
        }),
      ),
    }),
  ),
  response: json(Type.Object({ user: User, next: Type.String({ description: 'The path to open.' }) }), {
    status: 201,
    description: 'The account is linked, and the user is signed in.',
  }),
  errors: [401, 409],
});

export const SignInLink = Type.Object(
  {
    issuer: Type.String({ description: 'The issuer of the identity provider.' }),
    subject: Type.String({ description: 'The ID of the user there: the claim `sub`.' }),
    linked_at: Time,
  },
  { $id: 'SignInLink' },
);

export const adminSignInLinks_list = endpoint({
  id: 'adminSignInLinks_list',
  method: 'GET',
  path: '/v0.1/admin/users/{user_id}/sign_in_links',
  tag: 'signing in',
  summary: 'List the users of identity providers that an account is linked to',
  access: 'admin',
  effect: 'read',
  params: UserPath,
  response: json(Type.Array(SignInLink), { description: 'The links, by issuer.' }),
  errors: [404],
});

export const adminSignInLinks_create = endpoint({
  id: 'adminSignInLinks_create',
  needsUnlimited: true,
  method: 'POST',
  path: '/v0.1/admin/users/{user_id}/sign_in_links',
  tag: 'signing in',
  summary: 'Link an account to a user of an identity provider in advance',
  description: 'The user can then sign in with the provider without entering the password of the account once.',
  access: 'admin',
  effect: 'change',
  params: UserPath,
  request: json(
    Type.Object({
      provider: Type.String({ minLength: 1, maxLength: 100, description: 'The name of the identity provider.' }),
      subject: Type.String({ minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' }),
    }),
  ),
  response: json(SignInLink, { status: 201, description: 'The link.' }),
  errors: [404, 409],
});

export const adminSignInLinks_delete = endpoint({
  id: 'adminSignInLinks_delete',
  method: 'DELETE',
  path: '/v0.1/admin/users/{user_id}/sign_in_links',
  tag: 'signing in',
  summary: 'Unlink an account from all identity providers',
  description: 'Ends its console sessions. The next sign-in with a provider has to link the account again.',
  access: 'admin',
  effect: 'change',
  params: UserPath,
  response: empty({ description: 'The account is no longer linked.' }),
  errors: [404],
});
