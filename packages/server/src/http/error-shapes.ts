import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Failure, statusOf } from '../kernel/errors.ts';
import type { Family } from './families.ts';
import { sendProblemPage } from './problem-page.ts';

/** What went wrong beneath the protocol, such as too many requests, in its language. */
function oauthCode({ code, protocolCode }: Failure): string {
  if (protocolCode !== undefined) return protocolCode;
  if (code === 'InternalServerError') return 'server_error';
  return [429, 503].includes(statusOf[code]) ? 'temporarily_unavailable' : 'invalid_request';
}

/** Answers with a failure in the shape that whoever asked can read. */
export function sendShaped(request: FastifyRequest, reply: FastifyReply, failure: Failure, family: Family): void {
  const shape = request.routeOptions?.config?.endpoint?.errorShape;
  reply.failureCode = failure.code;
  reply.code(statusOf[failure.code]).headers(failure.headers);
  if (shape === 'page') {
    sendProblemPage(reply, statusOf[failure.code], failure.message);
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
    reply.send({ request_id: request.id, code: statusOf[failure.code], message: failure.message });
  } else if (shape === 'identified') {
    reply.send({ id: request.id, code: failure.code, message: failure.message });
  } else if (shape === 'stated') {
    reply.send({ status: failure.code, message: failure.message });
  } else if (shape === 'numbered') {
    reply.send({ error: { code: statusOf[failure.code], message: failure.message } });
  } else reply.headers(family.errorHeaders?.(failure) ?? {}).send(family.error(failure, request.id));
}
