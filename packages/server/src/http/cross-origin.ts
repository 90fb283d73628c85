import type { EndpointSpec } from '@mooring/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Whether a page of this origin is one of those that an endpoint names. */
export type IsReader = (who: 'clients' | 'senders', origin: string) => Promise<boolean>;

export type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Lets pages of other sites read an answer, where the endpoint says so. */
export function readableFrom({ readableFrom: who }: EndpointSpec, isReader: IsReader): Hook | undefined {
  if (who === undefined) return undefined;
  if (who === 'anywhere') return async (_request, reply) => void reply.header('access-control-allow-origin', '*');
  return async ({ headers: { origin } }, reply) => {
    reply.header('vary', 'origin');
    if (origin === undefined || origin.length > 300 || !(await isReader(who, origin))) return;
    reply.header('access-control-allow-origin', origin);
  };
}

const headersOf = ({ headers, request }: EndpointSpec): string[] => [
  ...(request?.kind === 'bytes' ? ['content-encoding'] : []),
  ...Object.keys(headers?.properties ?? {}),
];

/** What a browser asks before a page may send anything but a plain GET: about all endpoints of a path. */
export function addPreflight(app: FastifyInstance, endpoints: readonly EndpointSpec[], onRequest: Hook[]): void {
  const [endpoint] = endpoints;
  if (!endpoint) return;
  const headers = new Set(['content-type', ...endpoints.flatMap(headersOf)]);
  app.options(endpoint.path, { config: { endpoint }, onRequest }, async (_request, reply) => {
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
