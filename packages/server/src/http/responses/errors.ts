import type { ErrorBody, ErrorCode } from '@mooring/contract';
import type { FastifyError } from 'fastify';
import type { Static } from 'typebox';
import { databaseFailure } from '../../db/failures.ts';
import { Failure, notFound } from '../../kernel/errors.ts';
import { describeProblems } from '../requests/validation.ts';

export const errorBody = (code: ErrorCode, message: string, target?: string): Static<typeof ErrorBody> => ({
  error: { code, message, ...(target === undefined ? {} : { target }) },
});

/** Maximum length of one path segment, URL-encoded: event names have up to 256 characters, each of up to 12 encoded. */
export const MAX_PARAM_LENGTH = 3072;

/** Maps errors of Fastify. */
const framework: Record<string, (limits: Limits) => Failure> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ({ bodyLimit }) =>
    new Failure('PayloadTooLarge', `The body exceeds the limit of ${bodyLimit} bytes. Send it in smaller parts.`),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ({ refusal = 'The body must be JSON, sent with Content-Type: application/json.' }) =>
    new Failure('UnsupportedMediaType', refusal),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new Failure('BadRequest', 'The length of the body differs from Content-Length.'),
  FST_ERR_CTP_INVALID_JSON_BODY: () => new Failure('BadRequest', 'The body is not valid JSON.'),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => new Failure('LengthRequired', 'A body is required. Send {} if it is empty.'),
  FST_ERR_MAX_PARAM_LENGTH: () =>
    new Failure('BadRequest', `A path segment exceeds ${MAX_PARAM_LENGTH} characters. No name is that long.`),
  FST_ERR_BAD_URL: () => new Failure('BadRequest', 'The path is not valid. Check its % escapes.'),
};

export interface Limits {
  bodyLimit: number;
  /** Message for a body of another type. */
  refusal?: string | undefined;
}

/** Maps errors of the file server for the console and the API reference. */
const refusedFile = (status: number | undefined): Failure | undefined => {
  if (status === 412)
    return new Failure('PreconditionFailed', 'The file has changed: it does not match If-Match. Reload the page.');
  return status && status < 500 ? notFound('file') : undefined;
};

/** Converts a thrown error to a failure that the caller may see; undefined for internal errors. */
export function toFailure(error: FastifyError | Failure | Error, limits: Limits): Failure | undefined {
  if (error instanceof Failure) return error;
  const refused = databaseFailure(error);
  if (refused) return refused;
  const { code = '', validation, validationContext, statusCode } = error as FastifyError;
  if (validation) return new Failure('BadRequest', describeProblems(validation, validationContext));
  const known = framework[code];
  if (known) return known(limits);
  if ('expose' in error) return refusedFile(statusCode);
  // Errors of the JSON parser have a status and a message, but no code.
  return statusCode === 400 ? new Failure('BadRequest', `The body is not valid JSON: ${error.message}.`) : undefined;
}
