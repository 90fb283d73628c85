import { createRequire } from 'node:module';
import path from 'node:path';
import files from '@fastify/static';
import { type EndpointSpec, openApiDocument } from '@mooring/contract';
import { examples } from '@mooring/contract/examples';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { compressResponse } from './responses/compression.ts';
import { retirementNotice } from './responses/retirement.ts';

const page = path.join(import.meta.dirname, '../../assets/docs');
const swaggerUi = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** Swagger UI needs inline styles; all other content and connections are limited to this server. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export interface DocsOptions {
  endpoints: readonly EndpointSpec[];
  version: string;
  retirementDate: string | undefined;
  limit(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

function servedDocument({ endpoints, version, retirementDate }: DocsOptions): string {
  const document = openApiDocument({ endpoints, examples, version }) as { info: { description: string } };
  if (retirementDate) {
    document.info.description = `${retirementNotice(retirementDate)}\n\n${document.info.description}`;
  }
  return JSON.stringify(document);
}

/** Serves `/openapi.json`, and the API reference at `/docs`. */
export async function addDocs(app: FastifyInstance, options: DocsOptions): Promise<void> {
  let document: string | undefined;
  const limited = { onRequest: options.limit };
  app.get('/openapi.json', { ...limited, onSend: compressResponse }, async (_request, reply) => {
    document ??= servedDocument(options);
    return reply.type('application/json; charset=utf-8').send(document);
  });

  await app.register(files, { root: [page, swaggerUi], serve: false, cacheControl: false, acceptRanges: false });
  const assets: Record<string, string> = {
    '/docs': 'index.html',
    '/docs/start.js': 'start.js',
    '/docs/check-credentials.js': 'check-credentials.js',
    '/docs/page.css': 'page.css',
    '/docs/oauth2-redirect.html': 'oauth2-redirect.html',
    '/docs/oauth2-redirect.js': 'oauth2-redirect.js',
    '/docs/swagger-ui.css': 'swagger-ui.css',
    '/docs/swagger-ui-bundle.js': 'swagger-ui-bundle.js',
  };
  for (const [url, file] of Object.entries(assets)) {
    app.get(url, limited, (_request, reply) =>
      reply.headers({ 'content-security-policy': policy, 'cache-control': 'no-cache' }).sendFile(file),
    );
  }
  app.get('/docs/', limited, (_request, reply) => reply.redirect('/docs', 308));
}
