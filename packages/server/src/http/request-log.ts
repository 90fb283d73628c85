import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../context.ts';
import { type Log, lineWriter } from '../kernel/log.ts';
import type { Metrics } from './metrics.ts';

declare module 'fastify' {
  interface FastifyReply {
    failureCode: string | undefined;
  }
}

interface Line {
  request: string;
  operation: string;
  /** Only where the operation does not tell it all. */
  path?: string;
  status: number;
  ms: number;
  from: string;
  user?: string;
  app?: string;
  token?: string;
  session?: string;
  oauth?: string;
  code?: string;
}

function addActor(line: Line, actor: Actor | undefined): void {
  if (actor?.kind === 'user') {
    line.user = actor.user.id;
    if (actor.credential.kind !== 'password') line[actor.credential.kind] = actor.credential.id;
  } else if (actor?.kind === 'app') {
    line.app = actor.appId;
    line.token = actor.tokenId;
  }
}

/** A segment of the path that is long and random: the token in the link of an invitation, or one that was taken for an id. */
const secrets = /\/[^/]*[0-9A-Za-z_]{32,}[^/]*/g;

/** The path without the query and without secrets, which do not belong in a log. */
export function loggedPath({ method, url }: Pick<FastifyRequest, 'method' | 'url'>): string {
  const end = url.indexOf('?');
  return `${method} ${(end === -1 ? url : url.slice(0, end)).replace(secrets, '/…')}`;
}

/**
 * One line and one measurement for each request; no header and no body is ever logged.
 * They are written when the tick of the event loop is over: many together cost far less than one by one.
 */
export function logRequests(app: FastifyInstance, log: Log, metrics: Metrics): void {
  const writeLines = lineWriter(log);
  let lines: Line[] = [];
  const write = () => {
    const written = lines;
    lines = [];
    for (const line of written) metrics.observeRequest(line.operation, line.status, line.ms / 1000);
    writeLines(written);
  };

  app.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done) => {
    const endpoint = request.endpoint ?? request.routeOptions.config?.endpoint;
    const line: Line = {
      request: request.id,
      operation: endpoint?.id ?? 'none',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 100) / 100,
      from: request.ip,
    };
    if (!endpoint || endpoint.params) line.path = loggedPath(request);
    if (reply.failureCode) line.code = reply.failureCode;
    addActor(line, request.ctx?.actor);
    if (lines.push(line) === 1) setImmediate(write);
    done();
  });
}
