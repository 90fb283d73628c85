import type { Readable } from 'node:stream';
import type { EndpointSpec, InputOf, OutputOf } from '@mooring/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { TSchema } from 'typebox';
import type { SentBytes } from '../kernel/inflate.ts';
import { refuseByBody } from './access.ts';
import { compressAnswer, isCompressed } from './compression.ts';
import { addPreflight, type Hook, type IsReader, readableFrom } from './cross-origin.ts';
import type { EventAnswer } from './kinds/events.ts';
import type { FileAnswer } from './kinds/file-response.ts';
import type { IncomingFile } from './kinds/incoming-file.ts';
import type { Run, Shared } from './kinds/kind.ts';
import { mountRequest, mountResponse } from './kinds/kinds.ts';
import type { TextAnswer } from './kinds/text.ts';
import { type ReplyControls, replyControls } from './reply-controls.ts';
import { createResponseCache } from './response-cache.ts';
import type { CtxOf } from './scopes.ts';

export type { ReplyControls } from './reply-controls.ts';

/** What a handler gets beside the parts that the schemas checked. */
type MoreOf<R> = R extends { kind: 'file' }
  ? { file: IncomingFile }
  : R extends { kind: 'bytes' }
    ? { sent: SentBytes }
    : Record<never, never>;

/** What a handler answers, by the kind of its endpoint's response. */
type Answer<E extends EndpointSpec> = E['response'] extends { isWritten: true }
  ? string | Buffer | Readable
  : E['response'] extends { kind: 'text' }
    ? TextAnswer
    : E['response'] extends { kind: 'file' }
      ? FileAnswer
      : E['response'] extends { kind: 'events'; schemas: Readonly<Record<string, TSchema>> }
        ? OutputOf<E> & AsyncIterable<EventAnswer>
        : OutputOf<E>;

type Handler<E extends EndpointSpec> = (
  ctx: CtxOf<E>,
  input: InputOf<E> & MoreOf<E['request']>,
  reply: ReplyControls,
) => Promise<Answer<E> extends undefined ? void : Answer<E>>;

export interface Route {
  endpoint: EndpointSpec;
  /** Of which endpoint it is, is not known any more: only `mount` calls it. */
  handle: (ctx: never, input: never, reply: ReplyControls) => Promise<unknown>;
}

/** Joins an endpoint of the contract with the function that answers it; the types of both must agree. */
export const route = <E extends EndpointSpec>(endpoint: E, handle: Handler<E>): Route => ({ endpoint, handle });

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: EndpointSpec;
    /** What a body of a type that the operation does not take is refused with. */
    refusal?: string;
  }
  interface FastifyRequest {
    /** The same, once a request has come as far as its route: Fastify puts its options together anew for whoever asks. */
    endpoint: EndpointSpec | undefined;
  }
}

const toFastifyPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

type AccessHook = (spec: EndpointSpec, request: FastifyRequest, reply: FastifyReply) => Promise<void>;

export interface Mounting {
  endpoints: readonly EndpointSpec[];
  routes: readonly Route[];
  access: AccessHook;
  isReader: IsReader;
}

/** Puts routes on the server. Refuses when an endpoint has no handler, or more than one. */
export function mount(app: FastifyInstance, { endpoints, routes, access, isReader }: Mounting): void {
  const counts = new Map<string, number>();
  for (const { endpoint } of routes) counts.set(endpoint.id, (counts.get(endpoint.id) ?? 0) + 1);
  for (const { id } of endpoints) {
    const handlers = counts.get(id) ?? 0;
    if (handlers !== 1) throw new Error(`The operation ${id} has ${handlers} handlers; it needs exactly one.`);
  }
  const stopping = new AbortController();
  app.addHook('preClose', (done) => {
    stopping.abort();
    done();
  });
  const shared = { responses: createResponseCache(), stopping: stopping.signal, streams: new Map<string, number>() };
  const shareable = new Map<string, { endpoints: EndpointSpec[]; hooks: Hook[] }>();
  const ownHeads = new Set(
    routes.filter(({ endpoint }) => endpoint.method === 'HEAD').map(({ endpoint }) => endpoint.path),
  );
  for (const route of routes) {
    const { endpoint } = route;
    const enter = (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      request.endpoint = endpoint;
      return access(endpoint, request, reply);
    };
    const share = readableFrom(endpoint, isReader);
    // Whoever is refused may still read why.
    const hooks = share ? [share, enter] : [enter];
    // To register HEAD as a route of its own, as Fastify would, takes time and memory; Node leaves the body out.
    const isHeadToo = endpoint.method === 'GET' && !ownHeads.has(endpoint.path);
    const methods: HTTPMethods[] = isHeadToo ? ['GET', 'HEAD'] : [endpoint.method];
    put(app, route, { methods, onRequest: hooks }, { ...shared, enter });
    if (!share || endpoint.method === 'GET') continue;
    const there = shareable.get(endpoint.path);
    if (there) there.endpoints.push(endpoint);
    else shareable.set(endpoint.path, { endpoints: [endpoint], hooks: endpoint.access === 'public' ? hooks : [share] });
  }
  for (const { endpoints, hooks } of shareable.values()) addPreflight(app, endpoints, hooks);
}

interface Entrance {
  methods: HTTPMethods[];
  onRequest: Hook[];
}

function put(
  app: FastifyInstance,
  { endpoint, handle }: Route,
  { methods, onRequest }: Entrance,
  shared: Shared,
): void {
  const takes = mountRequest(endpoint.request);
  const gives = mountResponse(endpoint.response, shared);

  const run = async (request: FastifyRequest, reply: FastifyReply, more?: Partial<ReplyControls>) => {
    const { params, query, headers, body } = request;
    const input = { params, query, headers, body, ...(takes.read && (await takes.read(request))) };
    const controls = replyControls(request, reply, shared.stopping);
    // The access hook made the ctx that this endpoint declares, and its kinds and schemas the input.
    return handle(request.ctx as never, input as never, more ? { ...controls, ...more } : controls);
  };

  const register = (scope: FastifyInstance) =>
    scope.route({
      method: methods,
      url: toFastifyPath(endpoint.path),
      exposeHeadRoute: false,
      config: { endpoint, refusal: takes.refusal },
      ...(takes.bodyLimit === undefined ? {} : { bodyLimit: takes.bodyLimit }),
      schema: {
        ...(endpoint.params ? { params: endpoint.params } : {}),
        ...(endpoint.query ? { querystring: endpoint.query } : {}),
        ...(endpoint.headers ? { headers: endpoint.headers } : {}),
        ...(takes.schema ? { body: takes.schema } : {}),
        ...(gives.schemas ? { response: gives.schemas } : {}),
      },
      onRequest,
      ...(takes.preValidation ? { preValidation: takes.preValidation } : {}),
      ...(endpoint.raises ? { preHandler: async (request) => refuseByBody(endpoint, request) } : {}),
      ...(isCompressed(endpoint) ? { onSend: compressAnswer } : {}),
      handler: (request, reply) => gives.answer(request, reply, ((more) => run(request, reply, more)) as Run),
    });

  if (!takes.accept) register(app);
  else {
    const registerScoped = async (scope: FastifyInstance): Promise<void> => {
      await takes.accept?.(scope);
      register(scope);
    };
    // Without a name, Fastify compares it with every module that was loaded.
    app.register(Object.assign(registerScoped, { [Symbol.for('fastify.display-name')]: endpoint.id }));
  }
}
