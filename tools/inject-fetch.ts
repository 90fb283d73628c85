import type { FastifyInstance, InjectOptions } from 'fastify';

export interface InjectFetch {
  headers?: Record<string, string>;
  remoteAddress?: string;
}

/** A fetch that sends requests directly to a server in this process, without a port. */
export const injectFetch =
  (http: FastifyInstance, { headers = {}, remoteAddress = '127.0.0.1' }: InjectFetch = {}): typeof fetch =>
  async (url, init = {}) => {
    // A form gets its boundary from the Request that contains it.
    const { body, headers: initHeaders, method = 'GET' } = init;
    const form = body instanceof FormData ? new Response(body) : undefined;
    const type: Record<string, string> = form ? { 'content-type': form.headers.get('content-type') ?? '' } : {};
    const whole = form ?? (body instanceof Blob ? body : undefined);
    const bytes = whole ? new Uint8Array(await whole.arrayBuffer()) : body;
    const payload = bytes instanceof Uint8Array ? Buffer.from(bytes) : bytes;
    const answer = await http.inject({
      method: method as InjectOptions['method'] & string,
      url: String(url),
      remoteAddress,
      headers: { ...(initHeaders as Record<string, string>), ...type, ...headers },
      ...(payload === undefined || payload === null ? {} : { payload: payload as string | Buffer }),
    });
    return new Response([204, 304].includes(answer.statusCode) ? null : answer.payload, {
      status: answer.statusCode,
      headers: Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
        [value ?? []].flat().map((one) => [name, String(one)]),
      ),
    });
  };
