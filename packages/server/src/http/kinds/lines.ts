import { PassThrough } from 'node:stream';
import { LINES_TYPE, type LinesResponse } from '@mooring/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Ctx } from '../../context.ts';
import { Failure } from '../../kernel/errors.ts';
import { toFailure } from '../errors.ts';
import type { MountResponse, Run } from './kind.ts';

const wantsLines = ({ headers }: FastifyRequest): boolean => headers.accept?.includes(LINES_TYPE) ?? false;

/** A failure after the first line: the status has gone out, so it is told as the last line. */
function describe(request: FastifyRequest, error: Error): object {
  const { log, config } = request.ctx as Ctx;
  log.error({ request: request.id, err: error }, 'an answer ended with an error');
  const failure =
    toFailure(error, config) ??
    new Failure(
      'InternalServerError',
      `A fault of the server ended the answer; it is logged under the request id ${request.id}.`,
    );
  return request.family.error(failure, request.id);
}

/** Answers with lines: the first one opens the answer, so what fails after it is a line too. */
async function answerInLines(request: FastifyRequest, reply: FastifyReply, run: Run): Promise<FastifyReply> {
  const lines = new PassThrough();
  let isOpen = false;
  const write = (line: object): void => {
    if (!isOpen) reply.type(LINES_TYPE).send(lines);
    isOpen = true;
    // Whoever reads no more does not stop the work.
    if (!lines.destroyed) lines.write(`${JSON.stringify(line)}\n`);
  };
  try {
    write({ report: await run({ tell: (progress) => write({ progress }) }) });
  } catch (error) {
    if (!isOpen) throw error;
    write({ error: describe(request, error as Error) });
  }
  lines.end();
  return reply;
}

export const mountLinesResponse: MountResponse<LinesResponse> = ({ schema }) => ({
  schemas: { 200: schema },
  answer(request, reply, run) {
    reply.code(200).header('cache-control', 'no-store');
    return wantsLines(request) ? answerInLines(request, reply, run) : run();
  },
});
