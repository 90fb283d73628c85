import { createRequire } from 'node:module';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createToken, send } from '../../harness/http.ts';
import { type RunningServer, startServer } from '../../harness/server.ts';

type Resource = Record<string, unknown>;
interface PatchOperation {
  op: string;
  path: string;
  value?: unknown;
}
const load = createRequire(import.meta.url);
const { filter, parse } = load('scim2-parse-filter') as {
  parse(text: string): object;
  filter(parsed: object): (resource: object) => boolean;
};
const { scimPatch } = load('scim-patch') as {
  scimPatch(resource: object, operations: object[], options: object): Resource;
};

const RUNS = 150;
const DOMAIN = 'lighthouse.example';
const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

let server: RunningServer;
let base: string;
let scimToken: string;

const scim = async (method: string, path: string, body?: object) => {
  const headers = { authorization: `Bearer ${scimToken}`, 'content-type': 'application/scim+json' };
  const payload = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(base + path, { method, headers, ...payload });
  return { status: response.status, json: (await response.json()) as Resource };
};

/** Lower case throughout, because the library compares texts exactly. */
const names = ['amy', 'bea', 'cleo', 'dot', 'eva', 'fay', 'gia', 'hope'];
const users: Resource[] = [];

beforeAll(async () => {
  server = await startServer();
  const token = (await createToken(server)).api_token;
  const api = (method: string, path: string, body: object) =>
    send(method, `${server.httpUrl}/v0.1${path}`, { token, body });
  await api('POST', '/orgs', { name: 'lighthouse', display_name: 'Lighthouse' });
  expect((await api('PUT', '/admin/orgs/lighthouse/domains', { domains: [DOMAIN] })).status).toBe(200);
  const created = await api('POST', '/orgs/lighthouse/provisioning/tokens', {});
  scimToken = created.json<{ scim_token: string }>().scim_token;
  base = `${server.httpUrl}/scim/v2/lighthouse`;
  for (const [at, name] of names.entries()) {
    const email = { value: `${name}@${DOMAIN}`, type: at % 2 ? 'work' : 'home', primary: true };
    const second = at % 3 ? [{ value: `${name}@home.example`, type: 'other' }] : [];
    const body = {
      userName: `${name}@${DOMAIN}`,
      externalId: `x${at % 4}`,
      ...(at % 2 ? { displayName: `the ${name}` } : {}),
      ...(at % 3 ? { name: { givenName: name, familyName: at % 2 ? 'hill' : 'dale' } } : {}),
      emails: [email, ...second],
      active: at % 4 !== 3,
    };
    const { status, json } = await scim('POST', '/Users', body);
    expect([status, json.detail]).toEqual([201, undefined]);
    users.push(json);
  }
});
afterAll(() => server.stop());

const textPath = fc.constantFrom(
  'userName',
  'externalId',
  'displayName',
  'name.givenName',
  'name.familyName',
  'emails.type',
  'emails.value',
);
const text = fc.constantFrom(...names, 'the', 'hill', 'dale', 'x1', 'x2', 'work', 'home', 'a', DOMAIN, `amy@${DOMAIN}`);
const operator = fc.constantFrom('eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le');
const comparison = fc.tuple(textPath, operator, text).map(([path, op, value]) => `${path} ${op} "${value}"`);
const leaf = fc.oneof(
  comparison,
  textPath.map((path) => `${path} pr`),
  fc.boolean().map((value) => `active eq ${value}`),
  fc.tuple(operator, text).map(([op, value]) => `emails[type ${op} "${value}"]`),
  fc.tuple(text, operator, text).map(([type, op, value]) => `emails[type eq "${type}" and value ${op} "${value}"]`),
);
const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.tuple(tie('expression'), fc.constantFrom('and', 'or'), tie('expression')).map((parts) => parts.join(' ')),
    tie('expression').map((inner) => `(${inner})`),
    tie('expression').map((inner) => `not (${inner})`),
  ),
}));

test('random filters find the users that the library finds', async () => {
  await fc.assert(
    fc.asyncProperty(expression, async (query) => {
      const isFound = filter(parse(query));
      const expected = users.filter(isFound).map(({ id }) => id);
      const { status, json } = await scim('GET', `/Users?attributes=id&filter=${encodeURIComponent(query)}`);
      expect([query, status]).toEqual([query, 200]);
      expect([query, (json.Resources as Resource[]).map(({ id }) => id)]).toEqual([query, expected]);
    }),
    { numRuns: RUNS },
  );
}, 300_000);

const firstName = fc.constantFrom('ann', 'ben', 'cora', 'dora');
const type = fc.constantFrom('work', 'home', 'other');
const setOp = fc.constantFrom('add', 'replace', 'Add', 'Replace');
const element = fc.record({ value: firstName.map((name) => `${name}@${DOMAIN}`), type });
const operation = fc.oneof<fc.Arbitrary<PatchOperation>[]>(
  fc.record({ op: setOp, path: fc.constantFrom('displayName', 'externalId'), value: firstName }),
  fc.record({
    op: setOp,
    path: fc.constantFrom('name.givenName', 'name.familyName', 'name.formatted'),
    value: firstName,
  }),
  fc.record({
    op: setOp,
    path: fc.constant('name'),
    value: fc.record({ givenName: firstName, familyName: firstName }),
  }),
  fc.record({
    op: fc.constant('add'),
    path: fc.constant('emails'),
    value: fc.array(element, { minLength: 1, maxLength: 2 }),
  }),
  fc.record({
    op: fc.constant('replace'),
    path: fc.constant('emails'),
    value: fc.array(element, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    op: fc.constant('replace'),
    path: type.map((chosen) => `emails[type eq "${chosen}"].value`),
    value: firstName.map((name) => `${name}@${DOMAIN}`),
  }),
  fc.record({ op: fc.constant('remove'), path: fc.constantFrom('displayName', 'name.givenName') }),
);

/** An empty object or list counts as absent. */
const withoutEmpty = (resource: Resource): Resource =>
  Object.fromEntries(
    Object.entries(resource).filter(
      ([, value]) => typeof value !== 'object' || Object.keys(value as object).length > 0,
    ),
  );

test('random patches change a user as the library does', async () => {
  const start = {
    userName: `patched@${DOMAIN}`,
    emails: [{ value: `patched@${DOMAIN}`, type: 'work', primary: true }],
  };
  const { json: created } = await scim('POST', '/Users', start);
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 6 }), async (Operations) => {
      const { json: before } = await scim('PUT', `/Users/${created.id}`, start);
      const { id, meta, schemas, ...attributes } = before;
      const expected = scimPatch(structuredClone(attributes), structuredClone(Operations), {
        mutateDocument: false,
        treatMissingAsAdd: true,
      });
      const { status, json } = await scim('PATCH', `/Users/${created.id}`, { schemas: [PATCH_SCHEMA], Operations });
      const { id: _id, meta: _meta, schemas: _schemas, ...changed } = json;
      expect([Operations, status, changed]).toEqual([Operations, 200, withoutEmpty(expected)]);
      expect([id, meta, schemas]).not.toContain(undefined);
    }),
    { numRuns: RUNS },
  );
}, 300_000);

test('adds many users one by one, whose cost does not grow', async () => {
  const count = Number(process.env.SCIM_USERS ?? 500);
  const started = performance.now();
  let next = 0;
  const work = async () => {
    while (next < count) {
      next += 1;
      const userName = `person-${next}@${DOMAIN}`;
      const { status } = await scim('POST', '/Users', { userName, displayName: `Person ${next}`, active: true });
      expect(status).toBe(201);
    }
  };
  await Promise.all(Array.from({ length: 4 }, work));
  const seconds = (performance.now() - started) / 1000;
  expect((await scim('GET', '/Users?count=0')).json.totalResults).toBe(count + names.length + 1);
  console.info(`${count} users in ${seconds.toFixed(1)} s`);
}, 600_000);
