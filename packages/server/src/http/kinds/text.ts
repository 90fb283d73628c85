import type { TextResponse } from '@mooring/contract';
import { inertHeaders, isKnown, type Version, versionHeaders } from './conditions.ts';
import { disposition } from './file-response.ts';
import type { MountResponse } from './kind.ts';

/** What a handler answers with text. */
export interface TextAnswer extends Version {
  text: string | Buffer;
  /** For pages that people open: what they may do; nothing if absent. */
  policy?: string;
  /** What it is saved as; without one a browser shows it. */
  name?: string;
  /** A page that says that there is nothing, in its own words. */
  status?: 404;
}

export const mountTextResponse: MountResponse<TextResponse> = ({ type, cache = 'no-store' }) => ({
  async answer(request, reply, run) {
    const { text, policy, name, status = 200, ...version } = (await run()) as TextAnswer;
    reply.headers({ 'cache-control': cache, ...inertHeaders, ...versionHeaders(version) });
    if (name !== undefined) reply.header('content-disposition', disposition(name));
    if (policy) reply.header('content-security-policy', policy);
    return status === 200 && isKnown(request.headers, version)
      ? reply.code(304).send()
      : reply.code(status).type(`${type}; charset=utf-8`).send(text);
  },
});
