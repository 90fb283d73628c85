import { type Client, createClient } from '../client.ts';
import { ApiError } from '../endpoint/api-error.ts';
import type { EndpointSpec } from '../endpoint/endpoint.ts';
import { exampleOf } from '../examples.ts';
import { userApiTokens_create } from '../tokens/api-tokens.contract.ts';

/** Where a world is built: a server in this process or behind a port, and, if it sends mail, the mailboxes of its people. */
export interface WorldServer {
  baseUrl: string;
  fetch: typeof globalThis.fetch;
  /** The newest link of a kind that was mailed to somebody; without it, what the outbox of the server keeps. */
  linkTo?(email: string, kind: string): Promise<string | undefined>;
  now(): number;
  /** Lets what was asked for be done, where nobody does it by itself. */
  settle?(): Promise<void>;
}

export interface Person {
  id: string;
  name: string;
  email: string;
  token: string;
  /** The API, as they see it. */
  call: Client;
}

/** One of everything that the examples speak of. */
export interface World {
  server: WorldServer;
  /** Administers the server. */
  ada: Person;
  grace: Person;
  linus: Person;
  /** What an example shows → what stands for it here, for all that nobody can choose: ids and secrets. */
  ids: Map<string, string>;
}

/** Makes what one noun adds to the world; what is there already stays. */
export type Step = (world: World) => Promise<void>;

const ATTEMPTS = 120;

/** Waits for what a server does off the path of a request. */
export async function until({ settle }: WorldServer, isDone: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS && !(await isDone()); attempt += 1) {
    if (settle) await settle();
    else await new Promise((done) => setTimeout(done, 250));
  }
}

/** Everybody's. */
export const password = 'correct horse battery';

/** What an example says for a parameter, a header or a field of its body. */
export function shown(spec: EndpointSpec, name: string): string {
  const { params, query, headers, body } = exampleOf(spec);
  const value = { ...(body as object), ...headers, ...query, ...params }[name];
  if (typeof value !== 'string') throw new TypeError(`The example of ${spec.id} shows no ${name}.`);
  return value;
}

/** Says what stands here for what an example shows. */
export const putId = ({ ids }: Pick<World, 'ids'>, spec: EndpointSpec, name: string, id: string): unknown =>
  ids.set(shown(spec, name), id);

export const idOf = ({ ids }: Pick<World, 'ids'>, spec: EndpointSpec, name: string): string =>
  ids.get(shown(spec, name)) ?? shown(spec, name);

export const withHeader = (fetch: WorldServer['fetch'], name: string, value: string): WorldServer['fetch'] => {
  return (input, init) => fetch(input, { ...init, headers: { ...(init?.headers as object), [name]: value } });
};

export const withToken = ({ baseUrl, fetch }: Pick<WorldServer, 'baseUrl' | 'fetch'>, token: string): Client =>
  createClient({ baseUrl, fetch, token });

/** A token for somebody, made with their password, as a script makes its first one. */
export async function signIn(server: WorldServer, login: string, description: string): Promise<string> {
  const credential = `Basic ${btoa(`${login}:${password}`)}`;
  const call = createClient({ ...server, fetch: withHeader(server.fetch, 'authorization', credential) });
  return (await call(userApiTokens_create, { body: { description } })).api_token;
}

/** What is refused is answered as its example shows, so that a step goes on with what is there. */
const lenient = (call: Client): Client => {
  return async (spec, ...args) => {
    try {
      return await call(spec, ...args);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      return exampleOf(spec).response as Awaited<ReturnType<typeof call<typeof spec>>>;
    }
  };
};

export const lenientTo = (person: Person): Person => ({ ...person, call: lenient(person.call) });
