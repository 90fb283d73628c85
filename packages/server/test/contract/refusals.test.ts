import {
  type EndpointSpec,
  endpoints,
  errorStatuses,
  healthSurface,
  isRead,
  needsBody,
  needsCredential,
  scimSurface,
  sentryCliSurface,
} from '@mooring/contract';
import { exampleRequest } from '@mooring/contract/fixtures';
import { expect, test } from 'vitest';
import { type Call, type TestApp, testApp } from '../harness/app.ts';
import { fixtureCopies } from '../harness/fixtures.ts';
import { eachDatabase } from '../harness/services/databases.ts';
import { tokenFor } from '../harness/token-for.ts';

/** The error code, in the format of its API surface. */
function getCode(
  spec: EndpointSpec,
  answer: {
    statusCode: number;
    json(): { code?: string | number; status?: string; error?: { code: string | number } };
  },
) {
  if (spec.surface === scimSurface)
    return Object.entries(errorStatuses).find(([, status]) => String(status) === answer.json().status)?.[0];
  if (spec.surface === healthSurface || spec.errorShape === 'flat' || spec.errorShape === 'identified')
    return answer.json().code;
  if (spec.errorShape === 'stated') return answer.json().status;
  // A response to HEAD has no body, and errors for sentry-cli have no code.
  if (spec.errorShape === 'text' || spec.method === 'HEAD' || spec.surface === sentryCliSurface)
    return Object.entries(errorStatuses).find(([, status]) => status === answer.statusCode)?.[0];
  const code = spec.errorShape === 'traced' ? answer.json().code : answer.json().error?.code;
  const named = Object.entries(errorStatuses).find(([, status]) => status === code)?.[0];
  return spec.errorShape === 'numbered' || spec.errorShape === 'traced' ? named : code;
}

const guarded = endpoints.filter(needsCredential);
const changing = guarded.filter((spec) => !isRead(spec) && !spec.surface?.takesOwnToken);

/** The example of an operation, with IDs that do not exist. */
function probe(app: TestApp, spec: EndpointSpec, call: Call = {}) {
  const { method, url, headers, body } = exampleRequest(spec);
  return app.call(method, url, { headers, body: typeof body === 'object' ? Buffer.from(body) : body, ...call });
}

eachDatabase('every operation', (dialect) => {
  const openCopy = fixtureCopies(dialect);

  test('refuses missing and wrong credentials with 401', async () => {
    const app = await testApp(dialect);
    for (const spec of guarded) {
      for (const token of [undefined, 'wrong']) {
        const answer = await probe(app, spec, { token });
        const health = token ? 'InvalidAuthenticationToken' : 'AuthenticationFailed';
        const code = spec.surface === healthSurface ? health : 'Unauthorized';
        expect([spec.id, answer.statusCode, getCode(spec, answer)]).toEqual([spec.id, 401, code]);
      }
    }
  });

  test('hides resources from strangers, and administration from other users', async () => {
    const { app } = await openCopy();
    const token = await app.userToken(await app.addUser('stranger'));
    for (const spec of guarded.filter(({ access }) => access !== 'user')) {
      const { statusCode } = await probe(app, spec, { token });
      const isOffice = ['admin', 'operator'].includes(spec.access);
      const refused = isOffice || spec.surface === healthSurface ? 403 : 404;
      // Other credentials count as none there.
      expect([spec.id, statusCode]).toEqual([spec.id, spec.surface?.takesOwnToken ? 401 : refused]);
    }
  });

  test('refuses app tokens outside their app', async () => {
    const { app } = await openCopy();
    const other = await app.addUser('other');
    const token = await app.appToken(await app.addApp(other, 'anchor'), other);
    for (const spec of guarded) {
      const { statusCode } = await probe(app, spec, { token });
      const isHidden = spec.access.startsWith('app:') || spec.access === 'ownerApps';
      const refused = isHidden ? 404 : 403;
      expect([spec.id, statusCode]).toEqual([spec.id, spec.surface?.takesOwnToken ? 401 : refused]);
    }
  });

  test('refuses Read-Only tokens for changes, and records nothing', async () => {
    const { app, fixtures } = await openCopy();
    const create = async (url: string): Promise<string> =>
      (await app.call('POST', url, { token: fixtures.ada.token, body: { scope: ['viewer'] } })).json().api_token;
    const ofUser = await create('/v0.1/api_tokens');
    const ofCompass = await create('/v0.1/apps/ada/compass/api_tokens');
    const ofTides = await create('/v0.1/apps/lighthouse/tide-table/api_tokens');
    const recorded = async () => (await app.database.query((q) => q.selectFrom('audit_events').select('id'))).length;
    const before = await recorded();
    for (const spec of changing) {
      // An app token finds nothing outside its app, even with full access.
      const ofApp = exampleRequest(spec).url.startsWith('/v0.1/apps/lighthouse/tide-table/') ? ofTides : ofCompass;
      for (const token of [ofUser, ofApp])
        expect([spec.id, (await probe(app, spec, { token })).statusCode]).toEqual([spec.id, 403]);
    }
    expect(await recorded()).toBe(before);
  });

  test('refuses POST, PUT and PATCH without a body with 411, and records nothing', async () => {
    const { app, fixtures } = await openCopy();
    const recorded = async () => (await app.database.query((q) => q.selectFrom('audit_events').select('id'))).length;
    const bodied = endpoints.filter(({ method }) => ['POST', 'PUT', 'PATCH'].includes(method));
    const [exceptions, strict] = [bodied.filter((spec) => !needsBody(spec)), bodied.filter(needsBody)];
    const before = await recorded();
    for (const spec of strict) {
      const { method, url, headers } = exampleRequest(spec, fixtures);
      for (const more of [{}, { 'content-length': '0' }, { 'content-type': 'application/json' }]) {
        const sent = { ...headers, ...more, 'x-api-token': tokenFor(spec, fixtures) };
        if (!('content-type' in more)) delete (sent as Record<string, unknown>)['content-type'];
        const { statusCode } = await app.call(method, url, { headers: sent });
        const expected = spec.surface?.replacedStatuses?.[411] ?? 411;
        expect([spec.id, more, statusCode]).toEqual([spec.id, more, expected]);
      }
    }
    expect(await recorded()).toBe(before);
    expect(strict.length).toBeGreaterThan(200);
    for (const spec of exceptions) {
      const { method, url, headers } = exampleRequest(spec, fixtures);
      const { statusCode } = await app.call(method, url, {
        headers: { ...headers, 'x-api-token': tokenFor(spec, fixtures) },
      });
      expect([spec.id, statusCode]).not.toEqual([spec.id, 411]);
    }
  });

  test.each([
    ['malformed JSON', 'garbage'],
    ['an array', '[]'],
    ['a number', '7'],
    ['null', 'null'],
    ['a prototype', '{"__proto__":{"a":1}}'],
  ])('refuses a body that is %s with 400', async (_what, body) => {
    const { app, fixtures } = await openCopy();
    for (const spec of endpoints.filter(({ request }) => request?.kind === 'json')) {
      const { method, url, headers } = exampleRequest(spec, fixtures);
      const answer = await app.call(method, url, {
        body,
        headers: { ...headers, 'content-type': 'application/json', 'x-api-token': tokenFor(spec, fixtures) },
      });
      expect([spec.id, answer.statusCode, getCode(spec, answer)]).toEqual([spec.id, 400, 'BadRequest']);
    }
  });
});
