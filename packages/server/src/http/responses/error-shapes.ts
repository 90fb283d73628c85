import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Failure, statusByCode } from '../../kernel/errors.ts';
import type { ApiSurface } from '../api-surfaces.ts';
import { sendProblemPage } from './problem-page.ts';

/** OAuth code of an error that occurred outside the protocol, such as too many requests. */
function oauthCode({ code, protocolCode }: Failure): string {
  if (protocolCode !== undefined) return protocolCode;
  if (code === 'InternalServerError') return 'server_error';
  return [429, 503].includes(statusByCode[code]) ? 'temporarily_unavailable' : 'invalid_request';
}

/** Sends a failure in the format that the client expects. */
export function sendShaped(request: FastifyRequest, reply: FastifyReply, thrown: Failure, surface: ApiSurface): void {
  const failure = surface.translate?.(thrown) ?? thrown;
  const shape = request.routeOptions?.config?.endpoint?.errorShape;
  reply.failureCode = failure.code;
  reply.code(statusByCode[failure.code]).headers(failure.headers);
  if (shape === 'page') {
    sendProblemPage(reply, statusByCode[failure.code], failure.message);
    return;
  }
  if (shape === 'text') {
    reply.type('text/plain; charset=utf-8').send(failure.message);
    return;
  }
  reply.type('application/json; charset=utf-8');
  if (shape === 'oauth') {
    reply.failureCode = oauthCode(failure);
    reply.send({ error: oauthCode(failure), error_description: failure.message });
  } else if (shape === 'flat') {
    reply.send({ code: failure.protocolCode ?? failure.code, message: failure.message });
  } else if (shape === 'traced') {
    reply.send({ request_id: request.id, code: statusByCode[failure.code], message: failure.message });
  } else if (shape === 'identified') {
    reply.send({ id: request.id, code: failure.code, message: failure.message });
  } else if (shape === 'stated') {
    reply.send({ status: failure.code, message: failure.message });
  } else if (shape === 'numbered') {
    reply.send({ error: { code: statusByCode[failure.code], message: failure.message } });
  } else reply.headers(surface.errorHeaders?.(failure) ?? {}).send(surface.error(failure, request.id));
}
