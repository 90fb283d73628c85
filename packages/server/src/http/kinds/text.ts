import type { TextResponse } from '@mooring/contract';
import { inertHeaders, isKnown, type Version, versionHeaders } from './conditions.ts';
import { disposition } from './file-response.ts';
import type { MountResponse } from './kind.ts';

/** A text response of a handler. */
export interface TextResult extends Version {
  text: string | Buffer;
  /** Content security policy of a page; by default nothing is allowed. */
  policy?: string;
  /** File name for a download; without one the browser shows the text. */
  name?: string;
  /** For a page that reports a missing resource. */
  status?: 404;
}

export const mountTextResponse: MountResponse<TextResponse> = ({ type, cache = 'no-store' }) => ({
  async respond(request, reply, run) {
    const { text, policy, name, status = 200, ...version } = (await run()) as TextResult;
    reply.headers({ 'cache-control': cache, ...inertHeaders, ...versionHeaders(version) });
    if (name !== undefined) reply.header('content-disposition', disposition(name));
    if (policy) reply.header('content-security-policy', policy);
    return status === 200 && isKnown(request.headers, version)
      ? reply.code(304).send()
      : reply
          .code(status)
          .type(type === 'image/png' ? type : `${type}; charset=utf-8`)
          .send(text);
  },
});
