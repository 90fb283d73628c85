import type { ErrorBody, ErrorCode } from '@mooring/contract';
import type { FastifyError } from 'fastify';
import type { Static } from 'typebox';
import { databaseFailure } from '../db/failures.ts';
import { Failure, notFound } from '../kernel/errors.ts';
import { describeProblems } from './validation.ts';

export const errorBody = (code: ErrorCode, message: string): Static<typeof ErrorBody> => ({ error: { code, message } });

/** Of one part of a path, as it stands in the address: the name of an event has 256 characters, of up to 12 each there. */
export const MAX_PARAM_LENGTH = 3072;

/** What Fastify itself refuses, in our words. */
const framework: Record<string, (limits: Limits) => Failure> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ({ bodyLimit }) =>
    new Failure('PayloadTooLarge', `The body is larger than the ${bodyLimit} bytes that this server takes.`),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ({ refusal = 'The body must be JSON, sent with Content-Type: application/json.' }) =>
    new Failure('UnsupportedMediaType', refusal),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new Failure('BadRequest', 'The body is not as long as Content-Length says.'),
  FST_ERR_CTP_INVALID_JSON_BODY: () => new Failure('BadRequest', 'The body is not valid JSON.'),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => new Failure('LengthRequired', 'A body is needed; send {} for an empty one.'),
  FST_ERR_MAX_PARAM_LENGTH: () =>
    new Failure(
      'BadRequest',
      `A part of the path is longer than the ${MAX_PARAM_LENGTH} characters that any name has.`,
    ),
  FST_ERR_BAD_URL: () => new Failure('BadRequest', 'The path is not a valid address: check its % escapes.'),
};

export interface Limits {
  bodyLimit: number;
  /** What a body of another type is refused with. */
  refusal?: string | undefined;
}

/** What the pages and files of the console and the specification are refused for. */
const refusedFile = (status: number | undefined): Failure | undefined => {
  if (status === 412) return new Failure('PreconditionFailed', 'The file is not the one that If-Match names.');
  return status && status < 500 ? notFound('file') : undefined;
};

/** Anything thrown, as a failure that the caller may see; undefined when it is none of their business. */
export function toFailure(error: FastifyError | Failure | Error, limits: Limits): Failure | undefined {
  if (error instanceof Failure) return error;
  const refused = databaseFailure(error);
  if (refused) return refused;
  const { code = '', validation, validationContext, statusCode } = error as FastifyError;
  if (validation) return new Failure('BadRequest', describeProblems(validation, validationContext));
  const known = framework[code];
  if (known) return known(limits);
  if ('expose' in error) return refusedFile(statusCode);
  // The JSON parser's own errors carry a status and a message, but no code.
  return statusCode === 400 ? new Failure('BadRequest', `The body is not valid JSON: ${error.message}.`) : undefined;
}
