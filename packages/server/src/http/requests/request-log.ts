import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../../context.ts';
import { type Log, lineWriter } from '../../kernel/log.ts';
import type { Metrics } from '../monitoring/metrics.ts';

declare module 'fastify' {
  interface FastifyReply {
    failureCode: string | undefined;
  }
}

interface Line {
  request: string;
  operation: string;
  /** Only if the operation has path parameters. */
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

/** A long, random path segment: the token of an invitation link, or one in place of an ID. */
const secrets = /\/[^/]*[0-9A-Za-z_]{32,}[^/]*/g;

/** Path for the log, without the query and secrets. */
export function loggedPath({ method, url }: Pick<FastifyRequest, 'method' | 'url'>): string {
  const end = url.indexOf('?');
  return `${method} ${(end === -1 ? url : url.slice(0, end)).replace(secrets, '/…')}`;
}

/**
 * Writes one line and one measurement for each request; never a header or a body. Written at the end of the event
 * loop's tick, because writing many lines together is far cheaper.
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
