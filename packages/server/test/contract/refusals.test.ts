import {
  type EndpointSpec,
  endpoints,
  errorStatuses,
  healthFamily,
  isRead,
  needsBody,
  needsCredential,
} from '@mooring/contract';
import { exampleRequest } from '@mooring/contract/world';
import { expect, test } from 'vitest';
import { type Call, type TestApp, testApp } from '../harness/app.ts';
import { eachDatabase } from '../harness/databases.ts';
import { worldCopies } from '../harness/world.ts';

/** The code of an error, in the shape of its family. */
function codeOf(
  spec: EndpointSpec,
  answer: {
    statusCode: number;
    json(): { code?: string | number; status?: string; error?: { code: string | number } };
  },
) {
  if (spec.family === healthFamily || spec.errorShape === 'flat' || spec.errorShape === 'identified')
    return answer.json().code;
  if (spec.errorShape === 'stated') return answer.json().status;
  // An answer to HEAD has no body.
  if (spec.errorShape === 'text' || spec.method === 'HEAD')
    return Object.entries(errorStatuses).find(([, status]) => status === answer.statusCode)?.[0];
  const code = spec.errorShape === 'traced' ? answer.json().code : answer.json().error?.code;
  const named = Object.entries(errorStatuses).find(([, status]) => status === code)?.[0];
  return spec.errorShape === 'numbered' || spec.errorShape === 'traced' ? named : code;
}

const guarded = endpoints.filter(needsCredential);
const changing = guarded.filter((spec) => !isRead(spec));

/** The example of an operation; ids in it are nobody's. */
function probe(app: TestApp, spec: EndpointSpec, call: Call = {}) {
  const { method, url, headers, body } = exampleRequest(spec);
  return app.call(method, url, { headers, body: typeof body === 'object' ? Buffer.from(body) : body, ...call });
}

eachDatabase('every operation', (dialect) => {
  const openCopy = worldCopies(dialect);

  test('refuses whoever shows no credential, or a wrong one, with 401', async () => {
    const app = await testApp(dialect);
    for (const spec of guarded) {
      for (const token of [undefined, 'wrong']) {
        const answer = await probe(app, spec, { token });
        const health = token ? 'InvalidAuthenticationToken' : 'AuthenticationFailed';
        const code = spec.family === healthFamily ? health : 'Unauthorized';
        expect([spec.id, answer.statusCode, codeOf(spec, answer)]).toEqual([spec.id, 401, code]);
      }
    }
  });

  test('hides what is there from strangers, and administration from everybody else', async () => {
    const { app } = await openCopy();
    const token = await app.userToken(await app.addUser('stranger'));
    for (const spec of guarded.filter(({ access }) => access !== 'user')) {
      const { statusCode } = await probe(app, spec, { token });
      const isOffice = ['admin', 'operator'].includes(spec.access);
      expect([spec.id, statusCode]).toEqual([spec.id, isOffice || spec.family === healthFamily ? 403 : 404]);
    }
  });

  test('keeps app tokens out of everything that is not their app', async () => {
    const { app } = await openCopy();
    const other = await app.addUser('other');
    const token = await app.appToken(await app.addApp(other, 'anchor'), other);
    for (const spec of guarded) {
      const { statusCode } = await probe(app, spec, { token });
      expect([spec.id, statusCode]).toEqual([spec.id, spec.access.startsWith('app:') ? 404 : 403]);
    }
  });

  test('that changes something refuses read-only tokens and records nothing', async () => {
    const { app, world } = await openCopy();
    const create = async (url: string): Promise<string> =>
      (await app.call('POST', url, { token: world.ada.token, body: { scope: ['viewer'] } })).json().api_token;
    const ofUser = await create('/v0.1/api_tokens');
    const ofCompass = await create('/v0.1/apps/ada/compass/api_tokens');
    const ofTides = await create('/v0.1/apps/lighthouse/tide-table/api_tokens');
    const recorded = async () => (await app.database.query((q) => q.selectFrom('audit_events').select('id'))).length;
    const before = await recorded();
    for (const spec of changing) {
      // For another app than its own a token of an app finds nothing, whatever it may do.
      const ofApp = exampleRequest(spec).url.startsWith('/v0.1/apps/lighthouse/tide-table/') ? ofTides : ofCompass;
      for (const token of [ofUser, ofApp])
        expect([spec.id, (await probe(app, spec, { token })).statusCode]).toEqual([spec.id, 403]);
    }
    expect(await recorded()).toBe(before);
  });

  test('that is a POST, PUT or PATCH refuses a call without a body with 411, and records nothing', async () => {
    const { app, world } = await openCopy();
    const recorded = async () => (await app.database.query((q) => q.selectFrom('audit_events').select('id'))).length;
    const bodied = endpoints.filter(({ method }) => ['POST', 'PUT', 'PATCH'].includes(method));
    const [exceptions, strict] = [bodied.filter((spec) => !needsBody(spec)), bodied.filter(needsBody)];
    const before = await recorded();
    for (const spec of strict) {
      const { method, url, headers } = exampleRequest(spec, world);
      for (const more of [{}, { 'content-length': '0' }, { 'content-type': 'application/json' }]) {
        const sent = { ...headers, ...more, 'x-api-token': world.ada.token };
        if (!('content-type' in more)) delete (sent as Record<string, unknown>)['content-type'];
        const { statusCode } = await app.call(method, url, { headers: sent });
        expect([spec.id, more, statusCode]).toEqual([spec.id, more, 411]);
      }
    }
    expect(await recorded()).toBe(before);
    expect(strict.length).toBeGreaterThan(200);
    for (const spec of exceptions) {
      const { method, url, headers } = exampleRequest(spec, world);
      const { statusCode } = await app.call(method, url, { headers: { ...headers, 'x-api-token': world.ada.token } });
      expect([spec.id, statusCode]).not.toEqual([spec.id, 411]);
    }
  });

  test.each([
    ['no JSON', 'garbage'],
    ['an array', '[]'],
    ['a number', '7'],
    ['null', 'null'],
    ['a prototype', '{"__proto__":{"a":1}}'],
  ])('that takes a body refuses %s with 400', async (_what, body) => {
    const { app, world } = await openCopy();
    for (const spec of endpoints.filter(({ request }) => request?.kind === 'json')) {
      const { method, url, headers } = exampleRequest(spec, world);
      const answer = await app.call(method, url, {
        body,
        headers: { ...headers, 'content-type': 'application/json', 'x-api-token': world.ada.token },
      });
      expect([spec.id, answer.statusCode, codeOf(spec, answer)]).toEqual([spec.id, 400, 'BadRequest']);
    }
  });
});
