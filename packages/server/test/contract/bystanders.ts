import type { FastifyInstance } from 'fastify';
import type { User } from '../../src/context.ts';
import { openSession } from '../../src/domains/accounts/sessions/sessions.ts';
import { findPerson } from '../../src/domains/accounts/users/users.ts';
import { findAppGrant } from '../../src/domains/apps/apps.ts';
import { sessionCookie } from '../../src/http/access/credentials.ts';
import type { TestApp } from '../harness/app.ts';
import { addClient, type Browser, codeFor, exchange, openBrowser } from '../harness/services/oauth.ts';

/** A caller whose responses are compared before and after a change by another user. */
export interface Bystander {
  who: string;
  headers: Record<string, string>;
}

const token = (value: string) => ({ 'x-api-token': value });

async function find(app: TestApp, name: string): Promise<User> {
  const user = await findPerson(app.deps, name);
  if (!user) throw new Error(`${name} is not in the fixtures`);
  return user;
}

/** A token of Full Access or Read-Only, a browser, or an OAuth client with the implicit flow or with a code. */
type Kind = 'all' | 'viewer' | 'session' | 'OAuth' | 'OAuth code';

/** These users with credentials of these kinds, a Read-Only app token, and a user without any access. */
export async function addBystanders(
  app: TestApp,
  people: Record<string, Kind[]>,
  owned: { owner: string; app: string },
): Promise<Bystander[]> {
  const client = await addClient(app);
  const makers: Record<Kind, (user: User) => Promise<Record<string, string>>> = {
    all: async (user) => token(await app.userToken(user)),
    viewer: async (user) => token(await app.userToken(user, { scope: ['viewer'] })),
    session: async (user) => (await createBrowser(app, user)).headers,
    OAuth: async (user) => {
      const { fragment } = await (await createBrowser(app, user)).obtain(client);
      return { authorization: `Bearer ${fragment.access_token}` };
    },
    'OAuth code': async (user) => {
      const answer = await exchange(app, await codeFor(await createBrowser(app, user), client));
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

/** Signed in without the time that hashing a password takes. */
async function createBrowser(app: TestApp, user: User): Promise<Browser> {
  const browser = openBrowser(app);
  const { secret } = await openSession(app.as(user), user);
  browser.headers.cookie = sessionCookie(secret, { secure: false, maxAge: 60 }).split(';')[0] ?? '';
  return browser;
}

const VERSION = 'api-version=2024-02-01';

/** Endpoints whose responses a process may cache: the caller, their data, and each resource with its own rights. */
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

/** Response of each bystander at each endpoint; at the guarded ones only if access is granted. */
export async function requestAll(
  http: FastifyInstance,
  bystanders: Bystander[],
  { addresses, guarded }: { addresses: string[]; guarded: string[] },
): Promise<string[]> {
  const responses: string[] = [];
  for (const { who, headers } of bystanders) {
    const request = async (url: string, isShown: boolean): Promise<string> => {
      const { statusCode, body } = await http.inject({ url, headers });
      // An error contains the ID of its request.
      return `${who}: ${url} ${statusCode} ${isShown && statusCode < 400 ? body : ''}`;
    };
    responses.push(...(await Promise.all(addresses.map((url) => request(url, true)))));
    responses.push(...(await Promise.all(guarded.map((url) => request(url, false)))));
  }
  return responses;
}
