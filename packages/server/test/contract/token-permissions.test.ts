import {
  appPermissions,
  type Caller,
  type EndpointSpec,
  endpoints,
  getTokenPermission,
  isRead,
  mayCall,
  needsCredential,
  orgRoles,
  Subscriptions_Get,
  type TokenPermission,
  tokenActions,
  tokenPermissions,
  withReads,
} from '@mooring/contract';
import { exampleRequest, type Fixtures, shown } from '@mooring/contract/fixtures';
import { expect, test } from 'vitest';
import { systemCtx, type User } from '../../src/context.ts';
import { getOrg } from '../../src/domains/accounts/orgs/orgs.ts';
import { addOperator } from '../../src/domains/subscriptions/operators.ts';
import type { TestApp } from '../harness/app.ts';
import { fixtureCopies } from '../harness/fixtures.ts';
import { eachDatabase } from '../harness/services/databases.ts';

const guarded = endpoints.filter((spec) => needsCredential(spec) && !spec.surface?.takesOwnToken);
const apps = [
  { params: { org_name: 'lighthouse', owner_name: 'ada', app_name: 'compass' }, isOrgApp: false },
  { params: { org_name: 'lighthouse', owner_name: 'lighthouse', app_name: 'compass' }, isOrgApp: true },
];
const onApp = ({ access }: EndpointSpec): boolean => access.startsWith('app:') || access === 'ownerApps';

/** The model: a set of permissions, and the rights of the person, in areas that the token only reads as a Viewer. */
function allows(
  spec: EndpointSpec,
  caller: Caller,
  permissions: readonly TokenPermission[],
  isOrgApp: boolean,
): boolean {
  const isElsewhere = onApp(spec) && (isOrgApp ? caller.startsWith('app:') : caller.startsWith('org:'));
  if (isElsewhere) return false;
  if (spec.describesCaller) return mayCall(spec, caller, 'all');
  if (spec.needsUnlimited) return false;
  const permission = getTokenPermission(spec);
  if (!withReads(permissions).has(permission)) return false;
  const [area] = permission.split(':');
  const changes = tokenActions.some(
    (action) => action !== 'read' && permissions.includes(`${area}:${action}` as TokenPermission),
  );
  return mayCall(spec, caller, changes ? 'all' : 'viewer');
}

async function addPeople(app: TestApp, { ada }: Fixtures): Promise<Map<Caller, User>> {
  // An administrator of the owner may read a subscription, too; no caller owns this one.
  await app.addSubscription(shown(Subscriptions_Get, 'subscriptionId'), 'ada');
  const people = new Map<Caller, User>();
  const orgs = await ada.call(
    endpointsById.organizations_get as never,
    { params: { org_name: 'lighthouse' } } as never,
  );
  const { id, name, display_name: displayName } = orgs as unknown as { id: string; name: string; display_name: string };
  const org = await getOrg({ db: app.deps.db, org: { id, name, displayName } });
  const compass = (await ada.call(
    endpointsById.apps_get as never,
    { params: { owner_name: 'ada', app_name: 'compass' } } as never,
  )) as unknown as { id: string };
  const target = { id: compass.id, ownerId: ada.id, ownerName: 'ada', name: 'compass' };
  const add = async (caller: Caller, settle: (user: User) => Promise<unknown> = async () => undefined) => {
    const user = await app.addUser(`p-${caller.replace(':', '-')}`, { isAdmin: caller === 'administrator' });
    await settle(user);
    people.set(caller, user);
  };
  await add('user');
  await add('administrator');
  await add('operator', ({ name }) => addOperator(systemCtx(app.deps), name));
  for (const role of orgRoles) await add(`org:${role}`, (user) => app.addToOrg(org, user, role));
  for (const each of appPermissions) await add(`app:${each}`, (user) => app.addMember(target, user, each));
  return people;
}

const endpointsById = Object.fromEntries(endpoints.map((spec) => [spec.id, spec]));

eachDatabase('permissions of tokens', (dialect) => {
  const openCopy = fixtureCopies(dialect);
  // Access depends on the declaration alone, so one operation of each permission and access is enough to compare databases.
  const specs =
    dialect === 'sqlite'
      ? guarded
      : [...new Map(guarded.map((spec) => [`${spec.access} ${getTokenPermission(spec)}`, spec])).values()];

  /**
   * Each operation with every role and four tokens: with its permission alone, with all others, with reading in its area, and
   * with all. As permissions are a set, these decide for every combination.
   */
  test('match the callers who get through', { timeout: 600_000 }, async () => {
    const { app, fixtures } = await openCopy();
    let isClosed = false;
    app.http.addHook('preHandler', async (_request, reply) => (isClosed ? reply.code(299).send() : undefined));
    const people = await addPeople(app, fixtures);
    const tokens = new Map<string, string>();
    const tokenFor = async (caller: Caller, permissions: readonly TokenPermission[]) => {
      const key = `${caller} ${permissions.join()}`;
      const known = tokens.get(key) ?? (await app.userToken(people.get(caller) as User, { scope: [...permissions] }));
      tokens.set(key, known);
      return known;
    };
    const choices = (spec: EndpointSpec): TokenPermission[][] => {
      const own = getTokenPermission(spec);
      const [area] = own.split(':');
      const others = tokenPermissions.filter((each) => (isRead(spec) ? !each.startsWith(`${area}:`) : each !== own));
      return [[own], others, [`${area}:read` as TokenPermission], [...tokenPermissions]];
    };
    // Tokens are created first, because the server answers nothing after that.
    for (const spec of specs) {
      for (const caller of people.keys()) for (const permissions of choices(spec)) await tokenFor(caller, permissions);
    }
    isClosed = true;
    for (const spec of specs) {
      for (const { params, isOrgApp } of onApp(spec)
        ? apps
        : [{ params: { org_name: 'lighthouse' }, isOrgApp: false }]) {
        const { method, url, headers, body } = exampleRequest(spec, { params, ids: fixtures.ids });
        const payload = typeof body === 'object' ? Buffer.from(body) : body;
        const [seen, expected]: [unknown[], unknown[]] = [[], []];
        for (const caller of people.keys()) {
          for (const permissions of choices(spec)) {
            const token = await tokenFor(caller, permissions);
            const { statusCode } = await app.call(method, url, {
              body: payload,
              headers: { ...headers, 'x-api-token': token },
            });
            const who = `${caller}, ${permissions.length} permissions`;
            seen.push([who, ![401, 403, 404].includes(statusCode)]);
            expected.push([who, allows(spec, caller, permissions, isOrgApp)]);
          }
        }
        expect(seen, spec.id).toEqual(expected);
      }
    }
  });
});
