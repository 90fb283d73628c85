import type { TObject, TSchema } from 'typebox';
import { type EndpointSpec, isRead } from './endpoint/endpoint.ts';
import type { Example } from './endpoint/example.ts';
import type { Describing, Json } from './endpoint/kind.ts';
import { getRequestKind, getResponseKind } from './endpoint/kinds.ts';
import {
  ErrorBody,
  errorMeanings,
  FlatErrorBody,
  IdentifiedErrorBody,
  NumberedErrorBody,
  OauthErrorBody,
  StatedErrorBody,
  TracedErrorBody,
} from './errors.ts';
import { needsCredential } from './permissions.ts';

const tags: Record<string, string> = {
  account: 'Your profile and password.',
  'data requests':
    "Archives of all data about you, and the deletion of your account; exports and erasures of the data of an app's users.",
  'api tokens': 'User tokens act for their user; app tokens act for exactly one app.',
  apps: 'Mobile and desktop apps, and the users with access to them.',
  organizations: 'Organizations, their members and their roles.',
  provisioning:
    'SCIM 2.0: users and groups that the directory of an organization manages, the tokens for it, and the domains of organizations.',
  'service accounts': 'Members of an organization for automation.',
  invitations: 'Invitations to organizations and apps, and accepting or declining them.',
  avatars: 'Images of apps and organizations. Anyone with the URL can see them.',
  teams: 'Groups of members of an organization that share permissions on apps.',
  analytics: 'Usage of an app: devices, sessions and events, counted exactly.',
  crashes: 'Reports of crashes and errors, grouped by problem: stack traces, affected devices and versions, stability.',
  feedback: 'Messages of users and testers about an app, with pictures, and replies to them.',
  trackers: 'Tickets of crash groups and feedback in the bug tracker of an app: GitHub, GitLab, Azure DevOps or Jira.',
  builds: 'Builds of branches of a Git repository on your own runners.',
  runners: 'Runners: machines that run jobs such as builds. How to register them, and the protocol that they use.',
  tests: 'Test suites on devices: test runs, their reports, and the devices of your runners.',
  exports: 'Continuous exports of telemetry to your own storage.',
  notifications: 'Your email settings, for all apps and for each app.',
  alerts: 'Rules that monitor an app, and their alerts.',
  'distribution groups': 'Testers of an app, or of several apps of an organization.',
  releases: 'Packages of apps: uploading them, and distributing them to groups, testers and stores.',
  'in-app updates': 'Called by SDKs inside apps to check for updates.',
  stores: 'Stores that releases are published to, and the publishing status.',
  devices: 'Apple devices of testers, for the provisioning profiles of iOS apps.',
  'install pages':
    'Web pages that testers install releases from. They need no scripts and, for public groups, no account.',
  uploads: 'Uploads of large files in chunks, and download links. Other operations return their URLs.',
  search: 'A search across everything that the caller can see.',
  sessions: 'Signing in to the console, and managing sessions.',
  'signing in':
    'Identity providers that people sign in with. OAuth 2.0 for clients that act for users, and the consents of users: /common/.well-known/openid-configuration.',
  server: 'The version and limits of this server, and its setup.',
  'health events': 'Incidents, planned maintenance and advisories, for the subscriptions that they affect.',
  subscriptions: 'Subscriptions control who can read which health events. Each has an owner and belongs to a tenant.',
  symbols: 'dSYMs, mappings, source maps and other symbols, which turn addresses in crashes into functions and lines.',
  usage: 'Usage and quotas of apps and organizations.',
  webhooks: 'Messages about apps, organizations and health events, sent to a URL and signed by Standard Webhooks.',
  feeds: 'Health events for feed readers and calendars, at secret URLs.',
  ingestion: 'Logs of SDKs inside apps, and their processing.',
  sentry: 'Data of Sentry SDKs inside apps, and the keys that these SDKs send.',
  codepush: 'CodePush: over-the-air updates of JavaScript apps, with deployments, releases and metrics.',
  administration: 'For administrators of this server.',
};

const introduction = `Send an API token in the header \`X-API-Token\` (\`Authorization: Bearer\` works too).
Press **Authorize** to enter it once; the page checks it and adds the header to every call that you make here.

Prefer an [app token](/) if you need only one app: open the app, then **Settings → API tokens**. Work beyond one app, such as
organizations or shared distribution groups, requires a user token: [**Account settings → API tokens**](/settings/tokens).

Errors have the format \`{"error":{"code":"…","message":"…"}}\` unless an operation documents another one. Every response has an
\`x-request-id\`.

*Mooring only* marks operations and fields that are not in the API of App Center.`;

type Statuses = NonNullable<EndpointSpec['errors']>[number][];

const omittedBody = ({ request }: EndpointSpec) =>
  request && 'bodyOmittedBy' in request ? request.bodyOmittedBy : undefined;

/** Lists the operations that accept a call without a body, each with the client that needs it. */
function bodyRule(endpoints: readonly EndpointSpec[]): string {
  const exceptions = endpoints.flatMap((spec) => {
    const omitted = omittedBody(spec);
    return omitted ? [`- \`${spec.method} ${spec.path}\`: ${omitted.client}, \`${omitted.command}\``] : [];
  });
  const rule =
    'POST, PUT and PATCH require a body. Without one, the response is 411 Length Required, before anything else is checked. Send `{}` for an empty body.';
  if (exceptions.length === 0) return rule;
  return `${rule} Only these operations accept a request without a body, because existing clients send none:\n\n${exceptions.sort().join('\n')}`;
}

/** Whether a call without a body is rejected with 411. */
export const needsBody = ({ request, method }: EndpointSpec): boolean =>
  request !== undefined && method !== 'DELETE' && !('bodyOmittedBy' in request);

/** Errors that all operations of this kind may return, so that the contract does not repeat them. */
function commonErrors(spec: EndpointSpec): Statuses {
  // SDKs may drop their data on 429, so ingestion is not rate-limited by requests.
  const common: Statuses = spec.effect === 'ingest' ? [500, 503] : [429, 500, 503];
  common.push(...(getResponseKind(spec.response).errors ?? []));
  if (spec.path.startsWith('/v0.1/')) common.push(410);
  if (spec.params || spec.query || spec.request) common.push(400);
  if (spec.request) common.push(413, 415);
  if (needsBody(spec)) common.push(411);
  if (needsCredential(spec)) common.push(401);
  if (!isRead(spec) || !['public', 'user'].includes(spec.access)) common.push(403);
  return common.map((status) => spec.surface?.replacedStatuses?.[status] ?? status);
}

/** Replaces named schemas by references, and collects them. */
function refer(schema: unknown, named: Map<string, Json>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => refer(item, named));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $id, ...rest } = schema as Json & { $id?: string };
  const plain = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, refer(value, named)]));
  if (!$id) return plain;
  named.set($id, plain);
  return { $ref: `#/components/schemas/${$id}` };
}

function parameters(spec: EndpointSpec, example: Example): Json[] {
  const part = (schema: TObject | undefined, where: 'path' | 'query' | 'header', examples: Json = {}): Json[] =>
    Object.entries(schema?.properties ?? {}).map(([name, property]) => {
      const { description, ...rest } = property as TSchema & { description?: string };
      return {
        name,
        in: where,
        required: where === 'path' || (schema?.required?.includes(name) ?? false),
        ...(description ? { description } : {}),
        schema: rest,
        ...(name in examples ? { example: examples[name] } : {}),
      };
    });
  return [
    ...part(spec.params, 'path', example.params),
    ...part(spec.query, 'query', example.query),
    ...part(spec.headers, 'header', example.headers),
  ];
}

function security(spec: EndpointSpec): Json[] {
  if (!needsCredential(spec)) return [];
  if (spec.surface?.takesOwnToken) return [{ Bearer: [] }];
  return [
    { APIToken: [] },
    { Bearer: [] },
    { Session: [] },
    ...(spec.basic ? [{ Basic: [] }] : []),
    ...(spec.surface?.takesOauth ? [{ OAuth2: ['user_impersonation'] }] : []),
  ];
}

const textContent = { 'text/plain': { schema: { type: 'string', description: 'The problem, for people.' } } };
const pageContent = { 'text/html': { schema: { type: 'string', description: 'A page that explains the error.' } } };

function operation(spec: EndpointSpec, named: Map<string, Json>, example: Example): Json {
  const { request, response } = spec;
  const errorBody =
    spec.errorShape === 'oauth'
      ? OauthErrorBody
      : spec.errorShape === 'numbered'
        ? NumberedErrorBody
        : spec.errorShape === 'flat'
          ? FlatErrorBody
          : spec.errorShape === 'traced'
            ? TracedErrorBody
            : spec.errorShape === 'identified'
              ? IdentifiedErrorBody
              : spec.errorShape === 'stated'
                ? StatedErrorBody
                : (spec.surface?.errorBody ?? ErrorBody);
  const errorContent =
    spec.errorShape === 'page'
      ? pageContent
      : spec.errorShape === 'text'
        ? textContent
        : { [spec.surface?.mediaType ?? 'application/json']: { schema: refer(errorBody, named) } };
  const omitted = omittedBody(spec);
  const note = omitted && `The body may be omitted: ${omitted.client} sends none (\`${omitted.command}\`).`;
  const description = [spec.description, note].filter((text) => text !== undefined).join(' ');
  const errors = [...new Set([...commonErrors(spec), ...(spec.errors ?? [])])].sort((a, b) => a - b);
  const describing = (shown: unknown): Describing => ({
    refer: (schema) => refer(schema, named),
    example: shown,
    errorBody,
  });
  return {
    operationId: spec.id,
    tags: [spec.tag],
    summary: spec.summary,
    ...(description ? { description } : {}),
    'x-access': spec.access,
    security: security(spec),
    parameters: parameters(spec, example),
    ...(request
      ? {
          requestBody: {
            required: !('bodyOmittedBy' in request),
            content: getRequestKind(request).describe(request, describing(example.body)),
          },
        }
      : {}),
    responses: {
      ...getResponseKind(response).describe(response, describing(example.response)),
      ...Object.fromEntries(
        errors.map((status) => [status, { description: errorMeanings[status], content: errorContent }]),
      ),
    },
  };
}

export interface DocumentOptions {
  endpoints: readonly EndpointSpec[];
  /** By operation ID. */
  examples: Readonly<Record<string, Example>>;
  version: string;
}

/** The whole API as an OpenAPI 3.1 document. */
export function openApiDocument({ endpoints, examples, version }: DocumentOptions): Json {
  const named = new Map<string, Json>();
  const paths: Record<string, Json> = {};
  for (const spec of endpoints) {
    paths[spec.path] = {
      ...paths[spec.path],
      [spec.method.toLowerCase()]: operation(spec, named, examples[spec.id] ?? {}),
    };
  }
  const used = new Set(endpoints.map((spec) => spec.tag));
  const introductions = new Set(endpoints.flatMap((spec) => spec.surface?.introduction ?? []));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Mooring',
      version,
      description: [introduction, bodyRule(endpoints), ...introductions].join('\n\n'),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(tags)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: Object.fromEntries([...named].sort(([a], [b]) => a.localeCompare(b))),
      securitySchemes: {
        APIToken: { type: 'apiKey', in: 'header', name: 'X-API-Token', description: 'A user token or an app token.' },
        Bearer: { type: 'http', scheme: 'bearer', description: 'The same token as a bearer token.' },
        Basic: { type: 'http', scheme: 'basic', description: 'Name or email, and password.' },
        OAuth2: {
          type: 'oauth2',
          description: 'An access token for the service-health API. The client acts for the user who signs in.',
          flows: {
            implicit: {
              authorizationUrl: '/common/oauth2/authorize',
              scopes: { user_impersonation: 'impersonate your user account' },
            },
          },
        },
        Session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'mooring_session',
          description: 'A console session. On https, the cookie is named __Host-mooring_session.',
        },
      },
    },
  };
}
