import type { FastifyInstance } from 'fastify';
import type { User } from '../../src/context.ts';
import { openSession } from '../../src/domains/accounts/sessions.ts';
import { findPerson } from '../../src/domains/accounts/users.ts';
import { findAppGrant } from '../../src/domains/apps/apps.ts';
import { sessionCookie } from '../../src/http/credentials.ts';
import type { TestApp } from '../harness/app.ts';
import { addClient, openBrowser } from '../harness/oauth.ts';

/** Somebody with a credential, who asks before and after a change that somebody else makes. */
export interface Bystander {
  who: string;
  headers: Record<string, string>;
}

const token = (value: string) => ({ 'x-api-token': value });

async function find(app: TestApp, name: string): Promise<User> {
  const user = await findPerson(app.deps, name);
  if (!user) throw new Error(`${name} is not in the world`);
  return user;
}

/** These people with every kind of credential, the app token of one of them, and somebody who belongs nowhere. */
export async function addBystanders(app: TestApp, names: string[], owned: { owner: string; app: string }) {
  const client = await addClient(app);
  const all: Bystander[] = [];
  const stranger = await app.addUser('stranger');
  for (const user of [...(await Promise.all(names.map((name) => find(app, name)))), stranger]) {
    for (const reach of ['all', 'viewer'] as const) {
      all.push({ who: `${user.name}, ${reach}`, headers: token(await app.userToken(user, { scope: [reach] })) });
    }
    const browser = openBrowser(app);
    const { secret } = await openSession(app.as(user), user);
    browser.headers.cookie = sessionCookie(secret, { secure: false, maxAge: 60 }).split(';')[0] ?? '';
    all.push({ who: `${user.name}, session`, headers: { ...browser.headers } });
    const { access_token = '' } = (await browser.obtain(client)).fragment;
    all.push({ who: `${user.name}, OAuth`, headers: { authorization: `Bearer ${access_token}` } });
  }
  const owner = await find(app, owned.owner);
  const granted = await findAppGrant(app.deps, app.as(owner).actor, owned.owner, owned.app);
  if (!granted) throw new Error(`${owned.owner} has no app ${owned.app}`);
  for (const reach of ['all', 'viewer'] as const) {
    const value = await app.appToken(granted.app, owner, { scope: [reach] });
    all.push({ who: `app token, ${reach}`, headers: token(value) });
  }
  return all;
}

const VERSION = 'api-version=2024-02-01';

/** Addresses at which a process may remember something: who asks, what they see, and each thing that rights are given for. */
export async function rememberedAddresses(http: FastifyInstance, { headers }: Bystander): Promise<string[]> {
  const list = async <T>(url: string) => (await http.inject({ url, headers })).json<T>();
  const apps = await list<{ name: string; owner: { name: string } }[]>('/v0.1/apps');
  const orgs = await list<{ name: string }[]>('/v0.1/orgs');
  const { value } = await list<{ value: { subscriptionId: string }[] }>(`/subscriptions?${VERSION}`);
  return [
    '/v0.1/user',
    '/v0.1/apps',
    ...apps.map(({ owner, name }) => `/v0.1/apps/${owner.name}/${name}`),
    ...orgs.map(({ name }) => `/v0.1/orgs/${name}`),
    ...value.map(({ subscriptionId }) => `/subscriptions/${subscriptionId}?${VERSION}`),
    `/providers/Vendor.ResourceHealth/events?${VERSION}`,
    ...value.map(
      ({ subscriptionId }) => `/subscriptions/${subscriptionId}/providers/Vendor.ResourceHealth/events?${VERSION}`,
    ),
  ];
}

/** What each of them is told at each address. */
export async function askAll(http: FastifyInstance, bystanders: Bystander[], addresses: string[]): Promise<string[]> {
  const told: string[] = [];
  for (const { who, headers } of bystanders) {
    const answers = await Promise.all(addresses.map((url) => http.inject({ url, headers })));
    for (const [at, { statusCode, body }] of answers.entries())
      told.push(`${who}: ${addresses[at]} ${statusCode} ${body}`);
  }
  return told;
}
