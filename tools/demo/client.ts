import { type Client, createClient } from '@mooring/contract';
import type { FastifyInstance, InjectOptions } from 'fastify';

/** A client whose requests go straight into the server. */
export const clientOf = (http: FastifyInstance, headers: Record<string, string>, remoteAddress = '127.0.0.1'): Client =>
  createClient({
    baseUrl: '',
    fetch: async (url, { method, headers: more, body } = {}) => {
      const answer = await http.inject({
        method: method as InjectOptions['method'] & string,
        url: String(url),
        remoteAddress,
        headers: { ...(more as Record<string, string>), ...headers },
        ...(typeof body === 'string' ? { payload: body } : {}),
      });
      const isEmpty = [204, 304].includes(answer.statusCode);
      const type = String(answer.headers['content-type'] ?? '');
      return new Response(isEmpty ? null : answer.payload, {
        status: answer.statusCode,
        headers: { 'content-type': type },
      });
    },
  });
