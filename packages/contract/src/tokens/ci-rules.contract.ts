import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath, Time } from '../fields.ts';
import { Type } from '../type.ts';
import { splitPermission, type TokenArea, type TokenPermission, tokenPermissions } from './token-permissions.ts';

/** RFC 8693, with the ID token of a CI job. */
export const EXCHANGE_GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token';
/** Both name the same format. */
export const subjectTokenTypes = [
  'urn:ietf:params:oauth:token-type:jwt',
  'urn:ietf:params:oauth:token-type:id_token',
] as const;

/** How long a token of a CI rule is valid, in seconds. */
export const CI_TOKEN_SECONDS = 900;
export const CI_RULES_MAX = 50;

export const ciProviders = ['github', 'gitlab'] as const;
export type CiProvider = (typeof ciProviders)[number];

/** The issuers of the public services. */
export const ciIssuers: Readonly<Record<CiProvider, string>> = {
  github: 'https://token.actions.githubusercontent.com',
  gitlab: 'https://gitlab.com',
};

/** At least one of these must be in a rule, so that it does not match all repositories of the issuer. */
export const identifyingClaims: Readonly<Record<CiProvider, readonly string[]>> = {
  github: ['repository', 'repository_owner', 'sub'],
  gitlab: ['project_path', 'namespace_path', 'sub'],
};

/** These areas have no operations on an app. */
const otherAreas: readonly TokenArea[] = ['account', 'admin', 'health', 'org', 'search'];

/** The permissions that apply to an app. */
export const appTokenPermissions: readonly TokenPermission[] = tokenPermissions.filter(
  (permission) => !otherAreas.includes(splitPermission(permission)[0]),
);

const RuleId = Type.String({ minLength: 1, maxLength: 64 });

const ruleFields = {
  provider: Type.Enum([...ciProviders], { description: 'The format of the claims.' }),
  claims: Type.Record(
    Type.String({ pattern: '^[a-z][a-z0-9_]{0,63}$' }),
    Type.String({ minLength: 1, maxLength: 255 }),
    {
      minProperties: 1,
      maxProperties: 10,
      additionalProperties: false,
      description:
        'Claims that the ID token must have, each with a pattern: `*` stands for any characters but `/` and `:`. At least one must name the owner: `repository`, `repository_owner` or `sub` for GitHub, `project_path`, `namespace_path` or `sub` for GitLab.',
    },
  ),
  permissions: Type.Array(Type.Enum([...appTokenPermissions]), {
    minItems: 1,
    maxItems: 100,
    description: 'Permissions of the tokens. Each includes reading in its area.',
  }),
};

export const CiRule = Type.Object(
  {
    id: RuleId,
    ...ruleFields,
    issuer: Type.String({ description: 'The issuer of the ID tokens, as in its discovery document.' }),
    created_by: Type.String({
      description: 'The user who created the rule. It ends if they no longer manage the app.',
    }),
    created_at: Time,
    last_used_at: Type.Optional(Time),
  },
  { $id: 'CiRule', description: 'Which CI jobs may exchange their ID token for a token of the app.' },
);

const home = '/v0.1/apps/{owner_name}/{app_name}/ci_rules';
const common = { tag: 'api tokens', access: 'app:manager', params: Type.Object(AppPath) } as const;

export const ciRules_list = endpoint({
  ...common,
  id: 'ciRules_list',
  method: 'GET',
  path: home,
  summary: 'List the CI rules of an app',
  effect: 'read',
  response: json(Type.Object({ values: Type.Array(CiRule) }), { description: 'The rules, oldest first.' }),
  errors: [404],
});

export const ciRules_create = endpoint({
  ...common,
  id: 'ciRules_create',
  method: 'POST',
  path: home,
  summary: 'Let CI jobs get short-lived tokens of an app without a stored secret',
  description: `Jobs of GitHub Actions and GitLab exchange their ID token at \`/common/oauth2/token\` (RFC 8693) for a token that is valid for 15 minutes and has the permissions of the rule. An app has at most ${CI_RULES_MAX} rules.`,
  effect: 'change',
  confirms: true,
  needsUnlimited: true,
  only: 'person',
  request: json(
    Type.Object({
      ...ruleFields,
      issuer: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 500,
          description: `The issuer of a self-hosted server, such as https://gitlab.example.com (default: ${ciIssuers.github} or ${ciIssuers.gitlab}).`,
        }),
      ),
    }),
  ),
  response: json(CiRule, { status: 201, description: 'The rule.' }),
  errors: [404, 409],
});

export const ciRules_delete = endpoint({
  ...common,
  id: 'ciRules_delete',
  method: 'DELETE',
  path: `${home}/{ci_rule_id}`,
  summary: 'Delete a CI rule; its tokens stop working immediately on all server processes',
  effect: 'change',
  params: Type.Object({ ...AppPath, ci_rule_id: RuleId }),
  response: empty({ description: 'The rule is deleted.' }),
  errors: [404],
});
