import { type EndpointSpec, endpoints, isRead } from '@mooring/contract';
import { exampleRequest, type Fixtures } from '@mooring/contract/fixtures';
import { expect, test } from 'vitest';
import type { TestApp } from '../harness/app.ts';
import { fixtureCopies } from '../harness/fixtures.ts';
import { eachDatabase } from '../harness/services/databases.ts';
import { deadCallers, type LiveCaller, liveCallers } from './callers.ts';

const org = { org_name: 'lighthouse' };
/** An app whose owner is a user, and one whose owner is an organization. */
const apps = [
  { params: { ...org, owner_name: 'ada', app_name: 'compass' }, isOrgApp: false },
  { params: { ...org, owner_name: 'lighthouse', app_name: 'compass' }, isOrgApp: true },
];

/** Access depends on the declaration alone, so one operation of each access is enough to compare databases. */
const endpointByAccess = [...new Map(endpoints.map((spec) => [`${spec.access} ${isRead(spec)}`, spec])).values()];

/** Callers who pass the access check of an operation. Requests stop there, so that nothing changes. */
async function walk(
  app: TestApp,
  { ids }: Fixtures,
  spec: EndpointSpec,
  callers: readonly LiveCaller[],
): Promise<void> {
  // Operations outside apps use the parameters of their example.
  const isAboutApps = spec.access.startsWith('app:') || spec.access === 'ownerApps';
  for (const { params, isOrgApp } of isAboutApps ? apps : [{ params: org, isOrgApp: false }]) {
    const { method, url, headers: type, body } = exampleRequest(spec, { params, ids });
    const payload = typeof body === 'object' ? Buffer.from(body) : body;
    const seen: [string, boolean][] = [];
    for (const { who, headers } of callers) {
      const { statusCode } = await app.call(method, url, { body: payload, headers: { ...type, ...headers } });
      seen.push([who, ![401, 403, 404].includes(statusCode)]);
    }
    const expected = callers.map(({ who, may }) => [who, may(spec, isOrgApp)]);
    expect({ operation: spec.id, url, seen }).toEqual({ operation: spec.id, url, seen: expected });
  }
}

eachDatabase('the table of permissions', (dialect) => {
  const openCopy = fixtureCopies(dialect);
  const walkAll = async (findCallers: (app: TestApp, fixtures: Fixtures) => Promise<LiveCaller[]>) => {
    const { app, fixtures } = await openCopy();
    let isClosed = false;
    app.http.addHook('preHandler', async (_request, reply) => (isClosed ? reply.code(299).send() : undefined));
    const callers = await findCallers(app, fixtures);
    isClosed = true;
    for (const spec of dialect === 'sqlite' ? endpoints : endpointByAccess) await walk(app, fixtures, spec, callers);
  };

  test('matches the callers who get through, with every kind of credential', { timeout: 300_000 }, () =>
    walkAll(liveCallers),
  );

  test('grants nothing to revoked, expired or disabled credentials', { timeout: 300_000 }, () => walkAll(deadCallers));
});
