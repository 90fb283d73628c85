import { empty, endpoint, json } from '../endpoint/index.ts';
import { OrgPath } from '../fields.ts';
import { listQuery, Page } from '../paging.ts';
import { Type } from '../type.ts';

/** Effects of a sign-in rule on a person. */
export const signInEffects = {
  provider: 'Signs in with the provider; the password stops working.',
  first_sign_in:
    'Signs in with the provider, which links the account at the first sign-in; the password stops working.',
  locked_out:
    'Can no longer sign in: the email address is not confirmed and the account is not linked. Confirm the address, or link the account first.',
  administrator:
    'Keeps the password, which then needs a second factor, because administrators of the server must be able to sign in without the provider.',
  unaffected: 'Keeps the password, because the email address is not in a domain of the provider.',
} as const;
export type SignInEffect = keyof typeof signInEffects;

const ProviderName = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The name of an enabled identity provider with allowed domains.',
});
const Rule = Type.Object(
  { provider: Type.Optional(Type.String({ description: 'Absent if passwords work.' })) },
  { $id: 'SignInRule' },
);
const RuleBody = json(Type.Object({ provider: ProviderName }));
const Preview = Page(
  Type.Object(
    {
      name: Type.String(),
      display_name: Type.String(),
      email: Type.String(),
      effect: Type.Enum(Object.keys(signInEffects) as SignInEffect[]),
    },
    { $id: 'SignInRuleEffect' },
  ),
);
const previewQuery = Type.Object({
  provider: ProviderName,
  ...listQuery(['name', 'display_name', 'email'], 'names and email addresses'),
});
const OrgParams = Type.Object(OrgPath);
const explanation =
  'People whose email address is in a domain of the provider can then sign in only with it; their passwords stop working, also for HTTP Basic. Open sessions and API tokens stay valid. Administrators of the server keep their password.';

export const adminSignInRule_get = endpoint({
  id: 'adminSignInRule_get',
  method: 'GET',
  path: '/v0.1/admin/sign_in_rule',
  tag: 'signing in',
  summary: 'Get the identity provider that replaces passwords on this server',
  access: 'admin',
  effect: 'read',
  response: json(Rule, { description: 'The rule.' }),
});

export const adminSignInRule_set = endpoint({
  id: 'adminSignInRule_set',
  method: 'PUT',
  path: '/v0.1/admin/sign_in_rule',
  tag: 'signing in',
  summary: 'Require an identity provider on this server',
  description: explanation,
  access: 'admin',
  effect: 'change',
  request: RuleBody,
  response: json(Rule, { description: 'The rule.' }),
  errors: [409],
});

export const adminSignInRule_delete = endpoint({
  id: 'adminSignInRule_delete',
  method: 'DELETE',
  path: '/v0.1/admin/sign_in_rule',
  tag: 'signing in',
  summary: 'Allow passwords on this server again',
  access: 'admin',
  effect: 'change',
  response: empty({ description: 'Passwords work again.' }),
  errors: [404],
});

export const adminSignInRule_preview = endpoint({
  id: 'adminSignInRule_preview',
  method: 'GET',
  path: '/v0.1/admin/sign_in_rule/preview',
  tag: 'signing in',
  summary: 'List what requiring an identity provider would do to each user',
  access: 'admin',
  effect: 'read',
  query: previewQuery,
  response: json(Preview, { description: 'A page of enabled users, with the effect on each.' }),
  errors: [409],
});

export const orgSignInRule_get = endpoint({
  id: 'orgSignInRule_get',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/sign_in_rule',
  tag: 'signing in',
  summary: 'Get the identity provider that replaces passwords of members of an organization',
  access: 'org:admin',
  effect: 'read',
  params: OrgParams,
  response: json(Rule, { description: 'The rule.' }),
});

export const orgSignInRule_set = endpoint({
  id: 'orgSignInRule_set',
  method: 'PUT',
  path: '/v0.1/orgs/{org_name}/sign_in_rule',
  tag: 'signing in',
  summary: 'Require an identity provider for members of an organization',
  description: explanation,
  access: 'org:admin',
  effect: 'change',
  params: OrgParams,
  request: RuleBody,
  response: json(Rule, { description: 'The rule.' }),
  errors: [409],
});

export const orgSignInRule_delete = endpoint({
  id: 'orgSignInRule_delete',
  method: 'DELETE',
  path: '/v0.1/orgs/{org_name}/sign_in_rule',
  tag: 'signing in',
  summary: 'Allow passwords of members of an organization again',
  access: 'org:admin',
  effect: 'change',
  params: OrgParams,
  response: empty({ description: 'Passwords work again, unless another rule forbids them.' }),
});

export const orgSignInRule_preview = endpoint({
  id: 'orgSignInRule_preview',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/sign_in_rule/preview',
  tag: 'signing in',
  summary: 'List what requiring an identity provider would do to each member of an organization',
  access: 'org:admin',
  effect: 'read',
  params: OrgParams,
  query: previewQuery,
  response: json(Preview, { description: 'A page of enabled members, with the effect on each.' }),
  errors: [409],
});
