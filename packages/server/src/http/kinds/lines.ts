import { PassThrough } from 'node:stream';
import { LINES_TYPE, type LinesResponse } from '@mooring/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Ctx } from '../../context.ts';
import { Failure } from '../../kernel/errors.ts';
import { toFailure } from '../responses/errors.ts';
import type { MountResponse, Run } from './kind.ts';

const wantsLines = ({ headers }: FastifyRequest): boolean => headers.accept?.includes(LINES_TYPE) ?? false;

/** A failure after the first line: the status was sent already, so the last line reports it. */
function describe(request: FastifyRequest, error: Error): object {
  const { log, config } = request.ctx as Ctx;
  log.error({ request: request.id, err: error }, 'response ended with an error');
  const failure =
    toFailure(error, config) ??
    new Failure('InternalServerError', `Internal error. Report it with the request ID ${request.id}.`);
  return request.surface.error(failure, request.id);
}

/** Responds with lines. The first one starts the response, so a later failure is a line, too. */
async function respondInLines(request: FastifyRequest, reply: FastifyReply, run: Run): Promise<FastifyReply> {
  const lines = new PassThrough();
  let isOpen = false;
  const write = (line: object): void => {
    if (!isOpen) reply.type(LINES_TYPE).send(lines);
    isOpen = true;
    // The work continues if the client closes the connection.
    if (!lines.destroyed) lines.write(`${JSON.stringify(line)}\n`);
  };
  try {
    write({ report: await run({ reportProgress: (progress) => write({ progress }) }) });
  } catch (error) {
    if (!isOpen) throw error;
    write({ error: describe(request, error as Error) });
  }
  lines.end();
  return reply;
}

export const mountLinesResponse: MountResponse<LinesResponse> = ({ schema }) => ({
  schemas: { 200: schema },
  respond(request, reply, run) {
    reply.code(200).header('cache-control', 'no-store');
    return wantsLines(request) ? respondInLines(request, reply, run) : run();
  },
});
