import { endpoints, openApiDocument } from '@mooring/contract';
import { examples } from '@mooring/contract/examples';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { afterAll, describe, expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { readSecretKey } from '../../src/kernel/secret-key.ts';
import { type Call, password, type TestApp, testApp } from '../harness/app.ts';
import { copyDatabase, freshDatabase, type TestDatabase } from '../harness/databases.ts';
import { awaitSetUp, fillExampleWorld, picture } from '../harness/example-world.ts';

/** Every example of the API document is run as the document shows it, by somebody who reads nothing else. */

interface Operation {
  operationId: string;
  parameters: { name: string; in: 'path' | 'query' | 'header'; required: boolean; example?: string | number }[];
  requestBody?: { required: boolean; content: Record<string, { example?: unknown }> };
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: object;
}

const { paths, components } = JSON.parse(
  JSON.stringify(openApiDocument({ endpoints, examples, version: '1' })),
) as Document;
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
);

const ajv = (formats as unknown as (ajv: Ajv) => Ajv)(new Ajv({ strict: true }));
ajv.addVocabulary(['components']);

/** What is sealed in the image must be readable in its copies. */
const secretKey = readSecretKey('0'.repeat(64));

/** One server is filled for all; each example then runs on a copy, so that it may delete what it likes. */
let image: Promise<{ database: TestDatabase; token: string }> | undefined;
afterAll(async () => (await image)?.database.remove());

async function buildImage() {
  const database = await freshDatabase('sqlite');
  const app = await testApp('sqlite', { secretKey }, { ...database, remove: async () => undefined });
  const { token } = await fillExampleWorld(app);
  await app.stop();
  return { database, token };
}

async function openWorld(settings: Partial<Config> = {}): Promise<{ app: TestApp; credential: Call }> {
  image ??= buildImage();
  const { database, token } = await image;
  const copy = await copyDatabase('sqlite', database);
  return { app: await testApp('sqlite', { secretKey, ...settings }, copy), credential: { token } };
}

/** The few that need other surroundings than a signed-in administrator, and why. */
const elsewhere: Record<string, () => Promise<{ app: TestApp; credential?: Call }>> = {
  // Refused while it owns apps.
  organizations_delete: async () => {
    const world = await openWorld();
    for (const name of ['compass', 'tide-table']) {
      await world.app.call('DELETE', `/v0.1/apps/lighthouse/${name}`, world.credential);
    }
    return world;
  },
  // Closed unless the operator opens it.
  users_register: () => openWorld({ openSignUp: true }),
  // Only a server without anybody is set up.
  server_setUp: async () => {
    const app = await testApp('sqlite');
    await awaitSetUp(app);
    return { app };
  },
  // A token has no current session.
  sessions_delete: async () => {
    const { app } = await openWorld();
    const answer = await app.call('POST', '/v0.1/sessions', { body: { login: 'ada', password } });
    const cookie = String(answer.headers['set-cookie']).split(';')[0];
    return { app, credential: { headers: { cookie, 'sec-fetch-site': 'same-origin' } } };
  },
};

function requestOf({ path, parameters, requestBody }: (typeof operations)[number]): { url: string; call: Call } {
  const given = (where: string) => parameters.filter((one) => one.in === where && one.example !== undefined);
  const url = given('path').reduce(
    (url, { name, example }) => url.replace(`{${name}}`, encodeURIComponent(String(example))),
    path,
  );
  const shown = (where: string) => Object.fromEntries(given(where).map(({ name, example }) => [name, String(example)]));
  const [query, headers] = [shown('query'), shown('header')];
  if (!requestBody) return { url, call: { query, headers } };
  const [[type = '', { example }] = ['', {}]] = Object.entries(requestBody.content);
  // A file cannot be shown in the document; any image is one.
  if (type === 'multipart/form-data') {
    return { url, call: { query, body: picture.body, headers: { ...headers, 'content-type': picture.type } } };
  }
  return { url, call: { query, body: JSON.stringify(example), headers: { ...headers, 'content-type': type } } };
}

test('the document that is served is the one whose examples are run', async () => {
  const app = await testApp('sqlite');
  const served = (await app.call('GET', '/openapi.json')).json() as Document;
  expect(served.paths).toEqual(paths);
});

test('every operation shows all that it must be told', () => {
  for (const { operationId, parameters, requestBody } of operations) {
    const silent = parameters.filter(({ required, example }) => required && example === undefined);
    expect([operationId, silent]).toEqual([operationId, []]);
    const [[type, content] = []] = Object.entries(requestBody?.content ?? {});
    if (type && type !== 'multipart/form-data')
      expect([operationId, content?.example]).not.toEqual([operationId, undefined]);
  }
});

/** Runs an example, and holds the answer against what the document says of it. */
async function run(operation: (typeof operations)[number], { app, credential }: { app: TestApp; credential?: Call }) {
  const { operationId, method, responses } = operation;
  const { url, call } = requestOf(operation);
  const headers = { ...credential?.headers, ...call.headers };
  const answer = await app.call(method, url, { ...credential, ...call, headers });
  const promised = Object.keys(responses).filter((status) => status.startsWith('2'));
  const got = [operationId, String(answer.statusCode), answer.body];
  expect(got).toEqual([operationId, expect.toBeOneOf(promised), answer.body]);
  const schema = responses[answer.statusCode]?.content?.['application/json']?.schema;
  if (!schema) {
    expect([operationId, answer.body]).toEqual([operationId, '']);
  } else {
    const fits = ajv.compile({ ...schema, components });
    expect([operationId, fits(answer.json()), fits.errors]).toEqual([operationId, true, null]);
  }
}

const changing = operations.filter(({ method }) => method !== 'GET');
const reading = operations.filter(({ method }) => method === 'GET');

test('examples that read work as they are shown', async () => {
  const world = await openWorld();
  for (const operation of reading) await run(operation, world);
});

describe('an example that changes something works as it is shown', () => {
  test.each(changing.map((operation) => [operation.operationId, operation] as const))('%s', async (id, operation) => {
    await run(operation, await (elsewhere[id] ?? openWorld)());
  });
});
