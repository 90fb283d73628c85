import { empty, endpoint, json } from '../endpoint/index.ts';
import { OrgPath, Time } from '../fields.ts';
import { listQuery, Page } from '../paging.ts';
import { Type } from '../type.ts';

/** Effects of a rule that requires a second factor on a person. */
export const factorEffects = {
  ready: 'Has an authenticator app or a passkey.',
  set_up: 'Has no second factor: must set one up at the first sign-in with the password after the grace period.',
  provider: 'Signs in with a required identity provider, which has its own factors.',
} as const;
export type FactorEffect = keyof typeof factorEffects;

const Rule = Type.Object(
  { required_from: Type.Optional(Time) },
  { $id: 'SecondFactorRule', description: 'When the grace period ends; absent if no second factor is required.' },
);
const RuleBody = json(
  Type.Object({
    grace_days: Type.Integer({
      minimum: 0,
      maximum: 90,
      description: 'Number of days for people to set up a second factor.',
    }),
  }),
);
const Preview = Page(
  Type.Object(
    {
      name: Type.String(),
      display_name: Type.String(),
      email: Type.String(),
      effect: Type.Enum(Object.keys(factorEffects) as FactorEffect[]),
    },
    { $id: 'SecondFactorRuleEffect' },
  ),
);
const previewQuery = Type.Object(listQuery(['name', 'display_name', 'email'], 'names and email addresses'));
const OrgParams = Type.Object(OrgPath);
const explanation =
  'After the grace period, a password alone no longer signs in: people without a second factor set one up at their next sign-in. Open sessions and API tokens stay valid.';

export const adminFactorRule_get = endpoint({
  id: 'adminFactorRule_get',
  method: 'GET',
  path: '/v0.1/admin/second_factor_rule',
  tag: 'signing in',
  summary: 'Get since when all people of this server need a second factor',
  access: 'admin',
  effect: 'read',
  response: json(Rule, { description: 'The rule.' }),
});

export const adminFactorRule_set = endpoint({
  id: 'adminFactorRule_set',
  method: 'PUT',
  path: '/v0.1/admin/second_factor_rule',
  tag: 'signing in',
  summary: 'Require a second factor of all people of this server',
  description: explanation,
  access: 'admin',
  effect: 'change',
  request: RuleBody,
  response: json(Rule, { description: 'The rule.' }),
});

export const adminFactorRule_delete = endpoint({
  id: 'adminFactorRule_delete',
  method: 'DELETE',
  path: '/v0.1/admin/second_factor_rule',
  tag: 'signing in',
  summary: 'No longer require a second factor of all people of this server',
  access: 'admin',
  effect: 'change',
  response: empty({ description: 'No second factor is required, unless another rule does so.' }),
  errors: [404],
});

export const adminFactorRule_preview = endpoint({
  id: 'adminFactorRule_preview',
  method: 'GET',
  path: '/v0.1/admin/second_factor_rule/preview',
  tag: 'signing in',
  summary: 'List what requiring a second factor would do to each of all people of this server',
  access: 'admin',
  effect: 'read',
  query: previewQuery,
  response: json(Preview, { description: 'A page of enabled people, with the effect on each.' }),
});

export const orgFactorRule_get = endpoint({
  id: 'orgFactorRule_get',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/second_factor_rule',
  tag: 'signing in',
  summary: 'Get since when members of an organization need a second factor',
  access: 'org:admin',
  effect: 'read',
  params: OrgParams,
  response: json(Rule, { description: 'The rule.' }),
});

export const orgFactorRule_set = endpoint({
  id: 'orgFactorRule_set',
  method: 'PUT',
  path: '/v0.1/orgs/{org_name}/second_factor_rule',
  tag: 'signing in',
  summary: 'Require a second factor of members of an organization',
  description: explanation,
  access: 'org:admin',
  effect: 'change',
  params: OrgParams,
  request: RuleBody,
  response: json(Rule, { description: 'The rule.' }),
});

export const orgFactorRule_delete = endpoint({
  id: 'orgFactorRule_delete',
  method: 'DELETE',
  path: '/v0.1/orgs/{org_name}/second_factor_rule',
  tag: 'signing in',
  summary: 'No longer require a second factor of members of an organization',
  access: 'org:admin',
  effect: 'change',
  params: OrgParams,
  response: empty({ description: 'No second factor is required, unless another rule does so.' }),
  errors: [404],
});

export const orgFactorRule_preview = endpoint({
  id: 'orgFactorRule_preview',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/second_factor_rule/preview',
  tag: 'signing in',
  summary: 'List what requiring a second factor would do to each of members of an organization',
  access: 'org:admin',
  effect: 'read',
  params: OrgParams,
  query: previewQuery,
  response: json(Preview, { description: 'A page of enabled people, with the effect on each.' }),
});

const Login = Type.String({ minLength: 1, maxLength: 254, description: 'The name or email of the account.' });
const Password = Type.String({ minLength: 1, maxLength: 256 });

export const factorSetUp_start = endpoint({
  id: 'factorSetUp_start',
  method: 'POST',
  path: '/v0.1/sign_in/second_factor',
  tag: 'signing in',
  summary: 'Start to set up a required second factor at sign-in',
  description: 'For a sign-in that was refused with `X-Second-Factor: setup`.',
  access: 'public',
  effect: 'change',
  request: json(Type.Object({ login: Login, password: Password })),
  response: json(
    Type.Object({
      secret: Type.String({ description: 'The secret for the authenticator app, in Base32.' }),
      url: Type.String({ description: 'The same as a URL for a QR code.' }),
    }),
    { status: 201, description: 'The secret. Shown only here.' },
  ),
  errors: [401, 409],
});

export const factorSetUp_confirm = endpoint({
  id: 'factorSetUp_confirm',
  method: 'POST',
  path: '/v0.1/sign_in/second_factor/confirm',
  tag: 'signing in',
  summary: 'Turn on a required second factor with a code of the app, and sign in',
  access: 'public',
  effect: 'change',
  request: json(Type.Object({ login: Login, password: Password, code: Type.String({ minLength: 1, maxLength: 40 }) })),
  response: json(Type.Object({ recovery_codes: Type.Array(Type.String()) }), {
    status: 201,
    description: 'Ten recovery codes, shown only here; a cookie holds the session.',
  }),
  errors: [401, 409],
});
