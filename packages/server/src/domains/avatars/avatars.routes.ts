import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../context.ts';
import { notFound } from '../../kernel/errors.ts';
import { findAvatar } from './avatars.ts';

/** An address never changes its image, and whatever the image contains, a browser runs none of it. */
const headers = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
};

/** Serves avatars to whoever knows their address: mail programs and pages of others have no token. */
export function addAvatars(app: FastifyInstance, deps: Pick<Deps, 'blobs'>): void {
  app.get<{ Params: { name: string } }>('/avatars/:name', async ({ params }, reply) => {
    const avatar = await findAvatar(deps, params.name);
    if (!avatar) throw notFound('avatar');
    return reply.headers(headers).header('content-length', avatar.size).type(avatar.type).send(avatar.stream);
  });
}
