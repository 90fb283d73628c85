import { existsSync } from 'node:fs';
import path from 'node:path';
import files from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../kernel/errors.ts';

const built = path.join(import.meta.dirname, '../../../console/dist');

/** The console talks to this server only; Mantine sets styles in place. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

export const hasConsole = (): boolean => existsSync(path.join(built, 'index.html'));

/** A reload of any of its pages must work, so whatever a browser asks for that is not a file gets the console. */
export const wantsPage = (request: FastifyRequest): boolean =>
  request.method === 'GET' &&
  !request.url.startsWith('/v0.1/') &&
  (request.headers.accept?.includes('text/html') ?? false);

/** As the build names its files; nothing else is looked for on the disk. */
const isAssetName = (name: string): boolean => /^\w[\w.-]{0,150}$/.test(name);

/** Serves the built console, if it has been built. */
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
      // `docs.ts` has added `sendFile` already.
      decorateReply: false,
    });
  });
}

export const sendConsole = (reply: FastifyReply): FastifyReply =>
  reply
    .code(200)
    .headers({ 'content-security-policy': policy, 'cache-control': 'no-cache', 'referrer-policy': 'same-origin' })
    .sendFile('index.html', built);
