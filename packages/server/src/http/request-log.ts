import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../context.ts';
import type { Log } from '../kernel/log.ts';
import type { Metrics } from './metrics.ts';

declare module 'fastify' {
  interface FastifyReply {
    failureCode: string | undefined;
  }
}

function actorFields(actor: Actor | undefined): Record<string, string> {
  if (actor?.kind === 'user') {
    const { credential, user } = actor;
    return credential.kind === 'password' ? { user: user.id } : { user: user.id, [credential.kind]: credential.id };
  }
  return actor?.kind === 'app' ? { app: actor.appId, token: actor.tokenId } : {};
}

/** The path without the query, which may hold what does not belong in a log. */
const pathOf = ({ url }: FastifyRequest): string => {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
};

/** One line and one measurement for each request; no header and no body is ever logged. */
export function logRequests(app: FastifyInstance, log: Log, metrics: Metrics): void {
  app.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done) => {
    const operation = request.routeOptions.config?.endpoint?.id ?? 'none';
    const ms = reply.elapsedTime;
    metrics.observeRequest(operation, reply.statusCode, ms / 1000);
    log.info({
      request: request.id,
      operation,
      method: request.method,
      path: pathOf(request),
      status: reply.statusCode,
      ms: Math.round(ms * 100) / 100,
      from: request.ip,
      ...actorFields(request.ctx?.actor),
      ...(reply.failureCode ? { code: reply.failureCode } : {}),
    });
    done();
  });
}
