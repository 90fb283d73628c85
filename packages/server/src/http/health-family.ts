import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';

/** What is special about the addresses and headers of the health API, whose clients were made for another server. */

const isOurs = /^\/(subscriptions|providers)(?=[/?]|$)/i;

export const isHealthAddress = (url: string): boolean => isOurs.test(url);

const words = new Set([
  ...['subscriptions', 'providers', 'events', 'readers', 'updates'],
  ...['webhooks', 'rotate', 'test', 'deliveries', 'replay', 'feeds'],
]);
/** What stands after one of these is a name that somebody chose, and not a word. */
const collections = new Set(['subscriptions', 'events', 'readers', 'webhooks', 'deliveries', 'feeds']);

/** Brings an address of the health API into the spelling of the endpoint table: fixed words in any case, either vendor. */
export function healthAddresses(vendor: string): (request: IncomingMessage) => string {
  const providers = new Set(['vendor.resourcehealth', `${vendor.toLowerCase()}.resourcehealth`]);
  const isName = (segments: string[], index: number): boolean =>
    collections.has(segments[index - 1]?.toLowerCase() ?? '');

  return ({ url = '/' }) => {
    if (!isHealthAddress(url)) return url;
    const end = url.indexOf('?');
    const path = end === -1 ? url : url.slice(0, end);
    const canonical = path
      .split('/')
      .map((segment, index, all) => {
        if (isName(all, index)) return segment;
        const key = segment.toLowerCase();
        return providers.has(key) ? 'Vendor.ResourceHealth' : words.has(key) ? key : segment;
      })
      .join('/');
    return end === -1 ? canonical : canonical + url.slice(end);
  };
}

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isGuid = (text: string): boolean => guid.test(text);

/** Ids by which both sides find a request again. */
export function healthHeaders({ id, headers }: Pick<FastifyRequest, 'id' | 'headers'>): Record<string, string> {
  const correlation = headers['x-ms-correlation-request-id'];
  const client = headers['x-ms-client-request-id'];
  return {
    'x-ms-request-id': id,
    'x-ms-correlation-request-id': typeof correlation === 'string' && isGuid(correlation) ? correlation : randomUUID(),
    ...(typeof client === 'string' && /^[\w.-]{1,64}$/.test(client) ? { 'x-ms-client-request-id': client } : {}),
  };
}
