import type { TextResponse } from '@mooring/contract';
import { inertHeaders, isKnown, type Version, versionHeaders } from './conditions.ts';
import type { MountResponse } from './kind.ts';

/** What a handler answers with text. */
export interface TextAnswer extends Version {
  text: string | Buffer;
}

export const mountTextResponse: MountResponse<TextResponse> = ({ type, cache = 'no-store' }) => ({
  async answer(request, reply, run) {
    const { text, ...version } = (await run()) as TextAnswer;
    reply.headers({ 'cache-control': cache, ...inertHeaders, ...versionHeaders(version) });
    return isKnown(request.headers, version)
      ? reply.code(304).send()
      : reply.code(200).type(`${type}; charset=utf-8`).send(text);
  },
});
