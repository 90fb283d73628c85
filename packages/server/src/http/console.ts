import { existsSync } from 'node:fs';
import path from 'node:path';
import files from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../kernel/errors.ts';

const built = path.join(import.meta.dirname, '../../../console/dist');

/** The console connects only to this server. Mantine needs inline styles. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

export const hasConsole = (): boolean => existsSync(path.join(built, 'index.html'));

/** Reloading any page of the console must work, so browser requests for anything but a file get the console. */
export const wantsPage = (request: FastifyRequest): boolean =>
  request.method === 'GET' &&
  !request.url.startsWith('/v0.1/') &&
  (request.headers.accept?.includes('text/html') ?? false);

/** The format of file names in the build; no other file is read from disk. */
const isAssetName = (name: string): boolean => /^\w[\w.-]{0,150}$/.test(name);

/** Serves the console if it was built. */
export async function addConsole(app: FastifyInstance): Promise<void> {
  if (!hasConsole()) return;
  await app.register(async (scope) => {
    scope.addHook<{ Params: { '*': string } }>('onRequest', (request, _reply, done) =>
      done(isAssetName(request.params['*']) ? undefined : notFound('file')),
    );
    await scope.register(files, {
      root: path.join(built, 'assets'),
      prefix: '/assets/',
      maxAge: '1y',
      immutable: true,
      preCompressed: true,
      acceptRanges: false,
      // `docs.ts` has already added `sendFile`.
      decorateReply: false,
    });
  });
}

export const sendConsole = (reply: FastifyReply): FastifyReply =>
  reply
    .code(200)
    .headers({ 'content-security-policy': policy, 'cache-control': 'no-cache', 'referrer-policy': 'same-origin' })
    .sendFile('index.html', built);
