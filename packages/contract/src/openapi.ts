import type { TObject, TSchema } from 'typebox';
import { type EndpointSpec, isRead } from './endpoint/endpoint.ts';
import type { Example } from './endpoint/example.ts';
import type { Describing, Json } from './endpoint/kind.ts';
import { kindOfRequest, kindOfResponse } from './endpoint/kinds.ts';
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
  account: 'The person behind the token: profile and password.',
  'data requests': 'What is kept about you: a copy of all of it, or its deletion.',
  'api tokens': 'User tokens reach what their user reaches; app tokens reach exactly one app.',
  apps: 'Mobile and desktop apps, and who may do what to them.',
  organizations: 'Organizations, their members and their roles.',
  'service accounts': 'Members of an organization for programs, not people.',
  invitations: 'Asking people to join organizations and apps, and their answers.',
  avatars: 'Images of apps and organizations, for whoever knows their address.',
  teams: 'Groups of members of an organization that share permissions on apps.',
  analytics: 'How an app is used: devices, sessions and events, counted exactly from what devices send.',
  crashes:
    'What broke, for whom, since when, and where in the code: reports of crashes and errors, grouped by problem.',
  trackers: 'Tickets of crash groups in the bug tracker of an app: GitHub, GitLab, Azure DevOps or Jira.',
  builds: 'A branch of a git repository becomes a package, on a runner of yours.',
  runners: 'Machines of yours that do jobs, such as builds: registering them, and what they ask and tell.',
  tests: 'Suites on devices: runs, their reports, and the devices that your runners have.',
  exports: 'Where what devices send is written to, in stores of your own.',
  notifications: 'Of what you get mails: for all apps, and for each.',
  alerts: 'Rules that watch an app, and when they alerted.',
  'distribution groups': 'Testers of an app, or of several apps of an organization.',
  releases: 'Packages of apps: uploading them, and giving them to groups and testers.',
  'in-app updates': 'What SDKs inside apps ask, to update them.',
  stores: 'Stores that releases are published in, and how far each is.',
  devices: 'Apple devices of testers, which the provisioning profile of an iOS app must name.',
  'install pages':
    'Where testers install releases: pages for people, which work without scripts and, of public groups, without an account.',
  uploads:
    'Large files in pieces, and links to download them; each address is told by the operation that it belongs to.',
  search: 'One search over everything that one can see.',
  sessions: 'Signing in to the console, and seeing and ending open sessions.',
  'signing in':
    'OAuth 2.0: clients that act for people, and what people allow them. Endpoints: /common/.well-known/openid-configuration.',
  server: 'Facts about this server, and its first set-up.',
  'health events': 'What is broken, planned or advised, for the subscriptions that it concerns.',
  subscriptions: 'Who reads which health events: a subscription has an owner and belongs to a tenant.',
  symbols: 'dSYMs, mappings, source maps and the like: what turns addresses of crashes into functions and lines.',
  usage: 'How much apps and organizations use.',
  webhooks:
    'What happens to apps, organizations and health events, sent to an address and signed after Standard Webhooks.',
  feeds: 'Health events for feed readers and calendars, at addresses that hold a secret.',
  ingestion: 'What SDKs inside shipped apps send, and what became of it.',
  codepush:
    'Over-the-air updates of JavaScript, for the CodePush SDKs: deployments, their releases, and what devices get.',
  administration: 'For administrators of this server.',
};

const introduction = `Send an API token in the header \`X-API-Token\` (\`Authorization: Bearer\` works too).
Press **Authorize** to enter it once; it is checked, and the header is then added to every call made from this page.

Prefer an [app token](/) when only one app is involved: open the app, then **Settings → API tokens**. Work beyond one app, such
as organizations or shared distribution groups, needs a user token: [**Account settings → API tokens**](/settings/tokens).

Errors look like \`{"error":{"code":"…","message":"…"}}\` where an operation shows no other shape, and every answer carries \`x-request-id\`.`;

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
    'POST, PUT and PATCH need a body: without one the answer is 411 Length Required, before anything else is checked. Send `{}` for an empty one.';
  if (exceptions.length === 0) return rule;
  return `${rule} The only exceptions are these operations, because an existing client sends them without a body:\n\n${exceptions.sort().join('\n')}`;
}

/** Whether a call without a body is refused with 411. */
export const needsBody = ({ request, method }: EndpointSpec): boolean =>
  request !== undefined && method !== 'DELETE' && !('bodyOmittedBy' in request);

/** Errors that any operation may answer, so they are not repeated in the endpoint table. */
function commonErrors(spec: EndpointSpec): Statuses {
  // A device that is told 429 may throw away what it has to say, so what it sends is not counted that way.
  const common: Statuses = spec.effect === 'ingest' ? [500, 503] : [429, 500, 503];
  common.push(...(kindOfResponse(spec.response).errors ?? []));
  if (spec.path.startsWith('/v0.1/')) common.push(410);
  if (spec.params || spec.query || spec.request) common.push(400);
  if (spec.request) common.push(413, 415);
  if (needsBody(spec)) common.push(411);
  if (needsCredential(spec)) common.push(401);
  if (!isRead(spec) || !['public', 'user'].includes(spec.access)) common.push(403);
  return common;
}

/** Replaces schemas that have a name by a reference, and collects them. */
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
  return [
    { APIToken: [] },
    { Bearer: [] },
    { Session: [] },
    ...(spec.basic ? [{ Basic: [] }] : []),
    ...(spec.family?.takesOauth ? [{ OAuth2: ['user_impersonation'] }] : []),
  ];
}

const textContent = { 'text/plain': { schema: { type: 'string', description: 'What is wrong; made for people.' } } };
const pageContent = { 'text/html': { schema: { type: 'string', description: 'A page that says what is wrong.' } } };

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
                : (spec.family?.errorBody ?? ErrorBody);
  const errorContent =
    spec.errorShape === 'page'
      ? pageContent
      : spec.errorShape === 'text'
        ? textContent
        : { 'application/json': { schema: refer(errorBody, named) } };
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
            content: kindOfRequest(request).describe(request, describing(example.body)),
          },
        }
      : {}),
    responses: {
      ...kindOfResponse(response).describe(response, describing(example.response)),
      ...Object.fromEntries(
        errors.map((status) => [status, { description: errorMeanings[status], content: errorContent }]),
      ),
    },
  };
}

export interface DocumentOptions {
  endpoints: readonly EndpointSpec[];
  /** By operation id. */
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
  const families = new Set(endpoints.flatMap((spec) => spec.family?.introduction ?? []));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Mooring',
      version,
      description: [introduction, bodyRule(endpoints), ...families].join('\n\n'),
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
        Basic: { type: 'http', scheme: 'basic', description: 'Name or e-mail, and password.' },
        OAuth2: {
          type: 'oauth2',
          description: 'An access token for the service-health API, by signing in. It acts as you.',
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
          description: 'A signed-in console session; on https the name is __Host-mooring_session.',
        },
      },
    },
  };
}
