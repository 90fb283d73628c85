import { PARTS_TYPE, type PartsRequest } from '@mooring/contract';
import type { FastifyRequest } from 'fastify';
import { Failure } from '../../kernel/errors.ts';
import { createHeldBodies, holdBodies } from './held-bodies.ts';
import type { MountRequest } from './kind.ts';
import { findBoundary, readParts, type SentFile } from './read-parts.ts';

/** Of the forms of all endpoints that memory holds; further ones are refused with 503. */
const FORMS_MAX_BYTES = 96 * 1024 * 1024;
const formsInMemory = createHeldBodies(FORMS_MAX_BYTES);

declare module 'fastify' {
  interface FastifyRequest {
    sentFiles: readonly SentFile[];
  }
}

const tooLarge = (maxBytes: number): Failure =>
  new Failure('PayloadTooLarge', `The body exceeds the limit of ${maxBytes} bytes. Send it in smaller parts.`);

export const mountPartsRequest: MountRequest<PartsRequest> = ({ schema, files, maxBytes, orJson }) => ({
  schema,
  accept(scope) {
    scope.decorateRequest('sentFiles');
    if (!orJson) scope.removeAllContentTypeParsers();
    scope.addHook('preParsing', (request: FastifyRequest, _reply, payload, done) => {
      const isTooLarge = Number(request.headers['content-length'] ?? 0) > maxBytes;
      done(isTooLarge ? tooLarge(maxBytes) : null, payload);
    });
    holdBodies(scope, formsInMemory, maxBytes);
    // JSON keeps the lower limit of all endpoints.
    scope.addContentTypeParser(
      PARTS_TYPE,
      { parseAs: 'buffer', bodyLimit: maxBytes },
      async (request: FastifyRequest, body: Buffer) => {
        const read = readParts(body, findBoundary(request.headers['content-type'] ?? ''), files);
        request.sentFiles = read.files;
        return read.fields;
      },
    );
  },
  read: async ({ sentFiles = [] }) => ({ files: sentFiles }),
  refusal: `The body must be a form, sent with Content-Type: ${PARTS_TYPE}${orJson ? ', or JSON' : ''}.`,
});
