import type { EndpointSpec } from '@mooring/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';

/** True if an endpoint is readable from pages of this origin. */
export type IsReader = (who: 'clients' | 'senders', origin: string) => Promise<boolean>;

export type Hook = onRequestHookHandler | ((request: FastifyRequest, reply: FastifyReply) => Promise<void>);

/** Returns no promise, because devices call such endpoints all the time. */
const shareWithAll: onRequestHookHandler = (_request, reply, done) => {
  reply.header('access-control-allow-origin', '*');
  done();
};

/** Lets pages of other sites read a response, where the endpoint allows it. */
export function readableFrom({ readableFrom: who }: EndpointSpec, isReader: IsReader): Hook | undefined {
  if (who === undefined) return undefined;
  if (who === 'anywhere') return shareWithAll;
  return async ({ headers: { origin } }: FastifyRequest, reply: FastifyReply) => {
    reply.header('vary', 'origin');
    if (origin === undefined || origin.length > 300 || !(await isReader(who, origin))) return;
    reply.header('access-control-allow-origin', origin);
  };
}

const listRequestHeaders = ({ headers, request }: EndpointSpec): string[] => [
  ...(request?.kind === 'bytes' ? ['content-encoding'] : []),
  ...Object.keys(headers?.properties ?? {}),
];

/** Handles the preflight request of a browser, for all endpoints of a path. */
export function addPreflight(
  app: FastifyInstance,
  path: string,
  endpoints: readonly EndpointSpec[],
  onRequest: Hook[],
): void {
  const [endpoint] = endpoints;
  if (!endpoint) return;
  const headers = new Set(['content-type', ...endpoints.flatMap(listRequestHeaders)]);
  app.options(path, { config: { endpoint }, onRequest }, async (_request, reply) => {
    if (reply.hasHeader('access-control-allow-origin')) {
      reply.headers({
        'access-control-allow-methods': endpoints.map(({ method }) => method).join(', '),
        'access-control-allow-headers': [...headers].join(', '),
        'access-control-max-age': '600',
      });
    }
    return reply.code(204).send();
  });
}
