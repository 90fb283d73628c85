import type { JsonRequest, JsonResponse } from '@mooring/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { Ctx } from '../../context.ts';
import type { Asked } from '../response-cache.ts';
import type { MountRequest, MountResponse } from './kind.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Where a body may be left out, none is an empty one. */
function acceptNoBody(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  if (request.body === undefined) request.body = {};
  done();
}

export const mountJsonRequest: MountRequest<JsonRequest> = ({ schema, bodyOmittedBy }) => ({
  schema,
  ...(bodyOmittedBy === undefined ? {} : { preValidation: acceptNoBody }),
  refusal: 'The body must be JSON, sent with Content-Type: application/json.',
});

const askedBy = ({ ctx, url, versions }: FastifyRequest): Asked => {
  const { actor, origin } = ctx as Ctx;
  return { actor, url, base: origin?.url, versions };
};

export const mountJsonResponse: MountResponse<JsonResponse> = (response, { responses }) => {
  const { schema, status, mayCreate, mayBeEmpty, isWritten, isRemembered, cache = 'no-store' } = response;
  const begin = (reply: FastifyReply) => reply.code(status).header('cache-control', cache);
  if (isWritten) {
    return {
      answer(_request, reply, run) {
        begin(reply).type(JSON_TYPE);
        return run();
      },
    };
  }
  const schemas: Record<number, TSchema> = mayCreate ? { [status]: schema, 201: schema } : { [status]: schema };
  if (!isRemembered) {
    return {
      schemas,
      answer(_request, reply, run) {
        begin(reply);
        if (!mayBeEmpty) return run();
        return run().then((answer) => answer ?? reply.code(204).send());
      },
    };
  }
  return {
    schemas,
    answer(request, reply, run) {
      begin(reply).type(JSON_TYPE);
      const asked = askedBy(request);
      const known = responses.find(asked);
      if (known !== undefined) return void reply.send(known);
      return run().then((answer) => {
        const text = String(reply.serialize(answer as object));
        responses.keep(asked, text);
        return text;
      });
    },
  };
};
