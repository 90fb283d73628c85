import {
  appPermissions,
  apps_get,
  type Caller,
  type EndpointSpec,
  healthSurface,
  mayCall,
  needsCredential,
  organizations_get,
  orgRoles,
  Subscriptions_Get,
} from '@mooring/contract';
import { type Fixtures, shown } from '@mooring/contract/fixtures';
import { systemCtx, type User } from '../../src/context.ts';
import { getOrg } from '../../src/domains/accounts/orgs/orgs.ts';
import { findActiveUser } from '../../src/domains/accounts/users/users.ts';
import { addOperator } from '../../src/domains/subscriptions/operators.ts';
import { addSubscriptionReader } from '../../src/domains/subscriptions/subscriptions.ts';
import { DAY, MINUTE } from '../../src/kernel/clock.ts';
import { password, type TestApp } from '../harness/app.ts';
import { addClient, openBrowser } from '../harness/services/oauth.ts';

/** A caller with a credential, and the permissions that the table grants. */
export interface LiveCaller {
  who: string;
  headers: Record<string, string>;
  may(spec: EndpointSpec, isOrgApp: boolean): boolean;
}

const subscriptionId = shown(Subscriptions_Get, 'subscriptionId');

type Reach = 'all' | 'viewer';
const isPublic = (spec: EndpointSpec): boolean => !needsCredential(spec);
const onApp = ({ access }: EndpointSpec): boolean => access.startsWith('app:') || access === 'ownerApps';
const token = (value: string) => ({ 'x-api-token': value });

/** A role in an organization applies to its apps, and a permission to its app. */
function getRights(caller: Caller, reach: Reach): LiveCaller['may'] {
  return (spec, isOrgApp) => {
    const isElsewhere = onApp(spec) && (isOrgApp ? caller.startsWith('app:') : caller.startsWith('org:'));
    return isElsewhere ? false : mayCall(spec, caller, reach);
  };
}

/** A caller without a valid credential. */
const anonymous: LiveCaller['may'] = isPublic;

/** Subjects of the operations, with their owners. */
async function prepare(app: TestApp, { ada }: Fixtures) {
  const owner = await findActiveUser(app.deps, ada.id);
  if (!owner) throw new Error('ada is gone');
  const {
    id,
    name,
    display_name: displayName,
  } = await ada.call(organizations_get, { params: { org_name: 'lighthouse' } });
  const compass = await ada.call(apps_get, { params: { owner_name: 'ada', app_name: 'compass' } });
  // An administrator of the owner may read a subscription, too; no caller owns this one.
  await app.addSubscription(subscriptionId, owner.name);
  return {
    owner,
    org: await getOrg({ db: app.deps.db, org: { id, name, displayName } }),
    target: { id: compass.id, ownerId: owner.id, ownerName: owner.name, name: compass.name },
    other: await app.addApp(owner, 'sextant'),
  };
}

/** All distinguishable callers, with every kind of valid credential. */
export async function liveCallers(app: TestApp, fixtures: Fixtures): Promise<LiveCaller[]> {
  const { owner, org, target, other } = await prepare(app, fixtures);
  const owners = await app.userToken(owner);
  const people = new Map<Caller, User>();
  const callers: LiveCaller[] = [{ who: 'nobody', headers: {}, may: anonymous }];

  const person = async (caller: Caller, settle: (user: User) => Promise<void> = async () => undefined) => {
    const user = await app.addUser(caller.replace(':', '-'), { isAdmin: caller === 'administrator' });
    await settle(user);
    people.set(caller, user);
    for (const reach of ['all', 'viewer'] as const) {
      const headers = token(await app.userToken(user, { scope: [reach] }));
      callers.push({ who: `${caller}, token ${reach}`, headers, may: getRights(caller, reach) });
    }
  };
  await person('user');
  await person('administrator');
  await person('operator', ({ name }) => addOperator(systemCtx(app.deps), name));
  await person('subscription:reader', ({ name }) => addSubscriptionReader(systemCtx(app.deps), subscriptionId, name));
  for (const role of orgRoles) await person(`org:${role}`, (user) => app.addToOrg(org, user, role));
  for (const permission of appPermissions) {
    await person(`app:${permission}`, (user) => app.addMember(target, user, permission));
  }

  for (const reach of ['all', 'viewer'] as const) {
    const rights = getRights(reach === 'all' ? 'app:manager' : 'app:viewer', reach);
    const headers = token(await app.appToken(target, owner, { scope: [reach] }));
    const may: LiveCaller['may'] = (spec, ofOrg) =>
      isPublic(spec) || (onApp(spec) && spec.only !== 'person' && rights(spec, ofOrg));
    callers.push({ who: `app token ${reach}`, headers, may });
    const elsewhere = token(await app.appToken(other, owner, { scope: [reach] }));
    // Of the same owner, whose uploads are not tied to one app.
    const mayUpload: LiveCaller['may'] = (spec, ofOrg) =>
      anonymous(spec, ofOrg) || (spec.access === 'ownerApps' && reach === 'all' && !ofOrg);
    callers.push({ who: `token ${reach} of another app`, headers: elsewhere, may: mayUpload });
  }

  for (const role of orgRoles) {
    const home = '/v0.1/orgs/lighthouse/service_accounts';
    const name = `robot-${role}`;
    await app.call('POST', home, { token: owners, body: { name, display_name: name, role } });
    for (const reach of ['all', 'viewer'] as const) {
      const body = { scope: [reach] };
      const { api_token } = (await app.call('POST', `${home}/${name}/api_tokens`, { token: owners, body })).json();
      const may = getRights(`org:${role}`, reach);
      callers.push({ who: `service account, ${role}, ${reach}`, headers: token(api_token), may });
    }
  }

  const client = await addClient(app);
  for (const caller of ['administrator', 'subscription:reader', 'org:admin', 'app:manager'] as const) {
    const { name = '' } = people.get(caller) ?? {};
    const browser = openBrowser(app);
    await browser.signIn(name);
    const rights = getRights(caller, 'all');
    callers.push({ who: `${caller}, session`, headers: browser.headers, may: rights });
    const { access_token = '' } = (await browser.obtain(client)).fragment;
    const bearer: LiveCaller['may'] = (spec, ofOrg) =>
      isPublic(spec) || (spec.surface === healthSurface && rights(spec, ofOrg));
    callers.push({ who: `${caller}, OAuth`, headers: { authorization: `Bearer ${access_token}` }, may: bearer });
    const basic = Buffer.from(`${name}:${password}`).toString('base64');
    const first: LiveCaller['may'] = (spec, ofOrg) => isPublic(spec) || (spec.basic === true && rights(spec, ofOrg));
    callers.push({ who: `${caller}, password`, headers: { authorization: `Basic ${basic}` }, may: first });
  }
  return callers;
}

/** Former credentials of an administrator. A month has passed since. */
export async function deadCallers(app: TestApp): Promise<LiveCaller[]> {
  const dead: LiveCaller[] = [];
  const client = await addClient(app);
  const add = (who: string, headers: Record<string, string>) =>
    dead.push({ who, headers: { ...headers }, may: anonymous });
  const addUser = async (name: string) => {
    const user = await app.addUser(name, { isAdmin: true });
    const keeper = await app.userToken(user);
    const body = { expires_at: new Date(app.deps.clock.now() + MINUTE).toISOString() };
    const created = await app.call('POST', '/v0.1/api_tokens', { token: keeper, body });
    const browser = openBrowser(app);
    await browser.signIn(name);
    const { access_token = '' } = (await browser.obtain(client)).fragment;
    return { user, keeper, token: created.json(), browser, oauth: { authorization: `Bearer ${access_token}` } };
  };

  const revoker = await addUser('revoker');
  await app.call('DELETE', `/v0.1/api_tokens/${revoker.token.id}`, { token: revoker.keeper });
  add('revoked token', token(revoker.token.api_token));
  await app.call('DELETE', `/v0.1/oauth/consents/${client.id}`, { token: revoker.keeper });
  add('OAuth whose consent was revoked', revoker.oauth);

  const leaver = await addUser('leaver');
  const body = { is_disabled: true };
  await app.call('PATCH', `/v0.1/admin/users/${leaver.user.id}`, { token: revoker.keeper, body });
  add('token of a disabled user', token(leaver.keeper));
  add('session of a disabled user', leaver.browser.headers);
  add('OAuth of a disabled user', leaver.oauth);

  const quitter = await addUser('quitter');
  await quitter.browser.signOut();
  add('session that was signed out', quitter.browser.headers);
  add('OAuth of a session that was signed out', quitter.oauth);

  const latecomer = await addUser('latecomer');
  app.advance(31 * DAY);
  add('expired token', token(latecomer.token.api_token));
  add('expired session', latecomer.browser.headers);
  add('expired OAuth', latecomer.oauth);
  return dead;
}
