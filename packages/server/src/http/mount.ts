import type { Readable } from 'node:stream';
import type { EndpointInput, EndpointOutput, EndpointSpec } from '@mooring/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { TSchema } from 'typebox';
import type { SentBytes } from '../kernel/files/inflate.ts';
import { refuseByBody } from './access/access.ts';
import type { EndpointCtx } from './access/scopes.ts';
import type { EventMessage } from './kinds/events.ts';
import type { FileResult } from './kinds/file-response.ts';
import type { FormFile, IncomingFile } from './kinds/incoming-file.ts';
import type { Run, Shared } from './kinds/kind.ts';
import { mountRequest, mountResponse } from './kinds/kinds.ts';
import type { SentFile } from './kinds/read-parts.ts';
import type { TextResult } from './kinds/text.ts';
import { addPreflight, type Hook, type IsReader, readableFrom } from './requests/cross-origin.ts';
import { compressResponse, isCompressed } from './responses/compression.ts';
import { type ReplyControls, replyControls } from './responses/reply-controls.ts';
import { createResponseCache } from './responses/response-cache.ts';

export type { ReplyControls } from './responses/reply-controls.ts';

/** Input of a handler besides the parts that the schemas validate. */
type HandlerExtras<R> = R extends { kind: 'file' }
  ? { file: IncomingFile }
  : R extends { kind: 'files' }
    ? { files: AsyncIterable<FormFile> }
    : R extends { kind: 'bytes' }
      ? { sent: SentBytes }
      : R extends { kind: 'parts' }
        ? { files: readonly SentFile[] }
        : Record<never, never>;

/** Result of a handler, by the kind of its endpoint's response. */
type HandlerResult<E extends EndpointSpec> = E['response'] extends { isWritten: true }
  ? string | Buffer | Readable
  : E['response'] extends { kind: 'text' }
    ? TextResult
    : E['response'] extends { kind: 'file' }
      ? FileResult
      : E['response'] extends { kind: 'events'; schemas: Readonly<Record<string, TSchema>> }
        ? EndpointOutput<E> & AsyncIterable<EventMessage>
        : EndpointOutput<E>;

type Handler<E extends EndpointSpec> = (
  ctx: EndpointCtx<E>,
  input: EndpointInput<E> & HandlerExtras<E['request']>,
  reply: ReplyControls,
) => Promise<HandlerResult<E> extends undefined ? void : HandlerResult<E>>;

export interface Route {
  endpoint: EndpointSpec;
  /** Untyped here, because a route no longer knows its endpoint's types; only `mount` calls it. */
  handle: (ctx: never, input: never, reply: ReplyControls) => Promise<unknown>;
}

/** Connects an endpoint of the contract with its handler, whose types must agree. */
export const route = <E extends EndpointSpec>(endpoint: E, handle: Handler<E>): Route => ({ endpoint, handle });

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: EndpointSpec;
    /** Message for a body of an unsupported type. */
    refusal?: string;
  }
  interface FastifyRequest {
    /**
     * Endpoint of the request, set on its route. Cached here, because Fastify computes the route options on each
     * access.
     */
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

/** Registers routes. Throws if an endpoint has no handler, or more than one. */
export function mount(app: FastifyInstance, { endpoints, routes, access, isReader }: Mounting): void {
  const counts = new Map<string, number>();
  for (const { endpoint } of routes) counts.set(endpoint.id, (counts.get(endpoint.id) ?? 0) + 1);
  for (const { id } of endpoints) {
    const handlers = counts.get(id) ?? 0;
    if (handlers !== 1) throw new Error(`Operation ${id} has ${handlers} handlers, but needs exactly one.`);
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
    // A refused request may still be read across origins.
    const hooks = share ? [share, enter] : [enter];
    // A separate HEAD route, as Fastify creates it, costs time and memory; Node omits the body anyway.
    const isHeadToo = endpoint.method === 'GET' && !ownHeads.has(endpoint.path);
    const methods: HTTPMethods[] = isHeadToo ? ['GET', 'HEAD'] : [endpoint.method];
    put(app, route, { methods, onRequest: hooks }, { ...shared, enter });
    if (!share || endpoint.method === 'GET') continue;
    const there = shareable.get(endpoint.path);
    if (there) there.endpoints.push(endpoint);
    else shareable.set(endpoint.path, { endpoints: [endpoint], hooks: endpoint.access === 'public' ? hooks : [share] });
  }
  for (const [path, { endpoints, hooks }] of shareable) addPreflight(app, toFastifyPath(path), endpoints, hooks);
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
  const responder = mountResponse(endpoint.response, shared);

  const run = async (request: FastifyRequest, reply: FastifyReply, more?: Partial<ReplyControls>) => {
    const { params, query, headers, body } = request;
    const input = { params, query, headers, body, ...(takes.read && (await takes.read(request))) };
    const controls = replyControls(request, reply, shared.stopping);
    // The access hook created the ctx that the endpoint declares, and its kinds and schemas the input.
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
        ...(responder.schemas ? { response: responder.schemas } : {}),
      },
      onRequest,
      ...(takes.preValidation ? { preValidation: takes.preValidation } : {}),
      ...(endpoint.raises ? { preHandler: async (request) => refuseByBody(endpoint, request) } : {}),
      ...(isCompressed(endpoint) ? { onSend: compressResponse } : {}),
      handler: (request, reply) => responder.respond(request, reply, ((more) => run(request, reply, more)) as Run),
    });

  if (!takes.accept) register(app);
  else {
    const registerScoped = async (scope: FastifyInstance): Promise<void> => {
      await takes.accept?.(scope);
      register(scope);
    };
    // Without a name, Fastify compares the plugin with every loaded module.
    app.register(Object.assign(registerScoped, { [Symbol.for('fastify.display-name')]: endpoint.id }));
  }
}
