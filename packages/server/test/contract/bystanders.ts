import type { FastifyInstance } from 'fastify';
import type { User } from '../../src/context.ts';
import { openSession } from '../../src/domains/accounts/sessions/sessions.ts';
import { findPerson } from '../../src/domains/accounts/users/users.ts';
import { findAppGrant } from '../../src/domains/apps/apps.ts';
import { sessionCookie } from '../../src/http/credentials.ts';
import type { TestApp } from '../harness/app.ts';
import { addClient, type Browser, codeFor, exchange, openBrowser } from '../harness/oauth.ts';

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

/** A token of Full Access or Read-Only, a browser, or a client of OAuth by the implicit flow or with a code. */
type Kind = 'all' | 'viewer' | 'session' | 'OAuth' | 'OAuth code';

/** These people with credentials of these kinds, a Read-Only token of an app, and somebody who belongs nowhere. */
export async function addBystanders(
  app: TestApp,
  people: Record<string, Kind[]>,
  owned: { owner: string; app: string },
): Promise<Bystander[]> {
  const client = await addClient(app);
  const makers: Record<Kind, (user: User) => Promise<Record<string, string>>> = {
    all: async (user) => token(await app.userToken(user)),
    viewer: async (user) => token(await app.userToken(user, { scope: ['viewer'] })),
    session: async (user) => (await browserOf(app, user)).headers,
    OAuth: async (user) => {
      const { fragment } = await (await browserOf(app, user)).obtain(client);
      return { authorization: `Bearer ${fragment.access_token}` };
    },
    'OAuth code': async (user) => {
      const answer = await exchange(app, await codeFor(await browserOf(app, user), client));
      return { authorization: `Bearer ${answer.json().access_token}` };
    },
  };
  const all: Bystander[] = [];
  await app.addUser('stranger');
  for (const [name, kinds] of Object.entries({ ...people, stranger: ['all'] as const })) {
    const user = await find(app, name);
    for (const kind of kinds) all.push({ who: `${name}, ${kind}`, headers: await makers[kind](user) });
  }
  const owner = await find(app, owned.owner);
  const granted = await findAppGrant(app.deps, app.as(owner).actor, owned.owner, owned.app);
  if (!granted) throw new Error(`${owned.owner} has no app ${owned.app}`);
  all.push({ who: 'app token', headers: token(await app.appToken(granted.app, owner, { scope: ['viewer'] })) });
  return all;
}

/** Signed in, without the time that a password takes. */
async function browserOf(app: TestApp, user: User): Promise<Browser> {
  const browser = openBrowser(app);
  const { secret } = await openSession(app.as(user), user);
  browser.headers.cookie = sessionCookie(secret, { secure: false, maxAge: 60 }).split(';')[0] ?? '';
  return browser;
}

const VERSION = 'api-version=2024-02-01';

/** Addresses at which a process may remember something: who asks, what they see, and each thing that rights are given for. */
export async function rememberedAddresses(http: FastifyInstance, [first]: Bystander[]): Promise<string[]> {
  const list = async <T>(url: string) => (await http.inject({ url, headers: first?.headers ?? {} })).json<T>();
  const apps = await list<{ name: string; owner: { name: string } }[]>('/v0.1/apps');
  const orgs = await list<{ name: string }[]>('/v0.1/orgs');
  const { value } = await list<{ value: { subscriptionId: string }[] }>(`/subscriptions?${VERSION}`);
  const subscriptions = value.map(({ subscriptionId }) => `/subscriptions/${subscriptionId}`);
  return [
    '/v0.1/user',
    '/v0.1/apps',
    ...apps.map(({ owner, name }) => `/v0.1/apps/${owner.name}/${name}`),
    ...orgs.map(({ name }) => `/v0.1/orgs/${name}`),
    ...subscriptions.map((path) => `${path}?${VERSION}`),
    ...['', ...subscriptions].map((path) => `${path}/providers/Vendor.ResourceHealth/events?${VERSION}`),
  ];
}

/** What each of them is told at each address, and at the guarded ones only whether they may ask. */
export async function askAll(
  http: FastifyInstance,
  bystanders: Bystander[],
  { addresses, guarded }: { addresses: string[]; guarded: string[] },
): Promise<string[]> {
  const told: string[] = [];
  for (const { who, headers } of bystanders) {
    const ask = async (url: string, isShown: boolean): Promise<string> => {
      const { statusCode, body } = await http.inject({ url, headers });
      // A refusal has the id of its request in it.
      return `${who}: ${url} ${statusCode} ${isShown && statusCode < 400 ? body : ''}`;
    };
    told.push(...(await Promise.all(addresses.map((url) => ask(url, true)))));
    told.push(...(await Promise.all(guarded.map((url) => ask(url, false)))));
  }
  return told;
}
