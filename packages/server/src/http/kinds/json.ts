import type { JsonRequest, JsonResponse } from '@mooring/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { Ctx } from '../../context.ts';
import { acceptJson } from '../requests/bodies.ts';
import type { CacheRequest } from '../responses/response-cache.ts';
import type { MountRequest, MountResponse } from './kind.ts';

const JSON_TYPE = 'application/json';

/** An omitted body is an empty one, where it is optional. */
function acceptNoBody(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  if (request.body === undefined) request.body = {};
  done();
}

export const mountJsonRequest: MountRequest<JsonRequest> = ({ schema, bodyOmittedBy, mediaType }) => ({
  schema,
  ...(mediaType === undefined ? {} : { accept: (scope) => acceptJson(scope, mediaType) }),
  ...(bodyOmittedBy === undefined ? {} : { preValidation: acceptNoBody }),
  refusal: `The body must be JSON, sent with Content-Type: ${mediaType ?? JSON_TYPE}.`,
});

const toCacheRequest = ({ ctx, url, versions }: FastifyRequest): CacheRequest => {
  const { actor, origin } = ctx as Ctx;
  return { actor, url, base: origin?.url, versions };
};

export const mountJsonResponse: MountResponse<JsonResponse> = (response, { responses }) => {
  const { schema, status, mayCreate, mayBeEmpty, isWritten, isRemembered, mediaType, cache = 'no-store' } = response;
  const type = `${mediaType ?? JSON_TYPE}; charset=utf-8`;
  const begin = (reply: FastifyReply) => reply.code(status).header('cache-control', cache);
  if (isWritten) {
    return {
      respond(_request, reply, run) {
        begin(reply).type(type);
        return run();
      },
    };
  }
  const schemas: Record<number, TSchema> = mayCreate ? { [status]: schema, 201: schema } : { [status]: schema };
  if (!isRemembered) {
    return {
      schemas,
      respond(_request, reply, run) {
        begin(reply);
        if (mediaType) reply.type(type);
        if (!mayBeEmpty) return run();
        return run().then((answer) => answer ?? reply.code(204).send());
      },
    };
  }
  return {
    schemas,
    respond(request, reply, run) {
      begin(reply).type(type);
      const cacheRequest = toCacheRequest(request);
      const cached = responses.find(cacheRequest);
      if (cached !== undefined) return void reply.send(cached);
      return run().then((answer) => {
        const text = String(reply.serialize(answer as object));
        responses.set(cacheRequest, text);
        return text;
      });
    },
  };
};
