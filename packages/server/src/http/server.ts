import type { IncomingMessage, Server } from 'node:http';
import { isIP } from 'node:net';
import type { EndpointSpec } from '@mooring/contract';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { type Clock, DAY, SECOND } from '../kernel/clock.ts';
import { randomBase62 } from '../kernel/crypto/crypto.ts';
import { badRequest, Failure } from '../kernel/errors.ts';
import type { Log } from '../kernel/log.ts';
import { isLoopback } from '../setting-kinds.ts';
import { type ApiSurfaces, canonicalQuery, isStandard } from './api-surfaces.ts';
import { hasConsole, sendConsole, wantsPage } from './console.ts';
import type { Metrics } from './monitoring/metrics.ts';
import { respondToBrokenRequests } from './network/broken-requests.ts';
import { cleanForwardedFor, createProxyWarning } from './network/forwarded-for.ts';
import { acceptBodies, drainRest } from './requests/bodies.ts';
import { logRequests } from './requests/request-log.ts';
import { compileSchema } from './requests/validation.ts';
import { sendShaped } from './responses/error-shapes.ts';
import { MAX_PARAM_LENGTH, toFailure } from './responses/errors.ts';
import { announceRetirement, refuseWhenRetired } from './responses/retirement.ts';
import { compileSerializer } from './responses/serialization.ts';

export interface ServerOptions {
  config: Config;
  endpoints: readonly EndpointSpec[];
  clock: Clock;
  log: Log;
  metrics: Metrics;
  surfaces: ApiSurfaces;
  /** Counts requests for unknown URLs. */
  limit(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

/**
 * Short IDs, unique in this process and, thanks to the random prefix, most likely in all. Keeps a valid ID of the
 * caller.
 */
function createRequestIds() {
  const prefix = randomBase62(6);
  let last = 0;
  return ({ headers }: { headers: IncomingMessage['headers'] }): string => {
    const sentId = headers['x-request-id'];
    if (typeof sentId === 'string' && /^[\w.-]{1,64}$/.test(sentId)) return sentId;
    last += 1;
    return `${prefix}-${last.toString(36)}`;
  };
}

/** Connection limits for both of Node's servers. By default Node checks timeouts only every 30 s. */
export const connectionOptions = (config: Config) => ({
  maxHeaderSize: config.headerLimit,
  headersTimeout: config.requestTimeout * SECOND,
  requestTimeout: config.requestTimeout * SECOND,
  keepAliveTimeout: 72 * SECOND,
  connectionsCheckingInterval: SECOND,
  // This server's own check responds in the format of other errors.
  requireHostHeader: false,
});

/** Creates the HTTP server without routes. Does not listen yet. */
export function createServer(options: ServerOptions): FastifyInstance {
  const { config, endpoints, surfaces, clock, log, metrics, limit } = options;
  const isBehindProxy = config.trustedProxies.length > 0;
  const app = fastify({
    logger: false,
    rewriteUrl: (request) => {
      if (isBehindProxy) cleanForwardedFor(request);
      return surfaces.toCanonical(request.url ?? '/');
    },
    genReqId: createRequestIds(),
    bodyLimit: config.bodyLimit,
    keepAliveTimeout: connectionOptions(config).keepAliveTimeout,
    requestTimeout: connectionOptions(config).requestTimeout,
    forceCloseConnections: 'idle',
    trustProxy: isBehindProxy ? config.trustedProxies : false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    http: connectionOptions(config),
    clientErrorHandler: respondToBrokenRequests(surfaces),
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
  app.decorateRequest('surface');
  app.decorateReply('failureCode', undefined);
  app.setValidatorCompiler(compileSchema);
  app.setSerializerCompiler(compileSerializer);

  const warnAboutProxy = createProxyWarning({ clock, log });
  app.addHook('onRequest', (request, reply, done) => {
    addCommonHeaders(request, reply);
    warnAboutProxy(request);
    request.surface = surfaces.at(request.url);
    if (request.surface.headers) reply.headers(request.surface.headers(request));
    done(refuseHost(request));
  });
  app.addHook('onRoute', (route) => {
    const { endpoint } = route.config ?? {};
    if (!endpoint || !surfaces.of(endpoint).ignoresCase) return;
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
    // The caller learns only that a dependency is unavailable; the operator needs to know which one.
    const cause = failure === error ? failure.cause : error;
    if (failure.code === 'ServiceUnavailable' && cause) {
      log.warn({ request: request.id, cause: (cause as Error).message }, 'a dependency is unavailable');
    }
    // An invalid URL is refused before any hook runs, so add the headers here, too.
    addCommonHeaders(request, reply);
    if (failure.code === 'PayloadTooLarge') drainRest(request, reply);
    // An error may soon disappear, or not apply to the next caller.
    reply.header('cache-control', 'no-store');
    sendShaped(request, reply, failure, surfaces.at(request.url));
  }

  app.setErrorHandler(sendFailure);
  const methodsAt = createMethodLookup(endpoints);
  app.setNotFoundHandler(async (request, reply) => {
    if (wantsPage(request) && isStandard(request.surface) && hasConsole()) return sendConsole(reply);
    if (!request.surface.isUncounted) await limit(request, reply);
    const allowed = methodsAt(request.url);
    if (allowed.length === 0)
      throw new Failure(
        'NotFound',
        `No such endpoint: ${request.method} ${request.url.split('?')[0]}. See /docs for all endpoints.`,
      );
    const allow = allowed.join(', ');
    throw new Failure('MethodNotAllowed', `This URL does not support ${request.method}. Use ${allow}.`, { allow });
  });
  return app;
}

/** Browsers that used the public https host must not use http again; names of this machine are excluded. */
function strictTransport(publicUrl: string | undefined): (request: FastifyRequest) => boolean {
  const url = publicUrl ? new URL(publicUrl) : undefined;
  const isName = url?.protocol === 'https:' && !isLoopback(url) && isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0;
  return isName ? ({ host }) => host === url.host : () => false;
}

/** With two Host headers, a proxy and this server might each use a different one. */
function refuseHost({ headers, raw }: FastifyRequest): Failure | undefined {
  // HTTP/1.0, which proxies use for health checks, does not require this header.
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
  `Internal error. It was logged; report it with the request ID ${requestId}.`;

/** Methods that a path supports; needed only if none matched. */
function createMethodLookup(endpoints: readonly EndpointSpec[]): (url: string) => string[] {
  const patterns = endpoints.map(({ path, method }) => ({
    method,
    pattern: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  }));
  return (url) => {
    const path = url.split('?')[0] ?? '';
    return patterns.flatMap(({ method, pattern }) => (pattern.test(path) ? method : []));
  };
}

/** Ignores expectations other than 100-continue, as HTTP allows, because Node's own error has a different format. */
export const ignoreExpectations = (server: Server): Server =>
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
