import Value from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { apps_updateAvatar } from './apps/apps.contract.ts';
import { pathParams } from './endpoint/endpoint.ts';
import { getResponseKind } from './endpoint/kinds.ts';
import { errorMeanings } from './errors.ts';
import { examples, getExample } from './examples.ts';
import { endpoints } from './index.ts';
import { sentrySurface } from './ingest/sentry.surface.ts';
import { needsBody, openApiDocument } from './openapi.ts';
import { needsCredential } from './permissions.ts';
import { scimSurface } from './provisioning/scim.surface.ts';
import { healthSurface } from './subscriptions/health.surface.ts';
import { sentryCliSurface } from './symbols/sentry-cli.surface.ts';
import { ApiToken, NewApiToken } from './tokens/api-tokens.contract.ts';

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  schema: unknown;
  example?: unknown;
}
interface Answer {
  description: string;
  content?: Record<string, { schema: unknown; example?: unknown }>;
}
interface Operation {
  description?: string;
  operationId: string;
  tags: string[];
  summary: string;
  security: Record<string, string[]>[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: { 'application/json': { schema: unknown; example?: unknown } } };
  responses: Record<string, Answer>;
}
type Document = {
  openapi: string;
  info: { title: string; version: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, Record<string, string>> };
};

const document = openApiDocument({ endpoints, examples, version: '1.2.3' }) as Document;

const errorName = (spec: (typeof endpoints)[number]): string =>
  spec.errorShape === 'oauth'
    ? 'OauthError'
    : spec.errorShape === 'numbered'
      ? 'NumberedError'
      : spec.errorShape === 'flat'
        ? 'FlatError'
        : spec.errorShape === 'traced'
          ? 'TracedError'
          : spec.errorShape === 'identified'
            ? 'IdentifiedError'
            : spec.errorShape === 'stated'
              ? 'StatedError'
              : spec.surface === healthSurface
                ? 'ErrorResponse'
                : spec.surface === scimSurface
                  ? 'ScimError'
                  : spec.surface === sentrySurface
                    ? 'SentryError'
                    : spec.surface === sentryCliSurface
                      ? 'SentryCliError'
                      : 'Error';

/** These take data from clients that retry or show the error, and limit its amount: messages of an hour, stored chunks. */
const limitedIngestion = ['feedback_send', 'installPages_sendFeedback', 'symbolChunks_send'];

const getOperation = (spec: (typeof endpoints)[number]): Operation => {
  const operation = document.paths[spec.path]?.[spec.method.toLowerCase()];
  if (!operation) throw new Error(`${spec.id} is not in the document`);
  return operation;
};

/** References of schemas. Examples and properties may have the name $ref, too: SCIM lists members with it. */
function referencesIn(value: unknown, hasNames = Array.isArray(value)): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    if (hasNames) return referencesIn(item);
    if (key === '$ref') return [String(item)];
    return key === 'example' ? [] : referencesIn(item, key === 'properties');
  });
}

function keysIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [...(Array.isArray(value) ? [] : [key]), ...keysIn(item)]);
}

test('the document is OpenAPI 3.1, has its version and is valid JSON', () => {
  expect(document.openapi).toBe('3.1.0');
  expect(document.info).toMatchObject({ title: 'Mooring', version: '1.2.3' });
  expect(JSON.parse(JSON.stringify(document))).toEqual(document);
});

test('the document has exactly the operations of the contract', () => {
  const inDocument = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  expect(inDocument.sort()).toEqual(endpoints.map(({ id }) => id).sort());
});

test('the scheme APIToken is an API key in the header X-API-Token', () => {
  expect(document.components.securitySchemes.APIToken).toMatchObject({
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Token',
  });
  expect(document.components.securitySchemes.Bearer).toMatchObject({ type: 'http', scheme: 'bearer' });
  expect(document.components.securitySchemes.Basic).toMatchObject({ type: 'http', scheme: 'basic' });
});

test('each reference leads to a schema, each schema is used, and no schema contains $id', () => {
  const references = new Set(referencesIn(document).map((reference) => reference.replace('#/components/schemas/', '')));
  expect([...references].sort()).toEqual(Object.keys(document.components.schemas).sort());
  expect(keysIn(document)).not.toContain('$id');
});

test('exactly the tags that operations use are described', () => {
  const used = new Set(endpoints.map(({ tag }) => tag));
  expect(document.tags.map(({ name }) => name).sort()).toEqual([...used].sort());
  for (const { description } of document.tags) expect(description).not.toBe('');
});

test('operations that accept a call without a body name the client, in the list and in their description', () => {
  const exceptions = endpoints.filter(({ request }) => request && 'bodyOmittedBy' in request);
  expect(exceptions.length).toBeGreaterThan(0);
  const listed = [...document.info.description.matchAll(/^- `(\w+ \S+)`: ([^,]+), `[^`]+`$/gm)];
  expect(listed.map(([, address]) => address).sort()).toEqual(
    exceptions.map(({ method, path }) => `${method} ${path}`).sort(),
  );
  expect(new Set(listed.map(([, , client]) => client))).toEqual(new Set(['appcenter-cli 3.0.4']));
  for (const spec of exceptions) {
    expect(getOperation(spec).description).toContain('The body may be omitted: appcenter-cli 3.0.4 sends none');
  }
});

describe.each(endpoints.map((spec) => [spec.id, spec] as const))('%s', (_, spec) => {
  const operation = getOperation(spec);

  test('has a summary and one tag', () => {
    expect(operation.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(operation.tags).toEqual([spec.tag]);
  });

  test('shows success responses with a schema, unless they have no body', () => {
    const statuses = getResponseKind(spec.response).statuses(spec.response);
    for (const status of statuses) expect(operation.responses[status]?.description).not.toBe('');
    const { content } = operation.responses[statuses[0] ?? 0] ?? {};
    expect(content === undefined).toBe(['empty', 'redirect'].includes(spec.response.kind));
  });

  test('shows its errors in one format, including those of all operations', () => {
    const errors = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400);
    const statuses = errors.map(([status]) => Number(status));
    const toSent = (status: 411 | 503) => spec.surface?.replacedStatuses?.[status] ?? status;
    expect(statuses).toEqual(expect.arrayContaining([500, toSent(503), ...(spec.errors ?? [])]));
    const isLimited = spec.effect !== 'ingest' || spec.surface === sentrySurface || limitedIngestion.includes(spec.id);
    expect(statuses.includes(429)).toBe(isLimited);
    if (needsCredential(spec)) expect(statuses).toContain(401);
    if (spec.request) expect(statuses).toEqual(expect.arrayContaining([400, 413, 415]));
    expect(statuses.includes(411)).toBe(needsBody(spec) && toSent(411) === 411);
    for (const [status, response] of errors) {
      expect(response.description).toBe(errorMeanings[Number(status) as keyof typeof errorMeanings]);
      if (spec.errorShape === 'page') expect(Object.keys(response.content ?? {})).toEqual(['text/html']);
      else if (spec.errorShape === 'text') expect(Object.keys(response.content ?? {})).toEqual(['text/plain']);
      else
        expect(response.content?.[spec.surface?.mediaType ?? 'application/json']?.schema).toEqual({
          $ref: `#/components/schemas/${errorName(spec)}`,
        });
    }
  });

  test('requires a token unless it is public, and HTTP Basic or OAuth only where they are supported', () => {
    const schemes = operation.security.flatMap((scheme) => Object.keys(scheme));
    if (!needsCredential(spec)) expect(schemes).toEqual([]);
    else if (spec.surface?.takesOwnToken) expect(schemes).toEqual(['Bearer']);
    else expect(schemes).toEqual(expect.arrayContaining(['APIToken', 'Bearer']));
    expect(schemes.includes('Basic')).toBe(spec.basic === true);
    expect(schemes.includes('OAuth2')).toBe(spec.surface === healthSurface && spec.access !== 'public');
  });

  test('declares each name in its path as a required parameter with an example', () => {
    const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
    expect(inPath.map(({ name }) => name)).toEqual(pathParams(spec.path));
    for (const parameter of inPath) {
      expect(parameter.required).toBe(true);
      expect(parameter.example).toBeDefined();
    }
  });

  test('has request and response examples that match their schemas', () => {
    const example = getExample(spec);
    const { request, response } = spec;
    const kind = request?.kind ?? '';
    const sent = request && ('schema' in request ? request.schema : 'content' in request ? request.content : undefined);
    const answered = 'schema' in response ? response.schema : undefined;
    const parts = [
      [spec.params, example.params],
      [spec.query, example.query],
      [sent, ['bytes', 'files'].includes(kind) || (kind === 'file' && !sent) ? undefined : example.body],
      [answered, example.response],
    ] as const;
    for (const [schema, shown] of parts) {
      if (!schema) expect(shown).toBeUndefined();
      else expect(Value.Errors(schema, shown)).toEqual([]);
    }
    if (sent) expect(Object.values(operation.requestBody?.content ?? {})[0]?.example).toEqual(example.body);
    if (answered) {
      const [status = 0] = getResponseKind(response).statuses(response);
      expect(Object.values(operation.responses[status]?.content ?? {})[0]?.example).toEqual(example.response);
    }
  });
});

test('an operation that accepts a file shows its form field and media types', () => {
  expect(getOperation(apps_updateAvatar).requestBody).toEqual({
    required: true,
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object',
          required: ['avatar'],
          properties: { avatar: { type: 'string', format: 'binary', description: 'At most 1048576 bytes.' } },
        },
        encoding: { avatar: { contentType: 'image/png, image/jpeg, image/gif, image/webp' } },
      },
    },
  });
});

test('exactly the operations of the contract have an example', () => {
  expect(Object.keys(examples).sort()).toEqual(endpoints.map(({ id }) => id).sort());
});

test('an example that does not match its schema is reported', () => {
  expect(Value.Check(ApiToken, { id: 1 })).toBe(false);
  const fits = { id: 'a', scope: ['all'], api_token: 'v', created_at: '2026-11-01T09:00:00.000Z' };
  expect(Value.Check(NewApiToken, fits)).toBe(true);
  expect(Value.Check(NewApiToken, { ...fits, created_at: 'yesterday' })).toBe(false);
});

test('example tokens look like real ones, and match their last four characters', () => {
  const getResponse = (id: string) => getExample({ id }).response;
  const user = getResponse('userApiTokens_create') as { api_token: string };
  const app = getResponse('appApiTokens_create') as { api_token: string };
  const [listed] = getResponse('userApiTokens_list') as { last_four: string }[];
  expect(user.api_token).toMatch(/^moor_u_[0-9A-Za-z]{36}$/);
  expect(app.api_token).toMatch(/^moor_a_[0-9A-Za-z]{36}$/);
  expect(listed?.last_four).toBe(user.api_token.slice(-4));
});
