import { type Client, createClient } from '@mooring/contract';
import type { FastifyInstance } from 'fastify';
import { injectFetch } from '../inject-fetch.ts';

/** A client whose requests go directly to the server. */
export const createAppClient = (
  http: FastifyInstance,
  headers: Record<string, string>,
  remoteAddress?: string,
): Client => createClient({ baseUrl: '', fetch: injectFetch(http, { headers, remoteAddress }) });
