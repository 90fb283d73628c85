import type { IncomingMessage, Server } from 'node:http';
import { isIP } from 'node:net';
import type { EndpointSpec } from '@mooring/contract';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { type Clock, DAY, SECOND } from '../kernel/clock.ts';
import { randomBase62 } from '../kernel/crypto.ts';
import { badRequest, Failure, notFound } from '../kernel/errors.ts';
import type { Log } from '../kernel/log.ts';
import { isLoopback } from '../setting-kinds.ts';
import { acceptBodies, letRestGoBy } from './bodies.ts';
import { answerBrokenRequests } from './broken-requests.ts';
import { hasConsole, sendConsole, wantsPage } from './console.ts';
import { sendShaped } from './error-shapes.ts';
import { MAX_PARAM_LENGTH, toFailure } from './errors.ts';
import { canonicalQuery, type Families, isStandard } from './families.ts';
import { cleanForwardedFor, createProxyWarning } from './forwarded-for.ts';
import type { Metrics } from './metrics.ts';
import { logRequests } from './request-log.ts';
import { announceRetirement, refuseWhenRetired } from './retirement.ts';
import { compileSerializer } from './serialization.ts';
import { compileSchema } from './validation.ts';

export interface ServerOptions {
  config: Config;
  endpoints: readonly EndpointSpec[];
  clock: Clock;
  log: Log;
  metrics: Metrics;
  families: Families;
  /** Counts whoever asks for what is not there. */
  limit(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

/** Short, unique in this process and, by its prefix, most likely in all of them. A caller's own id is kept if it is sane. */
function createRequestIds() {
  const prefix = randomBase62(6);
  let last = 0;
  return ({ headers }: { headers: IncomingMessage['headers'] }): string => {
    const given = headers['x-request-id'];
    if (typeof given === 'string' && /^[\w.-]{1,64}$/.test(given)) return given;
    last += 1;
    return `${prefix}-${last.toString(36)}`;
  };
}

/** Limits of a connection, for both of Node's servers. Time-outs would otherwise be noticed every 30 s only. */
export const connectionOptions = (config: Config) => ({
  maxHeaderSize: config.headerLimit,
  headersTimeout: config.requestTimeout * SECOND,
  requestTimeout: config.requestTimeout * SECOND,
  keepAliveTimeout: 72 * SECOND,
  connectionsCheckingInterval: SECOND,
  // Ours answers in the shape of every other error.
  requireHostHeader: false,
});

/** Builds the HTTP server without routes; nothing listens yet. */
export function createServer(options: ServerOptions): FastifyInstance {
  const { config, endpoints, families, clock, log, metrics, limit } = options;
  const isBehindProxy = config.trustedProxies.length > 0;
  const app = fastify({
    logger: false,
    rewriteUrl: (request) => {
      if (isBehindProxy) cleanForwardedFor(request);
      return families.toCanonical(request.url ?? '/');
    },
    genReqId: createRequestIds(),
    bodyLimit: config.bodyLimit,
    keepAliveTimeout: connectionOptions(config).keepAliveTimeout,
    requestTimeout: connectionOptions(config).requestTimeout,
    forceCloseConnections: 'idle',
    trustProxy: isBehindProxy ? config.trustedProxies : false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    http: connectionOptions(config),
    clientErrorHandler: answerBrokenRequests(families),
    frameworkErrors: (error, request, reply) => sendFailure(error, request as FastifyRequest, reply as FastifyReply),
  });
  const isStrict = strictTransport(config.publicUrl);
  const addCommonHeaders = (request: FastifyRequest, reply: FastifyReply): void => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    if (isStrict(request)) reply.header('strict-transport-security', `max-age=${(365 * DAY) / SECOND}`);
  };
  app.decorateRequest('ctx', undefined);
  app.decorateRequest('versions', undefined);
  app.decorateRequest('endpoint', undefined);
  app.decorateRequest('rank', undefined);
  app.decorateRequest('family');
  app.decorateReply('failureCode', undefined);
  app.setValidatorCompiler(compileSchema);
  app.setSerializerCompiler(compileSerializer);

  const warnOfProxy = createProxyWarning({ clock, log });
  app.addHook('onRequest', (request, reply, done) => {
    addCommonHeaders(request, reply);
    warnOfProxy(request);
    request.family = families.at(request.url);
    if (request.family.headers) reply.headers(request.family.headers(request));
    done(refuseHost(request));
  });
  app.addHook('onRoute', (route) => {
    const { endpoint } = route.config ?? {};
    if (!endpoint || !families.of(endpoint).ignoresCase) return;
    route.preValidation = [canonicalQuery(endpoint), ...[route.preValidation ?? []].flat()];
  });
  announceRetirement(app, config.retirementDate);
  acceptBodies(app);
  refuseWhenRetired(app, config.retirementDate, clock);
  logRequests(app, log, metrics);

  function sendFailure(error: Error, request: FastifyRequest, reply: FastifyReply): void {
    const { bodyLimit = config.bodyLimit, config: route } = request.routeOptions ?? {};
    const failure =
      toFailure(error, { bodyLimit, refusal: route?.refusal }) ??
      new Failure('InternalServerError', unexpected(request.id));
    if (failure.code === 'InternalServerError') log.error({ request: request.id, err: error }, 'unexpected error');
    // The caller is told that something is away; whoever runs the server needs to know what.
    const cause = failure === error ? failure.cause : error;
    if (failure.code === 'ServiceUnavailable' && cause) {
      log.warn({ request: request.id, cause: (cause as Error).message }, 'something that this server needs is away');
    }
    // Again: an address that cannot be read is refused before any hook runs.
    addCommonHeaders(request, reply);
    if (failure.code === 'PayloadTooLarge') letRestGoBy(request, reply);
    // What is missing or refused now need not be so for long, or for whoever asks next.
    reply.header('cache-control', 'no-store');
    sendShaped(request, reply, failure, families.at(request.url));
  }

  app.setErrorHandler(sendFailure);
  const methodsAt = methodsOf(endpoints);
  app.setNotFoundHandler(async (request, reply) => {
    if (wantsPage(request) && isStandard(request.family) && hasConsole()) return sendConsole(reply);
    if (!request.family.isUncounted) await limit(request, reply);
    const allowed = methodsAt(request.url);
    if (allowed.length === 0) throw notFound('address', `${request.method} ${request.url.split('?')[0]}`);
    const allow = allowed.join(', ');
    throw new Failure('MethodNotAllowed', `This address does not take ${request.method}, but ${allow}.`, { allow });
  });
  return app;
}

/** Browsers that came by an https address of the operator's shall not try http again; a name of this machine is not theirs. */
function strictTransport(publicUrl: string | undefined): (request: FastifyRequest) => boolean {
  const url = publicUrl ? new URL(publicUrl) : undefined;
  const isName = url?.protocol === 'https:' && !isLoopback(url) && isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0;
  return isName ? ({ host }) => host === url.host : () => false;
}

/** Two servers in a row may each believe another one of two Host headers. */
function refuseHost({ headers, raw }: FastifyRequest): Failure | undefined {
  // HTTP/1.0, in which proxies ask whether a server is ready, knows no such header.
  if (headers.host === undefined) {
    return raw.httpVersion === '1.0' ? undefined : badRequest('The request has no Host header.');
  }
  const { rawHeaders } = raw;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1 ? badRequest('The request has more than one Host header.') : undefined;
}

const unexpected = (requestId: string): string =>
  `The server could not answer because of a fault of its own, which it has logged. Quote the request id ${requestId} when you report it.`;

/** The methods that a path takes: only asked when none of them was used. */
function methodsOf(endpoints: readonly EndpointSpec[]): (url: string) => string[] {
  const patterns = endpoints.map(({ path, method }) => ({
    method,
    pattern: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  }));
  return (url) => {
    const path = url.split('?')[0] ?? '';
    return patterns.flatMap(({ method, pattern }) => (pattern.test(path) ? method : []));
  };
}

/** What a request expects beside 100-continue is ignored, as HTTP allows: Node's own refusal is not in our shape. */
export const ignoreExpectations = (server: Server): Server =>
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
