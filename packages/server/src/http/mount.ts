import {
  type Access,
  type BodyStream,
  type EndpointSpec,
  type InputOf,
  isHealth,
  mayOmitBody,
  type OutputOf,
  type Upload,
} from '@mooring/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Ctx } from '../context.ts';
import { SECOND } from '../kernel/clock.ts';
import { Failure } from '../kernel/errors.ts';
import type { CtxFor } from './access.ts';
import { isSecure, sessionCookie } from './credentials.ts';
import { healthError, toFailure } from './errors.ts';
import { type Asked, createResponseCache, type ResponseCache } from './response-cache.ts';
import { acceptStreams, answerInLines, readStream, type StreamedBody, wantsLines } from './streams.ts';
import { acceptUploads, readUpload, type UploadedFile } from './uploads.ts';

/** What a handler may say beside its answer, and know beside its input. */
export interface ReplyControls {
  /** The address as it was asked for. */
  readonly url: string;
  setEtag(etag: string): void;
  /** The answer is about something that did not exist before. */
  setCreated(): void;
  setSession(secret: string, expiresAt: number): void;
  clearSession(): void;
  /** Says how far the work is, to a caller who wants to know. */
  tell(progress: object): void;
}

/** The file of an operation that takes one, or its body if that is too large to be read whole. */
type FileOf<E extends EndpointSpec> = E extends { upload: Upload }
  ? { file: UploadedFile }
  : E extends { stream: BodyStream }
    ? { content: StreamedBody }
    : Record<never, never>;
type Answer<E extends EndpointSpec> = E extends { rawJson: true } ? string | Buffer : OutputOf<E>;

type Handler<E extends EndpointSpec> = (
  ctx: CtxFor<E['access']>,
  input: InputOf<E> & FileOf<E>,
  reply: ReplyControls,
) => Promise<Answer<E> extends undefined ? void : Answer<E>>;

export interface Route {
  endpoint: EndpointSpec;
  handle(
    ctx: CtxFor<Access>,
    input: InputOf<EndpointSpec> & { file?: UploadedFile; content?: StreamedBody },
    reply: ReplyControls,
  ): Promise<unknown>;
}

/** Joins an endpoint of the contract with the function that answers it; the types of both must agree. */
export const route = <E extends EndpointSpec>(endpoint: E, handle: Handler<E>): Route => ({
  endpoint,
  // The access hook made the ctx that this endpoint declares, and the schemas checked the input.
  handle: handle as unknown as Route['handle'],
});

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: EndpointSpec;
  }
  interface FastifyRequest {
    /** The same, once a request has come as far as its route: Fastify puts its options together anew for whoever asks. */
    endpoint: EndpointSpec | undefined;
  }
}

const toFastifyPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

function controls(request: FastifyRequest, reply: FastifyReply): ReplyControls {
  const set = (value: string, maxAge: number) =>
    reply.header('set-cookie', sessionCookie(value, { secure: isSecure(request), maxAge }));
  return {
    url: request.originalUrl,
    setEtag: (etag) => reply.header('etag', etag),
    setCreated: () => reply.code(201),
    setSession: (secret, expiresAt) => {
      const now = request.ctx?.clock.now() ?? 0;
      set(secret, Math.floor((expiresAt - now) / SECOND));
    },
    clearSession: () => set('', 0),
    tell: () => undefined,
  };
}

/** Where a body may be left out, none is an empty one. */
function acceptNoBody(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  if (request.body === undefined) request.body = {};
  done();
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** Names in the query of the health API are known in any case. */
function canonicalQuery({ query: schema }: EndpointSpec) {
  const names = new Map(Object.keys(schema?.properties ?? {}).map((name) => [name.toLowerCase(), name]));
  return (request: FastifyRequest, _reply: FastifyReply, done: () => void): void => {
    const given = request.query as Record<string, unknown>;
    request.query = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [names.get(name.toLowerCase()) ?? name, value]),
    );
    done();
  };
}

type AccessHook = (spec: EndpointSpec, request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Puts routes on the server. Refuses when an endpoint has no handler, or more than one. */
export function mount(app: FastifyInstance, table: readonly EndpointSpec[], routes: Route[], access: AccessHook): void {
  for (const { id } of table) {
    const handlers = routes.filter(({ endpoint }) => endpoint.id === id).length;
    if (handlers !== 1) throw new Error(`The operation ${id} has ${handlers} handlers; it needs exactly one.`);
  }
  const responses = createResponseCache();
  const plain = routes.filter(({ endpoint }) => !endpoint.upload && !endpoint.stream);
  for (const route of plain) put(app, route, access, responses);
  app.register(async (scope) => {
    await acceptUploads(scope);
    for (const route of routes.filter(({ endpoint }) => endpoint.upload)) put(scope, route, access, responses);
  });
  for (const route of routes) {
    const { stream } = route.endpoint;
    if (!stream) continue;
    app.register(async (scope) => {
      acceptStreams(scope, stream.types);
      put(scope, route, access, responses);
    });
  }
}

/** A request without versions has nobody whom anything is remembered for. */
const askedBy = ({ ctx, url, versions }: FastifyRequest): Asked => ({
  actor: (ctx as Ctx).actor,
  url,
  version: versions?.responses ?? Number.NaN,
});

function put(app: FastifyInstance, { endpoint, handle }: Route, access: AccessHook, responses: ResponseCache): void {
  const { success } = endpoint;
  app.route({
    method: endpoint.method,
    url: toFastifyPath(endpoint.path),
    config: { endpoint },
    schema: {
      ...(endpoint.params ? { params: endpoint.params } : {}),
      ...(endpoint.query ? { querystring: endpoint.query } : {}),
      ...(endpoint.headers ? { headers: endpoint.headers } : {}),
      ...(endpoint.body ? { body: endpoint.body } : {}),
      ...(success.body && !endpoint.rawJson ? { response: { [success.status]: success.body } } : {}),
    },
    onRequest: (request, reply) => {
      request.endpoint = endpoint;
      return access(endpoint, request, reply);
    },
    ...(endpoint.id in mayOmitBody ? { preValidation: acceptNoBody } : {}),
    ...(isHealth(endpoint) ? { preValidation: canonicalQuery(endpoint) } : {}),
    handler: (request, reply) => {
      reply.code(success.status).header('cache-control', 'no-store');
      const known = endpoint.remembered && responses.find(askedBy(request));
      if (!known) return answer(request, reply);
      reply.type(JSON_TYPE).send(known);
    },
  });

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { params, query, headers, body } = request as InputOf<EndpointSpec>;
    const ctx = request.ctx as CtxFor<Access>;
    if (endpoint.stream) return answerStream(request, reply, handle, endpoint.stream);
    const file = endpoint.upload && (await readUpload(request, endpoint.upload));
    const said = await handle(ctx, { params, query, headers, body, file }, controls(request, reply));
    if (endpoint.remembered) {
      const text = String(reply.serialize(said as object));
      responses.keep(askedBy(request), text);
      return reply.type(JSON_TYPE).send(text);
    }
    if (endpoint.rawJson) reply.type(JSON_TYPE);
    return success.body ? said : reply.send();
  }
}

/** Work on a body that is large can take minutes. */
async function answerStream(
  request: FastifyRequest,
  reply: FastifyReply,
  handle: Route['handle'],
  stream: BodyStream,
): Promise<unknown> {
  const { params, query, headers } = request as InputOf<EndpointSpec>;
  const ctx = request.ctx as CtxFor<Access>;
  const content = await readStream(request, stream, ctx.config.dataDir);
  const input = { params, query, headers, body: {}, content };
  const run = (tell: ReplyControls['tell']) =>
    handle(ctx, input, { ...controls(request, reply), tell }) as Promise<object>;
  try {
    if (!wantsLines(request)) return await run(() => undefined);
    await answerInLines({
      reply,
      run,
      describe: (error) => {
        ctx.log.error({ request: request.id, err: error }, 'an answer ended with an error');
        const failure = toFailure(error, ctx.config) ?? new Failure('InternalServerError', 'Something went wrong.');
        return healthError(failure, request.id);
      },
    });
    return reply;
  } finally {
    await content.close();
  }
}
