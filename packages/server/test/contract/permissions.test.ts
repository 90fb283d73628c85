import { type EndpointSpec, endpoints, isRead } from '@mooring/contract';
import { exampleRequest, type World } from '@mooring/contract/world';
import { expect, test } from 'vitest';
import type { TestApp } from '../harness/app.ts';
import { eachDatabase } from '../harness/databases.ts';
import { worldCopies } from '../harness/world.ts';
import { type Asking, deadCallers, liveCallers } from './callers.ts';

const org = { org_name: 'lighthouse' };
/** An app whose owner is a user, and one whose owner is an organization. */
const apps = [
  { params: { ...org, owner_name: 'ada', app_name: 'compass' }, isOfOrg: false },
  { params: { ...org, owner_name: 'lighthouse', app_name: 'compass' }, isOfOrg: true },
];

/** Who may do what is decided by the access alone, so one operation of each shows that a database decides it the same. */
const oneOfEachAccess = [...new Map(endpoints.map((spec) => [`${spec.access} ${isRead(spec)}`, spec])).values()];

/** Who gets past the access check of an operation; whatever does stops there, so that nothing is changed on the way. */
async function walk(app: TestApp, { ids }: World, spec: EndpointSpec, callers: readonly Asking[]): Promise<void> {
  // What is about no app is asked as its example says.
  for (const { params, isOfOrg } of spec.access.startsWith('app:') ? apps : [{ params: org, isOfOrg: false }]) {
    const { method, url, headers: type, body } = exampleRequest(spec, { params, ids });
    const payload = typeof body === 'object' ? Buffer.from(body) : body;
    const seen: [string, boolean][] = [];
    for (const { who, headers } of callers) {
      const { statusCode } = await app.call(method, url, { body: payload, headers: { ...type, ...headers } });
      seen.push([who, ![401, 403, 404].includes(statusCode)]);
    }
    const expected = callers.map(({ who, may }) => [who, may(spec, isOfOrg)]);
    expect({ operation: spec.id, url, seen }).toEqual({ operation: spec.id, url, seen: expected });
  }
}

eachDatabase('the table of permissions', (dialect) => {
  const openCopy = worldCopies(dialect);
  const walkAll = async (findCallers: (app: TestApp, world: World) => Promise<Asking[]>) => {
    const { app, world } = await openCopy();
    let isClosed = false;
    app.http.addHook('preHandler', async (_request, reply) => (isClosed ? reply.code(299).send() : undefined));
    const callers = await findCallers(app, world);
    isClosed = true;
    for (const spec of dialect === 'sqlite' ? endpoints : oneOfEachAccess) await walk(app, world, spec, callers);
  };

  test('names exactly those who get through, with every kind of credential', { timeout: 300_000 }, () =>
    walkAll(liveCallers),
  );

  test('counts for no credential that was revoked, has expired or whose owner was disabled', { timeout: 300_000 }, () =>
    walkAll(deadCallers),
  );
});
